#!/usr/bin/env python3
"""describe and split: what they show and write is what the file holds."""

import gzip
import unittest

from rampart_command import CommandTest

HEADER = "name,sex,age,day,y\n"


def table(rows):
    return HEADER + "".join(
        f"n{n},{'m' if n % 3 else 'f'},{n % 50 if n % 10 else '?'},2024-01-01,{'yes' if n % 4 else 'no'}\n"
        for n in range(rows))


class Describe(CommandTest):
    def test_every_column_has_its_role_and_its_counts(self):
        self.plant("data.csv", table(400))
        shown = self.run_json("describe", "data.csv", "--id", "name", "--ignore", "day")
        columns = {column["name"]: column for column in shown["columns"]}
        self.assertEqual([c["role"] for c in shown["columns"]],
                         ["id", "feature", "feature", "ignored", "label"])
        self.assertEqual(shown["rows"], 400)
        self.assertEqual(columns["sex"]["kind"], "categorical")
        self.assertEqual(columns["age"]["kind"], "numeric")
        self.assertEqual(columns["age"]["missing"], 40)
        self.assertEqual(columns["age"]["range"], [1, 49])
        self.assertEqual(columns["name"]["distinct"], 400)
        self.assertEqual(shown["labels"],
                         [{"label": "no", "rows": 100}, {"label": "yes", "rows": 300}])
        self.assertEqual(shown["warnings"], [])

    def test_what_training_would_refuse_is_said(self):
        self.plant("data.csv", table(400))
        text = self.run_well("describe", "data.csv")
        self.assertIn("refused: 400 different values", text)
        self.assertIn("refused: line 2: '2024-01-01' is a date", text)
        self.assertIn("training uses 1 numeric and 1 categorical columns", text)
        self.assertIn("(--id)", text)

    def test_libsvm_and_arff(self):
        self.plant("data.svm", "1 1:1 7:2\n-1 2:1\n")
        self.assertIn("LIBSVM, 2 rows, 7 features", self.run_well("describe", "data.svm"))
        self.plant("data.arff", "@relation r\n@attribute a {x,z}\n@attribute y {0,1}\n@data\n"
                                "x,0\nz,1\n")
        self.assertIn("ARFF, 2 rows, 2 columns", self.run_well("describe", "data.arff"))


class Split(CommandTest):
    def rows(self, name):
        header, *rows = self.path(name).read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(header, HEADER)
        return rows

    def test_the_two_files_are_the_whole(self):
        self.plant("data.csv", table(400))
        shown = self.run_json("split", "data.csv", "--test", "0.25")
        training, test = self.rows("data.train.csv"), self.rows("data.test.csv")
        self.assertEqual(sorted(training + test), sorted(table(400).splitlines(keepends=True)[1:]))
        self.assertEqual((len(training), len(test)), (300, 100))
        self.assertEqual(sum(row.endswith(",no\n") for row in test), 25)
        self.assertEqual(shown["test"], {"file": "data.test.csv", "rows": 100})

    def test_packed_files_and_names(self):
        self.plant("data.csv.gz", gzip.compress(table(40).encode()))
        self.run_well("split", "data.csv.gz")
        self.run_well("split", "data.csv.gz", "-o", "a", "b")
        self.assertEqual(self.rows("data.test.csv"), self.rows("b"))
        self.assertEqual(self.rows("data.train.csv"), self.rows("a"))

    def test_groups_stay_together(self):
        self.plant("data.csv", "who,a,y\n" + "".join(
            f"g{n % 20},{n},{n % 2}\n" for n in range(200)))
        self.plant("groups.txt", "".join(f"g{n % 20}\n" for n in range(200)))
        self.run_well("split", "data.csv", "--groups", "who", "-o", "a", "b")
        self.run_well("split", "data.csv", "--groups", "groups.txt", "-o", "c", "d")
        a, b, c = (self.path(name).read_text(encoding="utf-8") for name in "abc")
        self.assertEqual(a, c)
        who = [{row.split(",")[0] for row in text.splitlines()[1:]} for text in (a, b)]
        self.assertFalse(who[0] & who[1])

    def test_errors_leave_no_files(self):
        self.plant("bad.csv", "a,y\n1,p\n2\n")
        self.plant("data.csv", table(40))
        before = self.files()
        for arguments, code, words in [
                (["bad.csv"], 1, ["bad.csv:3:", "1 fields"]),
                (["data.csv", "--test", "1"], 2, ["test share = 1", "less than 1"]),
                (["data.csv", "--test", "much"], 2, ["--test", "'much'"]),
                (["data.csv", "-o", "x", "x"], 2, ["x"]),
                (["data.csv", "-o", "data.csv", "x"], 2, ["would be lost"]),
                (["data.csv", "-o", "-", "x"], 2, ["--output"])]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run("split", *arguments), code, *words)
                self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
