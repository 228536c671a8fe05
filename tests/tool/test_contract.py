#!/usr/bin/env python3
"""What scripts rely on: exit codes, the two streams, JSON, `-`, and the letters of LIBSVM."""

import csv
import gzip
import json
import os
import subprocess
import unittest

from rampart_command import RAMPART, CommandTest, facts_of

COMMANDS = ["train", "predict", "evaluate", "cv", "tune", "inspect", "report", "generate", "reproduce",
            "convert"]


class ExitCodes(CommandTest):
    def test_done_is_0(self):
        self.generate("square", "data.csv")
        self.assertEqual(self.try_run("train", "data.csv", "-o", "model.json").returncode, 0)
        self.assertEqual(self.try_run("--version").returncode, 0)

    def test_bad_input_is_1(self):
        self.assert_refused(self.try_run("train", "none.csv", "-o", "model.json"), 1, "none.csv")

    def test_wrong_usage_is_2(self):
        for arguments in [[], ["fly"], ["train"], ["train", "a.csv"], ["train", "a.csv", "--none"],
                          ["generate", "circle"], ["predict", "model.json"]]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 2, "--help")

    def test_not_converged_is_a_warning_and_with_strict_3_and_no_model(self):
        self.generate("square", "data.csv")
        short = ["train", "data.csv", "-o", "model.json", "--max-steps", "1"]
        self.assert_refused(self.try_run(*short, "--strict"), 3, "did not converge")
        self.assertEqual(self.files(), ["data.csv"])
        done = self.try_run(*short)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("did not converge", done.stderr)
        model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        self.assertEqual(facts_of(model)["training"]["status"], "step limit")


    def test_the_help_names_the_codes_of_interrupts(self):
        text = self.run_well("--help")
        for code in ["129", "130", "143"]:
            self.assertIn(code, text)


class Streams(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv")

    def test_results_go_to_standard_output_and_nothing_to_standard_error(self):
        for arguments in [["train", "data.csv", "-o", "m.json"],
                          ["predict", "model.json", "data.csv"],
                          ["evaluate", "model.json", "data.csv"], ["inspect", "model.json"],
                          ["generate", "square"], ["convert", "data.csv", "-"], ["--help"]]:
            with self.subTest(arguments=arguments):
                done = self.try_run(*arguments)
                self.assertEqual(done.returncode, 0)
                self.assertNotEqual(done.stdout, "")
                self.assertEqual(done.stderr, "")

    def test_quiet_silences_notes(self):
        self.plant("narrow.svm", "1 1:0.5\n-1 1:0.2\n")
        for arguments in [["train", "data.csv", "-o", "m.json", "--max-steps", "1"],
                          ["inspect", "model.json", "--points", "data.csv"],
                          ["predict", "model.json", "narrow.svm"]]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.try_run(*arguments).stderr.count("\n"), 1)
                self.assertEqual(self.try_run(*arguments, "--quiet").stderr, "")
                self.assertEqual(self.try_run(*arguments, "-q").stderr, "")

    def test_a_full_disk_is_an_error(self):
        for arguments in [["generate", "square"], ["predict", "model.json", "data.csv"]]:
            with self.subTest(arguments=arguments):
                done = self.try_run(*arguments, "-o", "/dev/full")
                self.assert_refused(done, 1, "/dev/full")

    def test_a_full_disk_behind_standard_output_is_an_error(self):
        for arguments in [["generate", "square"], ["evaluate", "model.json", "data.csv"],
                          ["--help"]]:
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([RAMPART, *arguments], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"rampart: standard output", done.stderr)

    def test_closed_streams_are_not_mistaken_for_files(self):
        for stream, code in [("<", 0), (">", 1), ("2>", 0)]:
            with self.subTest(stream=stream):
                shell = f'"$0" train data.csv -o closed.json --max-steps 1 {stream}&-'
                done = subprocess.run(["sh", "-c", shell, RAMPART], cwd=self.folder,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, code)
                model = json.loads(self.path("closed.json").read_text(encoding="utf-8"))
                self.assertEqual(model["format"], "rampart-model")

    def test_standard_input_is_read_once(self):
        for arguments in [["predict", "-", "-"], ["evaluate", "-", "-"],
                          ["inspect", "-", "--points", "-"],
                          ["train", "-", "--start", "-", "-o", "m.json"]]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 2, "standard input")

    def test_dash_is_standard_input(self):
        rows = self.path("data.csv").read_bytes()
        model = self.path("model.json").read_bytes()
        self.run_well("train", "-", "-o", "piped.json", stdin=rows)
        self.assertEqual(self.path("piped.json").read_bytes(), model)
        expected = self.run_well("predict", "model.json", "data.csv")
        self.assertEqual(self.run_well("predict", "model.json", "-", stdin=rows), expected)
        self.assertEqual(self.run_well("predict", "-", "data.csv", stdin=model), expected)
        self.assertEqual(self.run_well("predict", "model.json", "-", stdin=gzip.compress(rows)),
                         expected)
        self.assertEqual(self.run_well("evaluate", "model.json", "-", stdin=rows),
                         self.run_well("evaluate", "model.json", "data.csv"))
        self.assertEqual(self.run_well("inspect", "-", stdin=model),
                         self.run_well("inspect", "model.json"))
        self.assertEqual(self.run_well("convert", "-", "-", stdin=rows),
                         self.run_well("convert", "data.csv", "-"))

    def test_an_output_does_not_take_the_place_of_what_standard_input_is(self):
        os.link(self.path("data.csv"), self.path("other-name.csv"))
        self.plant("0.2.csv", self.path("data.csv").read_bytes())
        for source, *arguments in [
            ("data.csv", "train", "-", "-o", "data.csv"),
            ("0.2.csv", "train", "-", "-o", "{d}.csv", "--d", "0.1,0.2"),
            ("data.csv", "predict", "model.json", "-", "-o", "data.csv"),
            ("data.csv", "predict", "model.json", "-", "-o", "./other-name.csv"),
            ("model.json", "predict", "-", "data.csv", "-o", "model.json"),
            ("data.csv", "evaluate", "model.json", "-", "--curve", "data.csv"),
            ("data.csv", "inspect", "model.json", "--points", "-", "-o", "data.csv"),
            ("data.csv", "cv", "-", "-o", "data.csv"),
            ("data.csv", "cv", "-", "--assignments", "data.csv"),
            ("data.csv", "tune", "-", "-o", "data.csv"),
            ("data.csv", "tune", "-", "-o", "m.json", "--table", "data.csv"),
            ("data.csv", "tune", "-", "-o", "m.json", "--journal", "data.csv"),
            ("data.csv", "convert", "-", "data.csv"),
        ]:
            with self.subTest(arguments=arguments), open(self.path(source), "rb") as stdin:
                before = self.path(source).read_bytes()
                done = subprocess.run([RAMPART, *arguments], cwd=self.folder, stdin=stdin,
                                      capture_output=True, text=True, check=False)
                self.assert_refused(done, 2, "is an input too")
                self.assertEqual(self.path(source).read_bytes(), before)

    def test_dash_is_standard_output_and_holds_the_result_alone(self):
        self.assertEqual(self.run_well("train", "data.csv", "-o", "-"),
                         self.path("model.json").read_text(encoding="utf-8"))
        self.assertEqual(self.run_well("predict", "model.json", "data.csv", "-o", "-"),
                         self.run_well("predict", "model.json", "data.csv"))
        self.assertEqual(self.run_well("generate", "square", "--format", "csv"),
                         self.path("data.csv").read_text(encoding="utf-8"))

    def test_an_output_file_holds_what_standard_output_would(self):
        self.run_well("predict", "model.json", "data.csv", "-o", "out.csv")
        self.assertEqual(self.path("out.csv").read_text(encoding="utf-8"),
                         self.run_well("predict", "model.json", "data.csv"))
        self.run_well("inspect", "model.json", "--points", "data.csv", "-o", "out.csv")
        self.assertEqual(self.path("out.csv").read_text(encoding="utf-8"),
                         self.run_well("inspect", "model.json", "--points", "data.csv"))


class Json(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv", "--kernel", "linear")

    def assert_keys(self, json_object, keys):
        self.assertEqual(set(keys.split()) - set(json_object), set())

    def test_train(self):
        report = self.run_json("train", "data.csv", "-o", "m.json", "-c", "10")
        self.assert_keys(report, "objective rounds status b rho support_vectors gap history")
        self.assertEqual(report["status"], "converged")
        self.assertEqual(len(report["history"]), report["rounds"])
        self.assertEqual(report["history"][-1]["objective"], report["objective"])
        model = facts_of(json.loads(self.path("m.json").read_text(encoding="utf-8")))
        self.assertEqual(report["b"], model["b"])
        self.assertEqual(report["rho"], model["rho"])
        self.assertEqual(report["support_vectors"], len(model["coefficients"]))

    def test_evaluate_gives_rates_as_fractions(self):
        report = self.run_json("evaluate", "model.json", "data.csv")
        self.assert_keys(report, "rows risk rejection_rate accepted_accuracy aurc")
        self.assertEqual(report["rows"], 400)
        for rate in ["risk", "rejection_rate", "accepted_accuracy", "aurc"]:
            self.assertGreaterEqual(report[rate], 0)
            self.assertLessEqual(report[rate], 1)
        self.assertEqual(sum(map(sum, report["table"])), 400)

    def test_a_rate_that_does_not_exist_is_null(self):
        model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        model["surfaces"][0]["band"]["rho"] = 1e6
        self.plant("timid.json", json.dumps(model))
        report = self.run_json("evaluate", "timid.json", "data.csv")
        self.assertEqual(report["rejection_rate"], 1)
        self.assertIsNone(report["accepted_accuracy"])

    def test_predict(self):
        report = self.run_json("predict", "model.json", "data.csv")
        self.assert_keys(report, "rows rejected classes predictions scores")
        rows = self.predictions("model.json", "data.csv")
        self.assertEqual(report["predictions"], [row["prediction"] for row in rows])
        self.assertEqual(report["scores"], [float(row["score"]) for row in rows])
        self.assertEqual(report["answered"], sum(report["classes"].values()))
        self.assertEqual(report["answered"] + sum(report["rejected"].values()), report["rows"])

    def test_inspect_generate_and_convert(self):
        self.assertEqual(self.run_json("inspect", "model.json")["kernel"], "linear")
        self.assertEqual(self.run_json("generate", "square", "-o", "g.svm")["rows"], 400)
        converted = self.run_json("convert", "data.csv", "c.svm")
        self.assertEqual(converted["rows"], 400)
        self.assertEqual(converted["classes"], ["-1", "1"])

    def test_with_an_output_file_the_rows_are_in_the_file_and_the_object_on_standard_output(self):
        for arguments in [["predict", "model.json", "data.csv"],
                          ["inspect", "model.json", "--points", "data.csv"]]:
            with self.subTest(arguments=arguments):
                report = self.run_json(*arguments, "-o", "rows.csv", "-q")
                self.assertIsInstance(report, dict)
                self.assertEqual(self.path("rows.csv").read_text(encoding="utf-8"),
                                 self.run_well(*arguments))

    def test_does_not_share_standard_output_with_a_result(self):
        for arguments in [["train", "data.csv", "-o", "-"], ["generate", "square"],
                          ["convert", "data.csv", "-"]]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments, "--json"), 2, "json")


class Predictions(CommandTest):
    def test_have_a_header_and_the_labels_of_the_data(self):
        self.plant("data.csv", [["x", "y"]] + [[n, "high" if n > 5 else "low"] for n in range(10)])
        self.train("data.csv", "--kernel", "linear", "-c", "10", "--positive", "high")
        lines = self.run_well("predict", "model.json", "data.csv").splitlines()
        self.assertEqual(lines[0], "row,prediction,score,reason")
        self.assertEqual(len(lines), 11)
        self.assertTrue(lines[1].startswith("1,low,-"))
        self.assertTrue(lines[10].startswith("10,high,"))

    def test_the_answer_follows_from_the_score(self):
        self.generate("square", "data.csv")
        model = facts_of(self.train("data.csv", "-c", "10"))
        seen = set()
        for row in self.predictions("model.json", "data.csv"):
            score = float(row["score"])
            answer = "1" if score > model["rho"] else "-1" if score < -model["rho"] else "reject"
            self.assertEqual(row["prediction"], answer)
            seen.add(answer)
        self.assertEqual(seen, {"1", "-1", "reject"})

    def test_reject_label_renames_the_rejection_and_nothing_else(self):
        self.generate("square", "data.csv")
        self.train("data.csv", "-c", "10")
        plain = self.predictions("model.json", "data.csv")
        renamed = self.predictions("model.json", "data.csv", "--reject-label", "ask, please")
        for row in plain:
            if row["prediction"] == "reject":
                row["prediction"] = "ask, please"
        self.assertEqual(renamed, plain)

    def test_labels_with_commas_and_quotes_are_quoted(self):
        no, yes = "no, thanks", 'yes "sir"'
        rows = [[n, yes if n > 5 else no] for n in range(10)]
        with open(self.path("data.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["x", "y"], *rows])
        self.train("data.csv", "--kernel", "linear", "-c", "10")
        answers = [row["prediction"] for row in self.predictions("model.json", "data.csv")]
        self.assertEqual(answers[0], no)
        self.assertEqual(answers[9], yes)
        points = csv.DictReader(
            self.run_well("inspect", "model.json", "--points", "data.csv").splitlines())
        self.assertEqual([row["label"] for row in points], [no] * 6 + [yes] * 4)

    def test_labels_come_back_as_they_were_written(self):
        for one, other in [("01", "02"), ("9007199254740992", "9007199254740993"), ("1", "1.0")]:
            with self.subTest(one):
                rows = [[n, n % 3, one if n < 20 else other] for n in range(40)]
                self.plant("data.csv", [["a", "b", "y"], *rows])
                model = self.train("data.csv", "--class-weight", f"{one}=2", "-c", "100")
                self.assertEqual(model["classes"], [one, other])
                answers = {row["prediction"] for row in self.predictions("model.json", "data.csv")}
                self.assertEqual(answers - {"reject"}, {one, other})
                self.assertEqual(self.run_json("evaluate", "model.json", "data.csv")["rows"], 40)
                self.run_well("convert", "data.csv", "data.svm")
                self.assertEqual({line.split()[0] for line in
                                  self.path("data.svm").read_text(encoding="utf-8").splitlines()},
                                 {one, other})
                swapped = self.train("data.csv", "--positive", one)
                self.assertEqual(swapped["classes"], [other, one])

    def test_need_no_labels_and_do_not_look_at_them(self):
        self.generate("square", "data.csv")
        self.train("data.csv", "-c", "10")
        expected = self.run_well("predict", "model.json", "data.csv")
        _, rows = self.rows_of("data.csv")
        self.plant("bare.csv", [["x1", "x2"]] + [row[:2] for row in rows])
        self.assertEqual(self.run_well("predict", "model.json", "bare.csv"), expected)
        self.plant("odd.csv", [["x2", "label", "x1"]] + [[row[1], "?", row[0]] for row in rows])
        self.assertEqual(self.run_well("predict", "model.json", "odd.csv"), expected)


class Usage(CommandTest):
    def test_help_starts_with_what_it_does_and_examples(self):
        for command in [[], *([name] for name in COMMANDS)]:
            with self.subTest(command=command):
                text = self.run_well(*command, "--help")
                first, blank, examples = text.split("\n")[:3]
                self.assertTrue(first.endswith("."), first)
                self.assertEqual((blank, examples), ("", "Examples:"))
                self.assertIn("rampart " + "".join(command), text.split("Examples:")[1])
                self.assertEqual(self.run_well(*command, "-h"), text)

    def test_every_command_has_the_common_options(self):
        for command in COMMANDS:
            text = self.run_well(command, "--help")
            for option in ["--json", "--quiet", "--threads"]:
                self.assertIn(option, text, command)

    def test_an_unknown_command_or_option_suggests_the_nearest(self):
        for arguments, unknown, meant in [
            (["tran", "a.csv"], "tran", "train"),
            (["evalaute", "a", "b"], "evalaute", "evaluate"),
            (["train", "a.csv", "-o", "m", "--kernal", "rbf"], "--kernal", "--kernel"),
            (["train", "a.csv", "-o", "m", "--tolerence=1"], "--tolerence", "--tolerance"),
            (["train", "a.csv", "--outptu", "m"], "--outptu", "--output"),
            (["train", "a.csv", "-o", "m", "-C", "2"], "-C", "-c"),
            (["predict", "a", "b", "--rejectlabel", "x"], "--rejectlabel", "--reject-label"),
            (["generate", "square", "--row", "3"], "--row", "--rows"),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 2, unknown, "did you mean", meant)

    def test_what_resembles_nothing_gets_no_suggestion(self):
        for arguments in [["xyzzy"], ["train", "a.csv", "-o", "m", "--xyzzy"],
                          ["train", "a.csv", "-o", "m", "-z"]]:
            with self.subTest(arguments=arguments):
                done = self.try_run(*arguments)
                self.assert_refused(done, 2, arguments[-1], "--help")
                self.assertNotIn("did you mean", done.stderr)

    def test_the_letters_of_libsvm_keep_their_meaning(self):
        self.generate("square", "data.csv")
        self.train("data.csv", "--C", "3", "--gamma", "0.5", "--tolerance", "1e-4", model="a.json")
        self.train("data.csv", "-c", "3", "-g", "0.5", "-e", "1e-4", "-q", model="b.json")
        self.train("data.csv", "-c3", "-g0.5", "-e1e-4", model="c.json")
        words = self.path("a.json").read_bytes()
        self.assertEqual(self.path("b.json").read_bytes(), words)
        self.assertEqual(self.path("c.json").read_bytes(), words)

    def test_d_is_short_for_reject_cost(self):
        self.generate("square", "data.csv")
        self.train("data.csv", "--reject-cost", "0.1", model="a.json")
        self.train("data.csv", "--d", "0.1", model="b.json")
        self.assertEqual(self.path("b.json").read_bytes(), self.path("a.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
