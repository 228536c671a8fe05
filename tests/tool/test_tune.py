#!/usr/bin/env python3
"""Tuning: the model is that of train with the chosen options, however often it was interrupted."""

import csv
import fcntl
import json
import os
import random
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

GRID = ["-c", "0.5,8", "-g", "0.5,4"]


class Tune(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv", "-n", "60")

    def bytes_of(self, name):
        return self.path(name).read_bytes()

    def tune(self, *options, data="data.csv", model="tuned.json"):
        """Tunes, and returns what it reports."""
        return self.run_json("tune", data, "-o", model, *options)


class Model(Tune):
    def chosen(self, best):
        """The options of train that stand for a point of the grid."""
        options = ["--loss", best["loss"], "-c", repr(best["C"]), "--kernel", best["kernel"]]
        if "gamma" in best:
            options += ["-g", str(best["gamma"])]
        if "mu" in best:
            options += ["--mu", repr(best["mu"])]
        if "band_folds" in best:
            options += ["--band-folds", str(best["band_folds"])]
        return options

    def assert_is_that_of_train(self, grid, *others):
        best = self.tune(*grid, *others)["best"]
        self.train("data.csv", *self.chosen(best), *others)
        self.assertEqual(self.bytes_of("tuned.json"), self.bytes_of("model.json"))

    def test_is_that_of_train_with_the_chosen_options(self):
        self.assert_is_that_of_train(GRID, "--d", "0.3")

    def test_of_a_linear_kernel_and_scaled_features(self):
        self.assert_is_that_of_train(["--kernel", "linear", "-c", "0.1,1,10"], "--scale", "minmax")

    def test_of_a_support_vector_machine_with_a_band(self):
        self.assert_is_that_of_train(["--loss", "hinge", *GRID, "--band-folds", "3"], "--d", "0.3")

    def test_of_a_grid_over_mu(self):
        self.assert_is_that_of_train(["-c", "4", "-g", "scale", "--mu", "0.25,1"])

    def test_of_weighted_classes_and_a_table_of_costs(self):
        self.assert_is_that_of_train(GRID, "--class-weight", "1=2", "--costs", "1,3,0.3,0.2")

    def test_of_the_grid_that_is_not_named(self):
        report = self.tune("-v", "2", "--kernel", "linear")
        first = [2.0 ** k for k in range(-3, 10, 2)]
        found = [point["C"] for point in report["grid"]]
        self.assertEqual([C for C in found if C in first], first)
        self.assertEqual(report["widened"], len(found) > len(first))
        report = self.tune("-v", "2", "--log2c", "-1,1,2", "--log2g", "3,-1,-2")
        self.assertEqual([(point["gamma"], point["C"]) for point in report["grid"]],
                         [(gamma, C) for gamma in [8, 2, 0.5] for C in [0.5, 2]])

    def test_trained_at_another_cost_is_that_of_train_but_for_the_cost(self):
        best = self.tune("-c", "4", "-g", "2", "--d", "0.1", "--training-cost", "0.4")["best"]
        self.assertEqual((best["reject_cost"], best["training_cost"]), (0.1, 0.4))
        expected = self.train("data.csv", "-c", "4", "-g", "2", "--d", "0.4")
        tuned = json.loads(self.bytes_of("tuned.json"))
        costs = {"false_positive": 1, "false_negative": 1}
        self.assertEqual(tuned["surfaces"][0].pop("decide_for"),
                         {**costs, "reject_positive": 0.1, "reject_negative": 0.1})
        self.assertEqual(tuned, expected)

    def test_on_standard_output_has_it_to_itself(self):
        self.tune(*GRID)
        done = self.try_run("tune", "data.csv", "-o", "-", *GRID)
        self.assertEqual(done.stdout.encode(), self.bytes_of("tuned.json"))
        self.assertEqual(self.try_run("tune", "data.csv", "-o", "-", *GRID, "-q").stderr, "")

    def test_threads_change_nothing(self):
        seen = set()
        for threads in ["1", "2"]:
            report = self.tune(*GRID, "--nested", "-v", "3", "--table", "grid.csv", "--threads",
                               threads)
            seen.add((json.dumps(report), self.bytes_of("tuned.json"), self.bytes_of("grid.csv")))
        self.assertEqual(len(seen), 1)


class Report(Tune):
    def test_every_point_has_the_numbers_of_cv(self):
        folds = ["-v", "3", "--repeats", "2", "--seed", "9", "--d", "0.3"]
        report = self.tune(*GRID, *folds)
        self.assertEqual(report["points"], 4)
        for point in report["grid"]:
            [one] = self.run_json("cv", "data.csv", "-c", point["C"], "-g", point["gamma"],
                                  *folds)["results"]
            for key in ["risk", "rejection_rate", "accepted_accuracy", "never_reject", "aurc"]:
                self.assertEqual(point[key], one[key])
        least = min(point["risk"]["mean"] for point in report["grid"])
        self.assertEqual(report["best"]["risk"]["mean"], least)
        self.assertIn(report["best"], report["grid"])

    def test_the_table_agrees_with_the_json(self):
        report = self.tune(*GRID, "-v", "3", "--repeats", "2", "--training-cost", "0.1,0.2",
                           "--mu", "0.5,1", "--table", "grid.csv")
        lines = list(csv.DictReader(self.bytes_of("grid.csv").decode().splitlines()))
        self.assertEqual(len(lines), 16)
        for line, point in zip(lines, report["grid"]):
            self.assertEqual(float(line["C"]), point["C"])
            self.assertEqual(float(line["gamma"]), point["gamma"])
            self.assertEqual(float(line["mu"]), point["mu"])
            self.assertEqual(float(line["training_cost"]), point.get("training_cost", 0.2))
            self.assertEqual(float(line["risk"]), point["risk"]["mean"])
            self.assertEqual(float(line["risk_sd"]), point["risk"]["sd"])
            self.assertEqual(float(line["rejection_rate"]), point["rejection_rate"]["mean"])
            self.assertEqual(float(line["never_reject_risk"]), point["never_reject"]["mean"])
            self.assertEqual(line["best"], "1" if point == report["best"] else "0")

    def test_nested_is_measured_on_every_row_once(self):
        report = self.tune(*GRID, "-v", "3", "--nested")
        self.assertEqual(report["nested"]["rows"], 60)
        self.assertEqual(len(report["nested"]["chosen"]), 3)
        for chosen in report["nested"]["chosen"]:
            self.assertIn((chosen["C"], chosen["gamma"]),
                          [(point["C"], point["gamma"]) for point in report["grid"]])
        self.assertIsNone(self.tune(*GRID, "-v", "3")["nested"])

    def test_nested_is_tuning_without_each_fold(self):
        """By hand, with the commands: tune on the rows outside, evaluate on those inside."""
        report = self.tune(*GRID, "-v", "3", "--nested")
        self.run_well("cv", "data.csv", "-v", "3", "--repeats", "1", "--assignments", "rows.csv")
        header, rows = self.rows_of("data.csv")
        _, dealt = self.rows_of("rows.csv")
        table = [[0, 0, 0], [0, 0, 0]]
        for fold in ["1", "2", "3"]:
            inside = [to == fold for _, to in dealt]
            self.plant("rest.csv", [header] + [row for row, has in zip(rows, inside) if not has])
            self.plant("test.csv", [header] + [row for row, has in zip(rows, inside) if has])
            best = self.tune(*GRID, "-v", "3", data="rest.csv")["best"]
            chosen = report["nested"]["chosen"][int(fold) - 1]
            self.assertEqual((best["C"], best["gamma"]), (chosen["C"], chosen["gamma"]))
            found = self.run_json("evaluate", "tuned.json", "test.csv")["table"]
            table = [[a + b for a, b in zip(*pair)] for pair in zip(table, found)]
        (nn, nr, np), (pn, pr, pp) = table
        self.assertAlmostEqual(report["nested"]["risk"], (np + pn + 0.2 * (nr + pr)) / 60)
        self.assertAlmostEqual(report["nested"]["rejection_rate"], (nr + pr) / 60)
        self.assertAlmostEqual(report["nested"]["accepted_accuracy"], (nn + pp) / (60 - nr - pr))

    def test_text_names_the_choice_and_the_file(self):
        text = self.run_well("tune", "data.csv", "-o", "tuned.json", *GRID, "-v", "3", "--nested")
        for words in ["4 points, 1 x 3 folds. The best: C = ", "nested estimate", "wrote tuned.json"]:
            self.assertIn(words, text)
        done = self.try_run("tune", "data.csv", "-o", "tuned.json", *GRID, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class TrivialRules(Tune):
    def setUp(self):
        super().setUp()
        labels = random.Random(4)
        _, rows = self.rows_of("data.csv")
        self.plant("noise.csv", [["x1", "x2", "y"]]
                   + [[*row[:2], labels.choice("ab")] for row in rows])
        self.noise = ["tune", "noise.csv", "-o", "tuned.json", "-c", "100", "-g", "8", "--d", "0.05"]

    def test_that_are_better_are_warned_of(self):
        done = self.try_run(*self.noise, "--json")
        self.assertEqual(done.returncode, 0)
        report = json.loads(done.stdout)
        self.assertTrue(report["trivial_rule_is_better"])
        self.assertGreater(report["best"]["risk"]["mean"], report["reject_all"]["risk"])
        self.assertIn("at d = 0.05 these data do not support answering: rejecting every row costs "
                      "least", done.stderr)
        self.assertEqual(self.try_run(*self.noise, "--quiet").stderr, "")

    def test_that_are_no_better_are_not(self):
        report = self.tune("-c", "8", "-g", "2", "--d", "0.2")
        self.assertFalse(report["trivial_rule_is_better"])
        self.assertEqual(
            self.try_run("tune", "data.csv", "-o", "tuned.json", "-c", "8", "-g", "2", "--d",
                         "0.2").stderr, "")

    def test_a_method_that_rejects_everything_costs_no_more_than_that_rule(self):
        report = self.tune("-c", "0.01", "-g", "1", "--d", "0.2", "--repeats", "3", "-v", "3")
        self.assertEqual(report["best"]["rejection_rate"]["mean"], 1)
        self.assertFalse(report["trivial_rule_is_better"])


class Interrupted(Tune):
    LONG = ["tune", "data.csv", "-o", "tuned.json", "-c", "1,100,10000", "-g", "1,16", "-v", "3",
            "--nested", "--table", "grid.csv", "--json", "--threads", "1"]

    def lines(self):
        path = self.path("journal")
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def run_until(self, which, moment):
        """Starts it, and ends it a moment after a result has been kept; what it said if it was over
        by then."""
        known = max(self.lines(), 1)
        with subprocess.Popen([RAMPART, *self.LONG, "--journal", "journal"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
            deadline = time.monotonic() + LONGEST
            while self.lines() <= known and started.poll() is None:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.001)
            time.sleep(moment)
            started.send_signal(which)
            code = started.wait(LONGEST)
            if code == 0:
                return started.stdout.read()
            self.assertEqual(code, -which if which == signal.SIGKILL else 128 + which)
            return None

    def test_again_and_again_it_ends_with_the_same_bytes(self):
        self.generate("synthetic2", "data.csv", "-n", "250")
        report = self.run_well(*self.LONG)
        expected = (report.encode(), self.bytes_of("tuned.json"), self.bytes_of("grid.csv"))
        self.path("tuned.json").unlink()
        self.path("grid.csv").unlink()
        moments = random.Random(8)
        ended = []
        while not ended or ended[-1] is None:
            which = signal.SIGKILL if len(ended) % 2 == 0 else signal.SIGINT
            ended.append(self.run_until(which, moments.uniform(0, 0.1)))
            for name, whole in zip(["tuned.json", "grid.csv"], expected[1:]):
                if name in self.files():  # it came just too late: then the file is complete
                    self.assertEqual(self.bytes_of(name), whole)
        self.assertGreater(len(ended), 1, "it was over before it could be ended")
        found = (ended[-1], self.bytes_of("tuned.json"), self.bytes_of("grid.csv"))
        self.assertEqual(found, expected)
        self.assertEqual(self.lines(), 1 + 6 * 3 * 4)  # every training was kept once

    def test_it_leaves_the_journal_and_nothing_else(self):
        self.generate("synthetic1", "data.csv", "-n", "3000")
        before = self.files()
        self.assertIsNone(self.run_until(signal.SIGINT, 0))
        self.assertEqual(self.files(), [*before, "journal"])


class Journal(Tune):
    def setUp(self):
        super().setUp()
        self.options = [*GRID, "-v", "3"]
        self.report = self.tune(*self.options, "--journal", "journal")
        self.whole = self.bytes_of("journal")
        self.model = self.bytes_of("tuned.json")
        self.path("tuned.json").unlink()

    def refuse(self, code, words, *options, journal="journal"):
        before = self.files()
        kept = self.bytes_of(journal) if self.path(journal).is_file() else None
        with self.subTest(words=words, options=options):
            self.assert_refused(self.try_run("tune", "data.csv", "-o", "tuned.json", "--journal",
                                             journal, *(options or self.options)), code, *words)
            self.assertEqual(self.files(), before)
            if kept is not None:
                self.assertEqual(self.bytes_of(journal), kept)

    def test_that_is_complete_needs_no_training(self):
        done = self.try_run("tune", "data.csv", "-o", "tuned.json", *self.options, "--json",
                            "--journal", "journal", "--threads", "1", "--cache-mb", "0")
        self.assertIn("rampart: journal: 12 trainings are there already\n", done.stderr)
        self.assertEqual(json.loads(done.stdout), self.report)
        self.assertEqual(self.bytes_of("tuned.json"), self.model)
        self.assertEqual(self.bytes_of("journal"), self.whole)

    def test_cut_short_anywhere_goes_on(self):
        cuts = [0, 1, 30, self.whole.index(b"\n"), self.whole.index(b"\n") + 1,
                len(self.whole) // 2, len(self.whole) - 1, len(self.whole) - 40]
        for cut in cuts:
            with self.subTest(cut=cut):
                self.plant("journal", self.whole[:cut])
                self.assertEqual(self.tune(*self.options, "--journal", "journal", "--threads", "1"),
                                 self.report)
                self.assertEqual(self.bytes_of("tuned.json"), self.model)
                self.assertEqual(sorted(self.bytes_of("journal").split(b"\n")),
                                 sorted(self.whole.split(b"\n")))

    def test_whose_last_line_is_garbage_without_an_end_goes_on(self):
        self.plant("journal", self.whole + b'{"part":0,"met')
        self.assertEqual(self.tune(*self.options, "--journal", "journal"), self.report)
        self.assertEqual(self.bytes_of("journal"), self.whole)

    def test_that_is_a_pipe_is_refused_at_once(self):
        os.mkfifo(self.path("pipe"))
        self.refuse(1, ["pipe: a journal has to be an ordinary file"], journal="pipe")

    def test_of_another_run_is_refused(self):
        others = [["-c", "0.5,9", *GRID[2:], "-v", "3"], [*GRID, "-v", "4"],
                  [*self.options, "--seed", "2"], [*self.options, "--repeats", "2"],
                  [*self.options, "--d", "0.3"], [*self.options, "--nested"],
                  [*self.options, "--scale", "minmax"], [*self.options, "-e", "1e-4"],
                  [*self.options, "--loss", "double-hinge"], [*self.options, "--stratify", "no"],
                  [*self.options, "--mu", "0.5"], [*self.options, "--positive", "-1"],
                  [*self.options, "--kernel", "polynomial"], [*self.options, "--band-folds", "3"],
                  [*self.options, "--class-weight", "1=2"], [*self.options, "--max-rounds", "9"],
                  [*self.options, "--training-cost", "0.3"], [*self.options, "--groups", "x1"],
                  [*self.options, "--degree", "2"], [*self.options, "--coef0", "1"],
                  [*self.options, "--precision", "single"], [*self.options, "--max-steps", "999999"],
                  [*self.options, "--max-seconds", "999"],
                  [*self.options, "--costs", "1,3,0.3,0.2"], [*self.options, "--weight", "x2"]]
        for options in others:
            self.refuse(1, ["journal: the journal of another run (other data, options or version)"],
                        *options)

    def test_of_another_version_is_refused(self):
        first, _, rest = self.whole.partition(b"\n")
        older = {**json.loads(first), "version": 2}
        self.plant("journal", json.dumps(older).encode() + b"\n" + rest)
        self.refuse(1, ["journal: the journal of another run (other data, options or version)"])

    def test_of_other_data_is_refused(self):
        header, rows = self.rows_of("data.csv")
        original = self.bytes_of("data.csv")
        changed = [[*row] for row in rows]
        changed[7][0] = "0.123456"
        swapped = [rows[1], rows[0], *rows[2:]]
        wider = [[*row[:2], "0", row[2]] for row in rows]  # the same but for p, which auto looks at
        for name, top, body in [("changed", header, changed), ("swapped", header, swapped),
                                ("fewer", header, rows[:-1]),
                                ("wider", ["x1", "x2", "x3", header[2]], wider)]:
            with self.subTest(name):
                self.plant("data.csv", [top, *body])
                self.refuse(1, ["journal: the journal of another run"])
        self.plant("data.csv", original)
        self.assertEqual(self.tune(*self.options, "--journal", "journal"), self.report)

    def test_that_is_none_is_refused(self):
        lines = self.whole.split(b"\n")
        for name, content, words in [
                ("model.json", self.model, "model.json: not a journal of rampart"),
                ("text", b"precious", "text: not a journal of rampart"),
                ("lines", b"precious\nlines\n", "lines: not a journal of rampart"),
                ("binary", bytes(range(256)), "binary: not a journal of rampart"),
                ("json", b"{}\n", "json: not a journal of rampart"),
                ("list", b"[1]\n", "list: not a journal of rampart"),
                ("empty line", b"\n", "empty line: not a journal of rampart"),
                ("garbage", b"\n".join([*lines[:3], b"garbage", *lines[3:]]),
                 "garbage:4: not a line of a journal"),
                ("gap", b"\n".join([*lines[:2], b"", *lines[2:]]),
                 "gap:3: not a line of a journal"),
                ("missing", b"\n".join([lines[0], lines[1].replace(b'"rho"', b'"roh"'), b""]),
                 "missing:2: not a line of a journal"),
                ("type", b"\n".join([lines[0], lines[1].replace(b'"table":[', b'"table":["x",'),
                                     b""]), "type:2: not a line of a journal"),
                *[(key, b"\n".join([lines[0], lines[1].replace(f'"{key}":'.encode(),
                                                               f'"{key}":9'.encode()), b""]),
                   f"{key}:2: not a line of a journal")
                  for key in ["part", "method", "repeat", "fold"]]]:
            self.plant(name, content)
            self.refuse(1, [words], journal=name)

    def refuse_changed(self, key, value, *options):
        """A journal whose second line, of many, has another value there."""
        head, first, *others = self.bytes_of("journal").splitlines()
        line = {**json.loads(first), key: "HERE"}
        text = json.dumps(line).replace('"HERE"', value if isinstance(value, str)
                                        else json.dumps(value))
        self.plant("changed", b"\n".join([head, text.encode(), *others, b""]))
        self.refuse(1, [f"changed:2: not a line of a journal: '{key}' is impossible; remove the "
                        "file to begin anew"], *options, journal="changed")

    def test_that_tells_of_impossible_numbers_is_refused(self):
        line = json.loads(self.whole.splitlines()[1])
        for key in ["table", "without_band"]:
            (a, b, c), (d, e, f) = line[key]
            for table in [[[a, b, c + 1], [d, e, f]], [[a, b, c], [d + 1, e, f]],
                          [[a - 1, b, c], [d + 1, e, f]],  # a row of one class is none of the other
                          [[-1, b, c + a + 1], [d, e, f]], [[2**63, b, c], [d, e, f]],
                          [[2**64 - 1, b, c + a + 1], [d, e, f]], [[2**64 + a, b, c], [d, e, f]],
                          [[float(a), b, c], [d, e, f]], [[0, 0, 0], [0, 0, 0]], [[a, b, c]],
                          [[a, b], [d, e, f]], [a, b, c, d, e, f], None, {}, 30]:
                self.refuse_changed(key, table)
        for key in ["part", "method", "repeat", "fold", "training_rows", "rounds",
                    "support_vectors"]:
            for value in [-1, 2**31, 2**63, 2**64 - 1, 0.5, True, None, [1]]:
                self.refuse_changed(key, value)
        self.refuse_changed("training_rows", line["training_rows"] - 1)
        self.refuse_changed("support_vectors", line["training_rows"] + 1)
        self.refuse_changed("rounds", 101)  # --max-rounds is 100
        for key, values in [("aurc", [-0.1, 1.1]), ("rho", [-1]), ("b", []), ("objective", [])]:
            for value in [*values, "null", '"1"', "true"]:
                self.refuse_changed(key, value)
        self.refuse_changed("status", '"done"')
        self.refuse_changed("status", 1)

    def test_that_tells_of_a_training_twice_is_refused(self):
        line = self.whole.splitlines()[3]
        self.plant("twice", self.whole + line + b"\n")
        self.refuse(1, ["twice:14: not a line of a journal: the training is listed "
                        "before"], journal="twice")

    def test_of_a_nested_choice_counts_the_rows_of_its_outer_folds(self):
        options = [*self.options, "--nested"]
        self.path("journal").unlink()
        report = self.tune(*options, "--journal", "journal")
        self.assertEqual(self.tune(*options, "--journal", "journal"), report)
        self.path("tuned.json").unlink()
        lines = [json.loads(line) for line in self.bytes_of("journal").splitlines()[1:]]
        whole = next(line for line in lines if line["part"] == 0)
        self.refuse_changed("table", whole["table"], *options)
        self.refuse_changed("training_rows", whole["training_rows"], *options)

    def test_that_is_a_folder_or_nowhere_is_refused(self):
        self.path("folder").mkdir()
        self.refuse(1, ["folder: Is a directory"], journal="folder")
        self.refuse(1, ["nowhere/journal: No such file"], journal="nowhere/journal")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_that_cannot_be_read_or_written_is_refused(self):
        for mode in [0o000, 0o400, 0o200]:
            self.path("journal").chmod(mode)
            done = self.try_run("tune", "data.csv", "-o", "tuned.json", *self.options, "--journal",
                                "journal")
            self.assert_refused(done, 1, "journal: Permission denied")
            self.path("journal").chmod(0o600)
            self.assertEqual(self.bytes_of("journal"), self.whole)

    def test_that_another_run_is_writing_to_is_refused(self):
        with open(self.path("journal"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refuse(1, ["journal: another run is writing to this journal"])

    def test_of_a_device_that_is_full_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        done = self.try_run("tune", "data.csv", "-o", "tuned.json", *self.options, "--journal",
                            "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertNotIn("tuned.json", self.files())


class BadUse(Tune):
    def setUp(self):
        super().setUp()
        self.before = self.files()

    def refuse(self, code, words, *options, output="tuned.json"):
        with self.subTest(options=options):
            self.assert_refused(self.try_run("tune", "data.csv", "-o", output, *options), code,
                                *words)
            self.assertEqual(self.files(), self.before)

    def test_grids_of_powers(self):
        for option in ["--log2c", "--log2g"]:
            for text, words in [("5,1,2", "steps of 2 do not lead from 5 to 1"),
                                ("1,5,-2", "steps of -2 do not lead from 1 to 5"),
                                ("1,5,0", "the step must not be 0"),
                                ("1,1,0", "the step must not be 0"),
                                ("0,1e9,1", "more than 1000 numbers"),
                                ("nan,1,1", "nan is no number to count with"),
                                ("1,2,inf", "inf is no number to count with"),
                                ("1,2", "must be BEGIN,END,STEP"),
                                ("1,2,3,4", "must be BEGIN,END,STEP"),
                                ("1,2,", "must be BEGIN,END,STEP"),
                                ("1,2,x", "must be BEGIN,END,STEP"),
                                ("", "must be BEGIN,END,STEP")]:
                self.refuse(2, [f"{option} {text}: {words}"], option, text)
        self.refuse(2, ["C = inf: must be > 0 and finite"], "--log2c", "0,2000,1000")
        self.refuse(2, ["gamma = 0: must be > 0"], "--log2g", "0,-2000,-2000")

    def test_grids_of_numbers(self):
        for option in ["-c", "-g", "--mu", "--training-cost"]:
            for text, words in [(",", "'' must be a number"), ("", "'' must be a number"),
                                ("1,,2", "'' must be a number"), ("1:2", "'1:2' must be a number"),
                                ("1,x", "'x' must be a number"),
                                ("0.5:0.1:0.1", "steps of 0.1 do not lead from 0.5 to 0.1"),
                                ("0:1e9:1", "more than 1000 numbers"),
                                ("0:600:1,0:600:1", "more than 1000 numbers")]:
                self.refuse(2, [f"{option} {text}: {words}"], option, text)
        for value in ["0", "-1", "nan", "inf"]:
            self.refuse(2, [f"C = {value}: must be > 0 and finite"], "-c", f"1,{value}")
            self.refuse(2, [f"gamma = {value}: must be > 0 and finite"], "-g", f"1,{value}")
        for value in ["0", "1.5", "nan"]:
            self.refuse(2, [f"mu = {value}: must be greater than 0 and at most 1"], "--mu", value)
        self.refuse(2, ["reject cost d = 0.6: must be"], "--training-cost", "0.1,0.6")
        self.refuse(2, ["-g scale,2: 'scale' must be a number"], "-g", "scale,2")

    def test_grids_that_do_not_fit(self):
        self.refuse(2, ["training costs", "hinge loss knows no costs"], "--loss", "hinge",
                    "--training-cost", "0.1")
        self.refuse(2, ["training costs", "not a table of costs"], "--costs", "1,3,0.3,0.2",
                    "--training-cost", "0.1")
        self.refuse(2, ["gamma", "linear"], "--kernel", "linear", "-g", "1,2")
        self.refuse(2, ["mu", "only the double ramp has one"], "--loss", "hinge", "--mu", "0.5")
        self.refuse(2, ["excludes --log2c"], "-c", "1", "--log2c", "1,3,2")
        self.refuse(2, ["excludes --log2g"], "-g", "1", "--log2g", "1,3,2")

    def test_folds(self):
        for folds in ["0", "1"]:
            self.refuse(2, [f"folds = {folds}: must be at least 2"], "-v", folds)
        self.refuse(2, ["folds = 40: the smaller class has only"], "-v", "40")
        self.refuse(2, ["band folds = 1: must be 0 or at least 2"], "--band-folds", "1")
        self.refuse(2, ["reject cost d = 0.6"], "--d", "0.6")

    def test_nested_folds_are_refused_before_any_work(self):
        _, rows = self.rows_of("data.csv")
        self.plant("rare.csv", [["x1", "x2", "y"]] + [[*row[:2], int(n < 3)]
                                                      for n, row in enumerate(rows)])
        done = self.try_run("tune", "rare.csv", "-o", "tuned.json", "-v", "3", "--nested",
                            "--journal", "journal")
        self.assert_refused(done, 2, "nested, without fold 1: folds = 3: the smaller class has "
                                     "only 2 rows")
        self.assertEqual(self.bytes_of("journal").count(b"\n"), 1)

    def test_files(self):
        self.refuse(2, ["output data.csv: is an input too"], output="data.csv")
        for option in ["--table", "--journal"]:
            self.refuse(2, ["output data.csv: is an input too"], option, "data.csv")
            self.refuse(2, ["output tuned.json: is named twice"], option, "./tuned.json")
            self.refuse(2, [f"{option} -: has to be a file"], option, "-")
            self.refuse(1, ["nowhere/x"], option, "nowhere/x")
        self.refuse(2, ["output x: is named twice"], "--table", "x", "--journal", "x")
        self.refuse(1, ["nowhere/tuned.json"], output="nowhere/tuned.json")
        self.refuse(2, ["--json", "standard output"], "--json", output="-")


if __name__ == "__main__":
    unittest.main()
