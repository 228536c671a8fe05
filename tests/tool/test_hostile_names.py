#!/usr/bin/env python3
"""Names from outside: harmless and short where people read them, exact where programs do."""

import csv
import json
import re
import unittest

from rampart_command import CommandTest

CLEAR = "\x1b[2J\x1b]0;title\x07"  # clears a terminal and renames its window
BACKWARDS = "\u202egnp.exe\u2066\u200f\u061c"
EIGHT_BIT = "\u009b31m"  # a C1 control: an escape sequence without ESC
HUGE = "long" * 250_000

# What a terminal obeys or lets turn the line around. Lines themselves are fine.
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
LONGEST_LINE = 5000


class HostileNames(CommandTest):
    def assert_harmless(self, text):
        self.assertIsNone(OBEYED.search(text), ascii(text[:2000]))
        self.assertLess(max(map(len, text.split("\n"))), LONGEST_LINE)

    def run_harmless(self, *arguments, code=0):
        done = self.try_run(*arguments)
        self.assertEqual(done.returncode, code, ascii(done.stderr[:2000]))
        self.assert_harmless(done.stdout)
        self.assert_harmless(done.stderr)
        return done.stdout + done.stderr

    def plant_data(self, name, labels, label_column="y", feature="x"):
        """Rows that are easy to tell apart, but for a few."""
        rows = [[n, n % 7, labels[(n > 12) != (n % 10 == 3)]] for n in range(24)]
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[feature, "z", label_column], *rows])
        return name


class OnATerminal(HostileNames):
    def test_labels_and_columns_in_the_text_of_every_command(self):
        for hostile in [CLEAR, BACKWARDS, EIGHT_BIT, HUGE]:
            with self.subTest(hostile=ascii(hostile[:20])):
                self.plant_data("data.csv", [hostile + "a", hostile[::-1] + "b"],
                                "label" + hostile, "feature" + hostile)
                training = ["data.csv", "--kernel", "linear"]
                folds = ["-v", "2", "--repeats", "1"]
                shown = self.run_harmless("train", *training, "-o", "model.json")
                self.assertIn("-1 is '", shown)
                self.run_harmless("train", *training, "-o", "m{d}.json", "--d", "0.1,0.2")
                self.run_harmless("cv", *training, *folds, "-o", "folds.csv")
                self.run_harmless("tune", *training, "-v", "2", "-o", "tuned.json", "-c", "1,2")
                shown = self.run_harmless("inspect", "model.json")
                self.assertIn("feature", shown)
                self.run_harmless("inspect", "model.json", "--points", "data.csv", "-o", "p.csv")
                shown = self.run_harmless("evaluate", "model.json", "data.csv")
                self.assertIn("of those truly '", shown)
                self.run_harmless("predict", "model.json", "data.csv", "-o", "answers.csv")
                self.run_harmless("convert", "data.csv", "out.csv")
                self.run_harmless("report", "model.json", "data.csv")

    def test_labels_and_columns_in_errors(self):
        for hostile in [CLEAR, BACKWARDS, EIGHT_BIT, HUGE]:
            with self.subTest(hostile=ascii(hostile[:20])):
                labels = [hostile + "a", hostile + "b"]
                self.plant_data("data.csv", labels, "label" + hostile, "feature" + hostile)
                self.plant_data("other.csv", ["c", "d"], "label" + hostile, "feature" + hostile)
                self.plant_data("narrow.csv", labels, "label" + hostile, "another" + hostile)
                self.train("data.csv")
                output = ["-o", "m.json"]
                for arguments in [["evaluate", "model.json", "other.csv"],
                                  ["evaluate", "model.json", "narrow.csv"],
                                  ["train", "other.csv", *output, "--start", "model.json"],
                                  ["train", "data.csv", *output, "--label", "none"]]:
                    self.run_harmless(*arguments, code=1)
                for arguments in [["--class-weight", "none=1"], ["--class-weight", "none"]]:
                    self.run_harmless("train", "data.csv", *output, *arguments, code=2)

    def test_names_of_files_and_values_of_options(self):
        self.plant_data("data.csv", ["a", "b"])
        self.train("data.csv")
        for hostile in [CLEAR, BACKWARDS, EIGHT_BIT, "two\nlines", 100 * "ü"]:
            with self.subTest(hostile=ascii(hostile[:20])):
                name = hostile.replace("/", "")
                self.plant(name + ".csv", self.path("data.csv").read_bytes())
                self.assertEqual(
                    self.run_harmless("train", name + ".csv", "-o", name).count("\n"), 7)
                shown = self.run_harmless("cv", "data.csv", "-v", "2", "--repeats", "1", "-o",
                                         "folds" + name)
                self.assertIn("wrote folds", [line[:11] for line in shown.splitlines()])
                shown = self.run_harmless("train", "data.csv", "-o", "{d}" + name, "--d", "0.1,0.2")
                self.assertIn("wrote 2 mod", [line[:11] for line in shown.splitlines()])
                for arguments, code in [(["train", "none" + name, "-o", "m"], 1),
                                        (["train", "data.csv", "-o", f"none/{name}"], 1),
                                        (["inspect", name + ".csv"], 1),
                                        (["predict", "model.json", "none" + name], 1),
                                        (["train", "data.csv", "-o", "m", "-c", hostile], 2),
                                        (["train", "data.csv", "-o", "m", "-g", hostile], 2),
                                        (["train", "data.csv", "-o", "m", "--kernel", hostile], 2),
                                        (["train", "data.csv", "-o", "m", "--d", hostile], 2),
                                        (["train", "data.csv", "-o", "data.csv", hostile], 2),
                                        (["reproduce", "--data", hostile], 1),
                                        (["--" + hostile], 2), ([hostile], 2)]:
                    with self.subTest(arguments=ascii(arguments)):
                        shown = self.run_harmless(*arguments, code=code)
                        self.assertEqual(shown.count("\n"), 1, shown)

    def test_a_message_about_a_long_name_still_says_what_is_wrong(self):
        shown = self.run_harmless("train", 4000 * "n", "-o", "m.json", code=1)
        self.assertRegex(shown, r"^rampart: n+…n+: File name too long\n$")

    def test_fields_of_a_model(self):
        self.plant_data("data.csv", ["a", "b"])
        model = self.train("data.csv")
        for hostile in [CLEAR, BACKWARDS, EIGHT_BIT, HUGE]:
            for key in ["format", "version", "classes", "kernel", "features", "surfaces"]:
                with self.subTest(hostile=ascii(hostile[:20]), key=key):
                    self.plant("bad.json", json.dumps({**model, key: hostile}))
                    self.run_harmless("inspect", "bad.json", code=1)
            for key in ["band", "objective", "certificate"]:
                with self.subTest(hostile=ascii(hostile[:20]), key=key):
                    surface = {**model["surfaces"][0], key: hostile}
                    self.plant("bad.json", json.dumps({**model, "surfaces": [surface]}))
                    self.run_harmless("inspect", "bad.json", code=1)


class ForPrograms(HostileNames):
    def test_answers_and_json_keep_every_byte(self):
        for hostile in [CLEAR, BACKWARDS, EIGHT_BIT, 'quo"te, comma']:
            with self.subTest(hostile=ascii(hostile)):
                labels = [hostile + "a", hostile + "b"]
                self.plant_data("data.csv", labels)
                self.train("data.csv", "--kernel", "linear", "-c", "10")
                answers = {row["prediction"] for row in self.predictions("model.json", "data.csv")}
                self.assertLessEqual(answers, {*labels, "reject"})
                self.assertEqual(len(answers & set(labels)), 2)
                for arguments in [["inspect", "model.json"], ["evaluate", "model.json", "data.csv"],
                                  ["cv", "data.csv", "-v", "2", "--repeats", "1"],
                                  ["convert", "data.csv", "out.csv"]]:
                    self.assertEqual(self.run_json(*arguments)["classes"], labels)


class InASpreadsheet(HostileNames):
    FORMULAS = ["=1+cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "\tx", "\rx", "＝1", "-inf", "+-1"]
    NUMBERS = ["1", "-1", "+1", "-2.5e3"]

    def cells(self, *options):
        """The answers and scores."""
        lines = list(csv.reader(self.run_well(
            "predict", "model.json", "data.csv", *options).splitlines(keepends=True)))
        return [line[1:3] for line in lines[1:]]

    def setUp(self):
        super().setUp()
        self.plant_data("data.csv", ["no", "yes"])
        self.model = self.train("data.csv", "--kernel", "linear", "-c", "10")

    def name_classes(self, negative, positive):
        self.plant("model.json", json.dumps({**self.model, "classes": [negative, positive]}))

    def test_labels_are_written_as_they_are_unless_csv_safe_is_asked_for(self):
        self.name_classes(self.FORMULAS[0], "yes")
        self.assertIn(self.FORMULAS[0], {cell for cell, _ in self.cells()})

    def test_no_class_begins_like_a_formula(self):
        for formula in self.FORMULAS:
            with self.subTest(formula=formula):
                self.name_classes(formula, "yes; =1")
                text = self.run_well("predict", "model.json", "data.csv", "--csv-safe")
                self.assertIn(f"\"'{formula}\",", text)
                self.assertIn('"yes; =1",', text)  # where semicolons separate, one cell still

    def test_the_reject_label_is_a_label_too(self):
        self.model["surfaces"][0]["band"]["rho"] = 1e9
        self.plant("model.json", json.dumps(self.model))
        self.assertEqual({cell for cell, _ in self.cells("--csv-safe", "--reject-label", "=A1")},
                         {"'=A1"})

    def test_numbers_stay_numbers(self):
        plain = self.cells()
        for number in self.NUMBERS:
            with self.subTest(number=number):
                self.name_classes(number, "yes")
                cells = self.cells("--csv-safe")
                self.assertIn(number, {cell for cell, _ in cells})
                self.assertEqual([score for _, score in cells], [score for _, score in plain])

    def test_json_is_not_for_spreadsheets(self):
        self.name_classes("=1", "yes")
        self.assertEqual(self.run_json("predict", "model.json", "data.csv", "--csv-safe"),
                         self.run_json("predict", "model.json", "data.csv"))


if __name__ == "__main__":
    unittest.main()
