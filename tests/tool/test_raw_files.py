#!/usr/bin/env python3
"""From a file as its authors published it to a model and a page, with no more than --label, --id and
--ignore. Small look-alikes of thirteen public files are made here. The files themselves are taken from the
folder that the environment variable RAMPART_RAW_DATA names (NAME/FILE, see raw_tables.py)."""

import lzma
import os
import unittest
from collections import Counter

from rampart_command import CommandTest
from raw_tables import ARFF, TABLES, LookAlike, real_text

RAW_DATA = os.environ.get("RAMPART_RAW_DATA")
REJECT_COST = 0.2
MOST_ROWS = 1500  # to tune on
FINGERPRINT = 1024  # rows that a model remembers
GRID = ["--kernel", "rbf", "-g", "scale", "-c", "0.5,4", "-v", "2"]
REASONS = {"", "ambiguous", "unfamiliar"}  # of rows from the file that was trained on


def label_counts(table, rows):
    return Counter(row[table.label] for row in rows)


class FromFileToPage(CommandTest):
    def walk(self, table, text):
        """The whole path of one file; returns what evaluate says of the rows left out."""
        self.plant(table.file, lzma.compress(text, preset=0) if table.packed() else text)
        rows = table.read(text)
        self.check_description(table, rows)
        training, test = self.check_split(table, rows)
        tuned = self.run_json("tune", training, "-o", "model.json", *table.options, *GRID)
        self.assertEqual(tuned["best"]["not_converged"], 0)
        evaluation = self.check_answers(table, test)
        self.check_rows_trained_on(table, training)
        self.check_report(test, evaluation)
        return evaluation

    def rows_in(self, table, name):
        return table.read(self.path(name).read_bytes())

    def check_description(self, table, rows):
        shown = self.run_json("describe", table.file, *table.options)
        columns = shown["columns"]
        self.assertEqual(shown["rows"], len(rows))
        self.assertEqual({len(row) for row in rows}, {len(columns)})
        self.assertEqual([one["role"] for one in columns].index("label"), table.label % len(columns))
        self.assertEqual({n: one["missing"] for n, one in enumerate(columns, 1) if one["missing"]},
                         table.missing)
        self.assertEqual([n for n, one in enumerate(columns, 1)
                          if one["role"] == "feature" and one["kind"] == "categorical"],
                         table.categorical)
        self.assertEqual({one["label"]: one["rows"] for one in shown["labels"]},
                         label_counts(table, rows))
        for words in table.warned:
            self.assertTrue(any(words in warning for warning in shown["warnings"]), shown)

    def check_split(self, table, rows):
        """Every row is in one of two files, and every class has its share; returns their names, and
        for large files that of a part of the training rows."""
        shown = self.run_json("split", table.file, "--test", "0.3", *table.options)
        training, test = shown["training"]["file"], shown["test"]["file"]
        parts = [self.rows_in(table, name) for name in (training, test)]
        self.assertEqual(Counter(map(tuple, parts[0] + parts[1])), Counter(map(tuple, rows)))
        for label, count in label_counts(table, rows).items():
            self.assertLessEqual(abs(label_counts(table, parts[1])[label] - 0.3 * count), 1, label)
        if len(parts[0]) > MOST_ROWS:
            rest = 1 - MOST_ROWS / len(parts[0])
            self.run_well("split", training, *table.options, "--test", rest, "-o", "few", "rest")
            training = "few"
        return training, test

    def check_answers(self, table, test):
        """What evaluate says is what the answers of predict cost, by the labels as Python reads them."""
        rows = self.rows_in(table, test)
        answers = self.predictions("model.json", test)
        self.assertEqual(len(answers), len(rows))
        name = "row" if table.id is None else table.options[table.options.index("--id") + 1]
        expected = [str(n + 1) if table.id is None else row[table.id] for n, row in enumerate(rows)]
        self.assertEqual([answer[name] for answer in answers], expected)
        self.assertLessEqual({answer["reason"].split(":")[0] for answer in answers}, REASONS)
        for answer in answers:
            self.assertEqual(answer["prediction"] == "reject", answer["reason"] != "", answer)

        rejected = sum(answer["prediction"] == "reject" for answer in answers)
        wrong = sum(answer["prediction"] not in ("reject", row[table.label])
                    for answer, row in zip(answers, rows))
        evaluation = self.run_json("evaluate", "model.json", test)
        self.assertEqual(evaluation["rows"], len(rows))
        self.assertAlmostEqual(evaluation["rejection_rate"], rejected / len(rows), delta=1e-12)
        self.assertAlmostEqual(evaluation["risk"], (wrong + REJECT_COST * rejected) / len(rows),
                               delta=1e-12)
        return evaluation

    def check_rows_trained_on(self, table, training):
        found = self.run_json("evaluate", "model.json", training)["trained_on"]
        self.assertEqual(found["rows"], found["looked_up"])
        rows = len(self.rows_in(table, training))
        if rows <= FINGERPRINT:
            self.assertEqual((found["rows"], found["all"]), (rows, True))
        else:
            self.assertGreaterEqual(found["rows"], FINGERPRINT)

    def check_report(self, test, evaluation):
        [shown] = self.run_json("report", "model.json", test)["models"]
        self.assertEqual(shown["metrics"]["risk"], evaluation["risk"])
        done = self.try_run("report", "model.json", test, "--title", "Raw as it is")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "report.html" in self.files():  # not where pages could not be built
            self.assertIn("Raw as it is", self.path("report.html").read_text(encoding="utf-8"))


class LookAlikes(FromFileToPage):
    def test_each_goes_from_file_to_page(self):
        for table in [*TABLES, ARFF]:
            with self.subTest(table=table.name):
                self.walk(table, LookAlike(table).text())


@unittest.skipUnless(RAW_DATA, "RAMPART_RAW_DATA names no folder of the real files")
class RealFiles(FromFileToPage):
    def test_each_goes_from_file_to_page(self):
        for table in TABLES:
            with self.subTest(table=table.name):
                text = real_text(table, RAW_DATA)
                self.assertEqual(len(table.read(text)), table.rows)
                found = self.walk(table, text)
                print(f"{table.name:15} rows {found['rows']:5}  risk {found['risk']:.4f}  "
                      f"never reject {found['never_reject']['risk']:.4f}  "
                      f"rejected {100 * found['rejection_rate']:5.1f} %  "
                      f"right when answering {100 * (found['accepted_accuracy'] or 0):5.1f} %  "
                      f"reasons {found['reasons']}", flush=True)


if __name__ == "__main__":
    unittest.main()
