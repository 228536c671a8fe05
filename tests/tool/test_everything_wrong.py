#!/usr/bin/env python3
"""One file with everything wrong at once: what is said of it, and that it still becomes a model."""

import csv
import io
import random
import unittest
from collections import Counter

from rampart_command import CommandTest

SPELLINGS = ["", "?", "NA", "N/A", "#N/A", "NaN", "null", "None", "-", "nan", "na", "NULL", "none", "n/a"]
HEADER = ["patient", "age", 'sex "at birth"', "ward", "same", "answer", "größe µ", "note", "outcome"]
PATIENTS = 140
SETTINGS = ["--id", "patient", "--ignore", "note", "--missing-values", "-99"]


def patients():
    """An id with commas, every spelling of a missing number, a category with missing cells, one with
    quotes, line ends and commas, a constant, a leak, a name and values beyond ASCII, free text of two
    lines; every fortieth row twice."""
    dice = random.Random(12)
    for n in range(PATIENTS):
        sick = n % 3 == 0
        age = dice.randint(20, 80) + 10 * sick
        if n % 5 == 1:
            age = "-99" if n % 2 else SPELLINGS[n // 10 % len(SPELLINGS)]
        row = [f"pat, {n}", age, dice.choice(["männlich", "weiblich", "?"]),
               dice.choice(["A, north", 'B "old"', "C\r\nannex", "D"]), 7, int(sick),
               round(dice.gauss(sick, 0.8), 3), f"seen at home\r\nand again: {n}",
               "sick" if sick else "well"]
        yield row
        if n % 40 == 0:
            yield row


def written(header, rows):
    """CSV with a byte order mark and CRLF."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([header, *rows])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def lines_of(rows):
    """The line on which each row begins."""
    line = 2
    for row in rows:
        yield line
        line += 1 + sum(str(cell).count("\n") for cell in row)


class EverythingWrong(CommandTest):
    def setUp(self):
        super().setUp()
        self.rows = list(patients())
        self.plant("wrong.csv", written(HEADER, self.rows))

    def missing(self, column, also=()):
        return sum(str(row[column]) in {*SPELLINGS, *also} for row in self.rows)

    def test_describe_sees_each_column_as_it_is(self):
        shown = self.run_json("describe", "wrong.csv", *SETTINGS)
        self.assertEqual(shown["rows"], len(self.rows))
        self.assertEqual([column["name"] for column in shown["columns"]], HEADER)
        self.assertEqual([column["role"] for column in shown["columns"]],
                         ["id", *["feature"] * 6, "ignored", "label"])
        columns = {column["name"]: column for column in shown["columns"]}
        self.assertEqual(columns["age"]["missing"], self.missing(1, ["-99"]))
        self.assertEqual(columns['sex "at birth"']["missing"], self.missing(2))
        self.assertEqual(columns["patient"]["distinct"], PATIENTS)
        self.assertEqual(columns["ward"]["distinct"], 4)
        self.assertEqual(columns["größe µ"]["kind"], "numeric")
        said = "\n".join(shown["warnings"])
        self.assertIn("'same': all values are the same", said)
        self.assertIn("'answer': separates the classes alone", said)

    def test_what_has_no_remedy_by_itself_is_said_with_one(self):
        done = self.try_run("train", "wrong.csv", "-o", "model.json")
        seen = list(dict.fromkeys(row[0] for row in self.rows))
        line = dict(zip((row[0] for row in self.rows), lines_of(self.rows)))[seen[100]]
        self.assert_refused(done, 1, f"wrong.csv:{line}: column 'patient': '{seen[100]}' is the 101st",
                            "--id", "--ignore", "--max-categories")
        self.assertNotIn("model.json", self.files())

    def test_it_becomes_a_model_and_is_answered(self):
        done = self.try_run("train", "wrong.csv", "-o", "model.json", *SETTINGS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{self.missing(1, ['-99'])} in 'age'", done.stdout)
        self.assertIn(f"{self.missing(2)} in 'sex \"at birth\"'", done.stdout)
        self.assertIn("'same': all values are the same", done.stderr)
        self.assertIn("'answer': it separates the classes alone", done.stderr)

        answers = self.predictions("model.json", "wrong.csv")
        self.assertEqual([answer["patient"] for answer in answers], [row[0] for row in self.rows])
        self.assertLessEqual({answer["reason"].split(":")[0] for answer in answers},
                             {"", "ambiguous", "unfamiliar"})
        right = sum(answer["prediction"] == row[-1] for answer, row in zip(answers, self.rows))
        self.assertGreater(right, 0.9 * len(self.rows))  # the leak alone would tell
        shown = self.run_json("evaluate", "model.json", "wrong.csv")
        self.assertEqual(shown["trained_on"]["rows"], len(self.rows))

    def test_kept_cells_come_back_as_they_were(self):
        self.train("wrong.csv", *SETTINGS)
        self.run_well("predict", "model.json", "wrong.csv", "--keep", "all", "-o", "answers.csv")
        header, answers = self.rows_of("answers.csv")
        self.assertEqual(header, [HEADER[0], "prediction", "score", "reason", *HEADER[1:]])
        self.assertEqual([row[:1] + row[4:] for row in answers],
                         [list(map(str, row)) for row in self.rows])

    def test_split_copies_cells_of_several_lines(self):
        self.run_well("split", "wrong.csv")
        parts = []
        for name in ["wrong.train.csv", "wrong.test.csv"]:
            with open(self.path(name), newline="", encoding="utf-8-sig") as file:
                header, *rows = csv.reader(file)
            self.assertEqual(header, HEADER)
            parts += map(tuple, rows)
        self.assertEqual(Counter(parts), Counter(tuple(map(str, row)) for row in self.rows))
        self.train("wrong.train.csv", *SETTINGS)
        shown = self.run_json("evaluate", "model.json", "wrong.test.csv")
        self.assertLess(shown["trained_on"]["rows"], 4)  # rows that were there twice, at most

    def test_without_the_leak_it_goes_on_to_a_report(self):
        settings = ["--id", "patient", "--ignore", "note,answer,same", "--missing-values", "-99"]
        self.run_well("split", "wrong.csv")
        done = self.try_run("tune", "wrong.train.csv", "-o", "model.json", *settings, "-c", "1,4",
                            "-g", "scale", "-v", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("column", done.stderr)
        evaluation = self.run_json("evaluate", "model.json", "wrong.test.csv")
        [shown] = self.run_json("report", "model.json", "wrong.test.csv")["models"]
        self.assertEqual(shown["metrics"]["risk"], evaluation["risk"])

    def test_a_name_used_twice(self):
        header = [*HEADER[:4], "age", *HEADER[5:]]
        self.plant("twice.csv", written(header, self.rows))
        for command in [["train", "twice.csv", "-o", "model.json", *SETTINGS], ["describe", "twice.csv"],
                        ["split", "twice.csv"], ["cv", "twice.csv", *SETTINGS]]:
            self.assert_refused(self.try_run(*command), 1, "twice.csv: two columns are called 'age'")
        self.assertEqual(self.files(), ["twice.csv", "wrong.csv"])

    def test_rows_without_a_label_are_named(self):
        gaps = {5: "", 50: "NA", 51: "?", 100: "  "}
        rows = [[*row[:-1], gaps.get(n, row[-1])] for n, row in enumerate(self.rows)]
        lines = list(lines_of(rows))
        self.plant("gaps.csv", written(HEADER, rows))
        self.train("wrong.csv", *SETTINGS)
        words = "gaps.csv: 4 rows have no label: lines " + ", ".join(str(lines[n]) for n in sorted(gaps))
        for command in [["train", "gaps.csv", "-o", "new.json", *SETTINGS],
                        ["tune", "gaps.csv", "-o", "new.json", *SETTINGS], ["cv", "gaps.csv", *SETTINGS],
                        ["evaluate", "model.json", "gaps.csv"],
                        ["report", "model.json", "gaps.csv", "-o", "page.html"]]:
            self.assert_refused(self.try_run(*command), 1, words)
        self.assertEqual(self.files(), ["gaps.csv", "model.json", "wrong.csv"])
        self.assertEqual(len(self.predictions("model.json", "gaps.csv")), len(rows))
        shown = self.run_json("describe", "gaps.csv", *SETTINGS)
        self.assertEqual(sum(one["rows"] for one in shown["labels"]), len(rows) - 4)


if __name__ == "__main__":
    unittest.main()
