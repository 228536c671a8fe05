#!/usr/bin/env python3
"""Cross-validation: its numbers are those of train and evaluate on the same rows."""

import csv
import json
import os
import pty
import select
import statistics
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest, facts_of

TABLE = ["negative_negative", "negative_reject", "negative_positive",
         "positive_negative", "positive_reject", "positive_positive"]


class Cv(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv", "-n", "60")

    def dicts(self, name):
        return list(csv.DictReader(self.path(name).read_text(encoding="utf-8").splitlines()))


class Output(Cv):
    def test_json_has_what_others_rely_on(self):
        result = self.run_json("cv", "data.csv", "-v", "3", "--repeats", "2", "--loss",
                               "double-ramp,hinge", "--d", "0.2,0.3")
        self.assertEqual([result[key] for key in ["rows", "features", "folds", "repeats", "seed"]],
                         [60, 2, 3, 2, 1])
        self.assertEqual([(one["loss"], one["reject_cost"]) for one in result["results"]],
                         [("double-ramp", 0.2), ("double-ramp", 0.3), ("hinge", 0.2),
                          ("hinge", 0.3)])
        for one in result["results"]:
            for key in ["risk", "rejection_rate", "accepted_accuracy", "never_reject", "aurc"]:
                self.assertEqual(list(one[key]), ["mean", "sd"])
                self.assertGreaterEqual(one[key]["sd"], 0)
            self.assertAlmostEqual(one["reject_all"]["risk"], one["reject_cost"])

    def test_a_range_of_reject_costs_has_the_numbers_one_would_write(self):
        result = self.run_json("cv", "data.csv", "-v", "2", "--repeats", "1", "--reject-cost",
                               "0.05:0.5:0.05", "--kernel", "linear")
        self.assertEqual([one["reject_cost"] for one in result["results"]],
                         [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5])

    def test_a_single_repetition_has_no_deviation_and_no_answer_no_accuracy(self):
        [one] = self.run_json("cv", "data.csv", "-v", "2", "--repeats", "1", "--d", "0.01", "-c",
                              "0.01")["results"]
        self.assertEqual(one["rejection_rate"], {"mean": 1, "sd": None})
        self.assertEqual(one["accepted_accuracy"], {"mean": None, "sd": None})
        self.assertEqual(one["risk"], {"mean": one["reject_all"]["risk"], "sd": None})

    def test_the_csv_of_folds_agrees_with_the_json(self):
        result = self.run_json("cv", "data.csv", "-v", "3", "--repeats", "4", "--loss",
                               "double-ramp,hinge", "--d", "0.2,0.4", "-o", "folds.csv")
        lines = self.dicts("folds.csv")
        self.assertEqual(len(lines), 4 * 4 * 3)
        for one in result["results"]:
            mine = [line for line in lines if line["loss"] == one["loss"]
                    and float(line["reject_cost"]) == one["reject_cost"]]
            risks, rejected, right = [], [], []
            for repeat in range(1, 5):
                folds = [line for line in mine if int(line["repeat"]) == repeat]
                self.assertEqual([int(line["fold"]) for line in folds], [1, 2, 3])
                nn, nr, np, pn, pr, pp = (sum(int(line[cell]) for line in folds) for cell in TABLE)
                self.assertEqual(nn + nr + np + pn + pr + pp, 60)
                risks.append((np + pn + one["reject_cost"] * (nr + pr)) / 60)
                rejected.append((nr + pr) / 60)
                right.append((nn + pp) / (60 - nr - pr))
                for line in folds:
                    self.assertEqual(int(line["rows"]) + int(line["training_rows"]), 60)
                    self.assertEqual(int(line["rows"]), sum(int(line[cell]) for cell in TABLE))
            for key, values in [("risk", risks), ("rejection_rate", rejected),
                                ("accepted_accuracy", right)]:
                self.assertAlmostEqual(one[key]["mean"], statistics.mean(values), delta=1e-12)
                self.assertAlmostEqual(one[key]["sd"], statistics.stdev(values), delta=1e-12)

    def test_text_has_a_line_for_every_reject_cost(self):
        text = self.run_well("cv", "data.csv", "-v", "3", "--repeats", "2", "--d", "0.1,0.3",
                             "--loss", "double-ramp,hinge")
        self.assertTrue(text.startswith("60 rows x 2 features; label column"), text)
        self.assertIn("\n2 x 3 folds, seed 1\n", text)
        for words in ["\ndouble-ramp\n", "\nhinge, band chosen on 5 inner folds\n"]:
            self.assertIn(words, text)
        self.assertEqual(text.count("\n   0.1  "), 2)
        self.assertEqual(text.count("\n   0.3  "), 2)

    def test_quiet_has_no_notes(self):
        slow = ["cv", "data.csv", "-v", "2", "--repeats", "1", "-c", "100", "--max-rounds", "1"]
        self.assertIn("2 of 2 trainings did not converge", self.try_run(*slow).stderr)
        done = self.try_run(*slow, "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("double-ramp", done.stdout)

    def test_threads_change_nothing(self):
        seen = set()
        for threads in ["1", "2"]:
            text = self.run_well("cv", "data.csv", "-v", "4", "--repeats", "2", "--loss",
                                 "double-ramp,hinge", "-g", "1", "--threads", threads, "-o",
                                 "folds.csv", "--assignments", "rows.csv", "--json")
            seen.add((text, self.path("folds.csv").read_bytes(),
                      self.path("rows.csv").read_bytes()))
        self.assertEqual(len(seen), 1)

    def test_the_data_may_come_from_a_pipe(self):
        options = ["-v", "3", "--repeats", "1", "--json"]
        self.assertEqual(
            self.run_well("cv", "-", *options, stdin=self.path("data.csv").read_bytes()),
            self.run_well("cv", "data.csv", *options))


class Folds(Cv):
    """Rows of a fold, written to files of their own, give train and evaluate the same numbers."""

    def assert_folds_are_trainings(self, data, *options):
        self.run_well("cv", data, "-v", "4", "--repeats", "2", "-o", "folds.csv", "--assignments",
                      "rows.csv", *options)
        lines = self.path(data).read_text(encoding="utf-8").splitlines(keepends=True)
        header = lines.pop(0) if data.endswith(".csv") else ""
        for repeat, fold in [(1, 2), (2, 4)]:
            inside = [int(row[f"repeat_{repeat}"]) == fold for row in self.dicts("rows.csv")]
            self.assertEqual(len(inside), len(lines))
            for name, which in [("training_" + data, False), ("test_" + data, True)]:
                self.plant(name, header + "".join(line for line, has in zip(lines, inside)
                                                  if has == which))
            model = facts_of(self.train("training_" + data, *options))
            found = self.run_json("evaluate", "model.json", "test_" + data)
            [line] = [line for line in self.dicts("folds.csv")
                      if (int(line["repeat"]), int(line["fold"])) == (repeat, fold)]
            for key in ["b", "rho"]:
                self.assertEqual(float(line[key]), model[key])
            self.assertEqual(float(line["objective"]), model["training"]["objective"])
            self.assertEqual(int(line["rounds"]), model["training"]["rounds"])
            self.assertEqual(int(line["training_rows"]), model["training"]["rows"])
            self.assertEqual([int(line[cell]) for cell in TABLE],
                             found["table"][0] + found["table"][1])
            self.assertEqual(int(line["rows"]), found["rows"])
            for key in ["risk", "rejection_rate", "aurc"]:
                self.assertEqual(float(line[key]), found[key])
            self.assertEqual(line["accepted_accuracy"],
                             "" if found["accepted_accuracy"] is None
                             else repr(found["accepted_accuracy"]).removesuffix(".0"))
            self.assertEqual(float(line["never_reject_risk"]), found["never_reject"]["risk"])

    def test_of_an_rbf_kernel(self):
        self.assert_folds_are_trainings("data.csv", "-c", "4", "-g", "2", "--d", "0.3")

    def test_of_a_linear_kernel_and_scaled_features(self):
        self.assert_folds_are_trainings("data.csv", "--kernel", "linear", "--scale", "minmax",
                                        "-c", "10")

    def test_of_a_support_vector_machine_with_a_band(self):
        self.assert_folds_are_trainings("data.csv", "--loss", "hinge", "-c", "4", "-g", "1",
                                        "--d", "0.3", "--band-folds", "3")

    def test_of_sparse_rows(self):
        self.generate("synthetic1", "data.svm", "-n", "60")
        self.assert_folds_are_trainings("data.svm", "-c", "4", "--class-weight", "1=2")

    def test_of_a_table_of_costs(self):
        self.assert_folds_are_trainings("data.csv", "-c", "4", "--costs", "1,3,0.3,0.2")

    def test_the_seed_and_nothing_else_deals_the_rows(self):
        def dealt(*options):
            self.run_well("cv", "data.csv", "-v", "3", "--repeats", "2", "--assignments",
                          "rows.csv", *options)
            return self.path("rows.csv").read_bytes()
        self.assertEqual(dealt(), dealt("--kernel", "linear", "-c", "3", "--d", "0.4"))
        self.assertNotEqual(dealt(), dealt("--seed", "2"))
        self.assertNotEqual(dealt(), dealt("--stratify", "no"))


class Groups(Cv):
    def setUp(self):
        super().setUp()
        header, rows = self.rows_of("data.csv")
        self.names = [f"patient {n * n % 23}" for n in range(len(rows))]
        self.plant("grouped.csv", [["patient", *header]]
                   + [[name, *row] for name, row in zip(self.names, rows)])
        self.plant("groups.txt", "\n".join(self.names) + "\n")

    def test_are_never_split(self):
        self.run_well("cv", "data.csv", "--groups", "groups.txt", "-v", "4", "--repeats", "3",
                      "--assignments", "rows.csv")
        for repeat in ["repeat_1", "repeat_2", "repeat_3"]:
            folds_of = {}
            for name, row in zip(self.names, self.dicts("rows.csv")):
                folds_of.setdefault(name, set()).add(row[repeat])
            self.assertEqual({len(folds) for folds in folds_of.values()}, {1})
            self.assertEqual(set.union(*folds_of.values()), {"1", "2", "3", "4"})

    def test_of_a_column_are_those_of_a_file_and_no_feature(self):
        options = ["-v", "4", "--repeats", "2", "--kernel", "linear", "--json"]
        by_file = self.run_well("cv", "data.csv", "--groups", "groups.txt", *options)
        by_column = self.run_well("cv", "grouped.csv", "--groups", "patient", *options)
        self.assertEqual(by_column, by_file)
        self.assertEqual(json.loads(by_column)["features"], 2)
        self.assertTrue(json.loads(by_column)["grouped"])
        self.assertNotEqual(by_file, self.run_well("cv", "data.csv", *options))

    def test_are_named_in_the_text(self):
        self.assertIn(", by groups\n", self.run_well("cv", "data.csv", "--groups", "groups.txt",
                                                     "-v", "4", "--repeats", "1"))


class BadUse(Cv):
    def setUp(self):
        super().setUp()
        self.before = self.files()

    def refuse(self, code, words, *options, command=("cv", "data.csv")):
        with self.subTest(options=options):
            self.assert_refused(self.try_run(*command, *options), code, *words)
            self.assertEqual(self.files(), self.before)

    def test_folds(self):
        for folds in ["0", "1"]:
            self.refuse(2, [f"folds = {folds}: must be at least 2"], "-v", folds)
        positives = sum(row[-1] == "1" for row in self.rows_of("data.csv")[1])
        smaller = min(positives, 60 - positives)
        self.refuse(2, [f"folds = {smaller + 1}", f"smaller class has only {smaller} rows"],
                    "-v", str(smaller + 1))
        self.refuse(2, ["folds = 61: there are only 60 rows"], "-v", "61", "--stratify", "no")
        self.refuse(2, ["repeats = 0: must be at least 1"], "--repeats", "0")
        self.refuse(2, ["'-1'", "whole number"], "--folds=-1")
        self.refuse(2, ["'x'", "whole number"], "--seed", "x")
        self.refuse(2, ["--stratify", "maybe"], "--stratify", "maybe")

    def test_groups(self):
        self.plant("short.txt", "a\n" * 59)
        self.plant("empty.txt", "a\n" * 20 + "\n" + "a\n" * 39)
        self.plant("two.txt", "a\nb\n" * 30)
        self.plant("none.txt", "")
        self.before = self.files()
        self.refuse(1, ["short.txt: 59 groups for the 60 rows of data.csv"],
                    "--groups", "short.txt")
        self.refuse(1, ["none.txt: 0 groups"], "--groups", "none.txt")
        self.refuse(1, ["empty.txt:21: an empty line"], "--groups", "empty.txt")
        self.refuse(2, ["folds = 3: there are only 2 groups"], "--groups", "two.txt", "-v", "3")
        self.refuse(1, ["data.csv: no column 'patient'", "x1"], "--groups", "patient")

    def test_groups_of_the_wrong_file(self):
        self.generate("synthetic1", "data.svm", "-n", "30")
        self.plant("gap.csv", "who,x,y\na,1,0\n,2,1\n")
        self.before = self.files()
        self.refuse(1, ["data.svm", "a column of groups is for CSV files", "(--groups)"], "--groups", "who",
                    command=("cv", "data.svm"))
        self.refuse(1, ["gap.csv:3: no group"], "--groups", "who", command=("cv", "gap.csv"))

    def test_reject_costs(self):
        for text, words in [("0.5:0.1:0.1", "steps of 0.1 do not lead from 0.5 to 0.1"),
                            ("0.1:0.5:0", "the step must not be 0"),
                            ("0:0.5:1e-9", "more than 1000 numbers"),
                            ("0.1:1e9:0.1", "more than 1000 numbers"),
                            ("nan:0.5:0.1", "nan is no number to count with"),
                            ("0.1:0.5:inf", "inf is no number to count with"),
                            ("0.1:0.5", "'0.1:0.5' must be a number"),
                            ("0.1,", "'' must be a number"),
                            ("x", "'x' must be a number")]:
            self.refuse(2, [f"--reject-cost {text}: {words}"], "--reject-cost", text)
        for text, value in [("0.6", "0.6"), ("nan", "nan"), ("0", "0"), ("0.1,0.7", "0.7"),
                            ("-0.1", "-0.1"), ("inf", "inf")]:
            self.refuse(2, [f"reject cost d = {value}: must be greater than 0 and at most 0.5"],
                        f"--reject-cost={text}")

    def test_methods(self):
        self.refuse(2, ["--loss", "'foo' is not one of"], "--loss", "hinge,foo")
        self.refuse(2, ["--loss", "'hinge' is named twice"], "--loss", "hinge,hinge")
        self.refuse(2, ["band folds = 1: must be 0 or at least 2"], "--band-folds", "1")
        self.refuse(2, ["reject cost d = 0.1: is named twice"], "--d", "0.1,0.2,0.1")
        self.refuse(2, ["mu = 0: must be greater than 0 and at most 1"], "--mu", "0")
        self.refuse(2, ["only the double ramp loss takes a table"], "--loss", "double-hinge",
                    "--costs", "1,5,0.2,0.2")

    def test_files(self):
        self.refuse(2, ["output data.csv: is an input too"], "-o", "data.csv")
        self.refuse(2, ["output ./data.csv: is an input too"], "--assignments", "./data.csv")
        self.refuse(2, ["output out.csv: is named twice"], "-o", "out.csv", "--assignments",
                    "./out.csv")
        self.refuse(2, ["have to be files"], "-o", "-")
        self.refuse(1, ["nowhere/out.csv"], "-o", "nowhere/out.csv")
        self.refuse(1, ["nothing.csv"], command=("cv", "nothing.csv"))
        self.plant("groups.txt", "a\nb\nc\n" * 20)
        self.before = self.files()
        self.refuse(2, ["output groups.txt: is an input too"], "--groups", "groups.txt", "-v", "3",
                    "-o", "groups.txt")

    def test_a_fold_that_leaves_one_class_only(self):
        _, rows = self.rows_of("data.csv")
        self.plant("split.csv", [["who", "x", "y"]] + [[n % 6, row[0], "yes" if n % 6 == 0 else "no"]
                                                       for n, row in enumerate(rows)])
        self.before = self.files()
        self.refuse(1, ["split.csv: training without fold", "no row of class yes"], "--groups",
                    "who", "-v", "3", "--threads", "1", command=("cv", "split.csv"))


class Progress(CommandTest):
    def test_a_terminal_shows_a_bar_with_the_time_left(self):
        self.generate("synthetic1", "data.svm", "-n", "1500")
        try:
            reader, writer = pty.openpty()
        except OSError as none:  # a bare chroot has no /dev/pts
            self.skipTest(str(none))
        with subprocess.Popen([RAMPART, "cv", "data.svm", "-c", "100", "-g", "1", "--repeats",
                               "1000"], cwd=self.folder, env={**os.environ, "TERM": "xterm"},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=writer) as started:
            os.close(writer)
            seen = b""
            end = time.monotonic() + LONGEST
            while time.monotonic() < end and b" left" not in seen:
                if select.select([reader], [], [], 0.1)[0]:
                    seen += os.read(reader, 65536)
            self.assertIsNone(started.poll(), "it is over too soon to show progress")
            started.terminate()
            self.assertEqual(started.wait(), 143)
        os.close(reader)
        self.assertRegex(seen.decode(), r"\r\x1b\[Ktrainings \[#*\.*\] \d+ of 10000, \d+ (s|min) left")
        self.assertNotIn(b"\n", seen)


class Journal(CommandTest):
    """What was found is kept, and the run goes on from there."""

    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv", "-n", "60")
        self.cv = ["cv", "data.csv", "-c", "4", "--d", "0.1,0.3", "-v", "3", "--repeats", "2", "-o",
                   "folds.csv", "--json"]

    def test_cut_short_anywhere_gives_the_same_bytes(self):
        expected = self.run_well(*self.cv), self.path("folds.csv").read_bytes()
        self.run_well(*self.cv, "--journal", "journal")
        whole = self.path("journal").read_bytes().splitlines(keepends=True)
        self.assertEqual(len(whole), 1 + 2 * 3 * 2)
        for kept in range(len(whole)):
            with self.subTest(kept=kept):
                self.plant("journal", b"".join(whole[:kept]))
                done = self.try_run(*self.cv, "--journal", "journal")
                self.assertEqual((done.stdout, self.path("folds.csv").read_bytes()), expected)
                self.assertEqual(done.stderr, "" if kept < 2 else
                                 f"rampart: journal: {kept - 1} trainings are there already\n")
                self.assertEqual(sorted(self.path("journal").read_bytes().splitlines(keepends=True)),
                                 sorted(whole))

    def test_of_another_run_is_refused(self):
        self.run_well(*self.cv, "--journal", "journal")
        self.assert_refused(self.try_run(*self.cv, "--journal", "journal", "--seed", "2"), 1,
                            "journal: the journal of another run")
        self.assert_refused(self.try_run(*self.cv, "--journal", "folds.csv"), 2, "named twice")
        self.assert_refused(self.try_run(*self.cv, "--journal", "-"), 2, "have to be files")


if __name__ == "__main__":
    unittest.main()
