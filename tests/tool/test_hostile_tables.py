#!/usr/bin/env python3
"""Tables that are too wide, too long, too varied or too empty: a right answer or one clear line.

The limits on processor time and memory are far above what is needed, and far below what work that grows with the
square of these tables would take."""

import csv
import resource
import subprocess
import unittest

from rampart_command import RAMPART, CommandTest

SECONDS = 40  # of processor time
MEGABYTES = 2048
LONGEST_LINE = 5000

COLUMNS = 100_000
CATEGORIES = 1_000_000
CELL = 10_000_000  # bytes


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))


class HostileTable(CommandTest):
    @classmethod
    def setUpClass(cls):
        if subprocess.run([RAMPART, "--version"], preexec_fn=limit, capture_output=True,
                          check=False).returncode != 0:
            raise unittest.SkipTest("takes more memory than it uses: built with a sanitizer")

    def try_run(self, *arguments, stdin=b"", env=None):
        done = subprocess.run([RAMPART, *map(str, arguments)], input=stdin, cwd=self.folder, env=env,
                              capture_output=True, preexec_fn=limit, check=False)
        done.stdout = done.stdout.decode()
        done.stderr = done.stderr.decode()
        return done

    def run_readable(self, *arguments):
        """Runs it for people: no line is longer than they can read."""
        done = self.try_run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr[:2000])
        self.assertLess(max(map(len, (done.stdout + done.stderr).split("\n"))), LONGEST_LINE)
        return done.stdout + done.stderr

    def assert_refused(self, done, code, *words):
        super().assert_refused(done, code, *words)
        self.assertLess(len(done.stderr), LONGEST_LINE)


class Wide(HostileTable):
    ROWS = 12

    def walk(self, cell):
        """A table of 100 000 columns, of which the first tells the classes apart, goes all the way."""
        with open(self.path("wide.csv"), "w", encoding="utf-8") as file:
            file.write(",".join(f"c{j}" for j in range(COLUMNS)) + ",y\n")
            for n in range(self.ROWS):
                cells = (cell(n, j) for j in range(COLUMNS))
                file.write(",".join(cells) + f",{'pq'[n % 2]}\n")
        shown = self.run_json("describe", "wide.csv")
        self.assertEqual((shown["rows"], len(shown["columns"])), (self.ROWS, COLUMNS + 1))
        self.assertIn(f"{COLUMNS + 1} columns", self.run_readable("describe", "wide.csv"))
        self.run_readable("split", "wide.csv")
        self.run_readable("train", "wide.csv", "-o", "model.json", "--kernel", "linear")
        answers = self.predictions("model.json", "wide.csv")
        self.assertEqual([answer["prediction"] for answer in answers],
                         ["pq"[n % 2] for n in range(self.ROWS)])
        self.run_readable("evaluate", "model.json", "wide.csv")
        self.run_readable("report", "model.json", "wide.csv")
        self.run_readable("cv", "wide.csv", "--kernel", "linear", "-v", "2", "--repeats", "1")
        return shown

    def test_numbers(self):
        self.walk(lambda n, j: str((n * 7 + j * (n % 5)) % 10))

    def test_texts_and_missing_values(self):
        shown = self.walk(lambda n, j: "?" if (n + j) % 7 == 0 else "abc"[(n * n + j * n) % 3])
        self.assertEqual({column["kind"] for column in shown["columns"][:-1]}, {"categorical"})

    def test_a_short_row_does_not_cost_the_others(self):
        self.plant("train.csv", [["a", "y"], *[[n % 5, "pq"[n % 2]] for n in range(20)]])
        self.train("train.csv")
        self.plant("wide.csv", "a,y\n1,p\n" + "1," * COLUMNS + "p\n2,q\n")
        reasons = [answer["reason"] for answer in self.predictions("model.json", "wide.csv")]
        self.assertIn(f"unreadable: line 3: {COLUMNS + 1} fields where the first row has 2", reasons[1])
        self.assertNotIn("unreadable", reasons[0] + reasons[2])


class ManyCategories(HostileTable):
    def write(self, rows):
        with open(self.path("many.csv"), "w", encoding="utf-8") as file:
            file.write("who,a,y\n")
            file.writelines(f"value{n},{n % 10},{n % 2}\n" for n in range(rows))

    def test_a_million(self):
        self.write(CATEGORIES)
        text = self.run_readable("describe", "many.csv")
        self.assertIn("all values are different", text)
        [who, *_] = self.run_json("describe", "many.csv")["columns"]
        self.assertLess(abs(who["distinct"] / CATEGORIES - 1), 0.07)
        self.run_readable("split", "many.csv")
        done = self.try_run("train", "many.csv", "-o", "model.json")
        self.assert_refused(done, 1, "many.csv:102: column 'who'", "101st", "names or ids", "--id",
                            "--ignore", "--max-categories")

    def test_a_category_that_is_different_in_every_row(self):
        """Allowed on request: the training rows are told apart by it, and every other row is unseen."""
        rows = 20_000
        self.write(rows)
        text = self.run_readable("train", "many.csv", "-o", "model.json", "--kernel", "linear",
                                 "--max-categories", rows)
        self.assertIn("column 'who': all values are different", text)
        answers = self.predictions("model.json", "many.csv")
        self.assertEqual(len(answers), rows)
        self.assertLessEqual({answer["reason"].split(":")[0] for answer in answers}, {"", "ambiguous"})
        self.plant("new.csv", "who,a,y\nvalue-1,1,1\n")
        [answer] = self.predictions("model.json", "new.csv")
        self.assertIn("unseen: column 'who' is 'value-1'", answer["reason"])
        self.run_readable("inspect", "model.json")

    def test_one_more_than_allowed(self):
        self.write(1000)
        done = self.try_run("train", "many.csv", "-o", "model.json", "--max-categories", "999")
        self.assert_refused(done, 1, "many.csv:1001:", "1000th", "at most 999")
        self.run_readable("train", "many.csv", "-o", "model.json", "--max-categories", "1000")


class HugeCell(HostileTable):
    def setUp(self):
        super().setUp()
        self.small = [[f"v{n % 3}", n % 7, "pq"[n % 2]] for n in range(50)]
        self.plant("small.csv", [["t", "a", "y"], *self.small])

    def plant_huge(self, cell):
        self.plant("huge.csv", [["t", "a", "y"], [cell, 1, "p"], *self.small])

    def test_a_text_is_no_category_but_may_be_left_out_or_an_id(self):
        self.plant_huge(CELL * "x")
        self.run_readable("describe", "huge.csv")
        self.run_readable("split", "huge.csv")
        done = self.try_run("train", "huge.csv", "-o", "model.json")
        self.assert_refused(done, 1, "huge.csv:2: column 't'", f"{CELL} bytes", "--ignore")
        self.run_readable("train", "huge.csv", "-o", "model.json", "--ignore", "t")
        self.run_readable("train", "huge.csv", "-o", "model.json", "--id", "t")
        self.run_well("predict", "model.json", "huge.csv", "-o", "answers.csv")
        with open(self.path("answers.csv"), encoding="utf-8") as file:
            next(file)
            self.assertTrue(next(file).startswith(CELL * "x" + ","))

    def test_in_a_row_to_predict_it_is_unseen_or_unreadable(self):
        for column, reason in [("t", "unseen"), ("a", "unreadable")]:
            with self.subTest(column=column):
                row = {"t": "v1", "a": "1", "y": "p", column: CELL * "x"}
                self.plant("huge.csv", [["t", "a", "y"], *self.small[:3], list(row.values()),
                                        *self.small[3:]])
                self.train("small.csv", "--kernel", "linear")
                answers = self.run_readable("predict", "model.json", "huge.csv", "-q").splitlines()
                self.assertEqual(len(answers), 52)
                self.assertIn(f"{reason}: ", answers[4])
                expected = self.run_readable("predict", "model.json", "small.csv", "-q").splitlines()
                self.assertEqual([line.split(",")[1:] for line in answers[1:4] + answers[5:]],
                                 [line.split(",")[1:] for line in expected[1:]])

    def test_a_number_of_ten_million_digits(self):
        self.plant_huge(CELL * "1")
        self.run_readable("describe", "huge.csv")
        self.assertEqual(self.try_run("train", "huge.csv", "-o", "model.json").returncode, 1)

    def test_a_name(self):
        self.plant("huge.csv", [[CELL * "x", "a", "y"], *[[n % 4, *row[1:]] for n, row in
                                                         enumerate(self.small)]])
        self.run_readable("describe", "huge.csv")
        self.run_readable("train", "huge.csv", "-o", "model.json")
        self.run_readable("predict", "model.json", "huge.csv")
        done = self.try_run("predict", "model.json", "small.csv")
        self.assert_refused(done, 1, "small.csv: no column 'xxx", "which the model needs")


class NothingThere(HostileTable):
    def test_a_column_without_values(self):
        self.plant("gaps.csv", [["a", "b", "y"], *[["?", n % 7, "pq"[n % 2]] for n in range(40)]])
        for command in [["train", "gaps.csv", "-o", "model.json"], ["cv", "gaps.csv"],
                        ["tune", "gaps.csv", "-o", "model.json"]]:
            self.assert_refused(self.try_run(*command), 1, "gaps.csv: column 'a': all values are missing",
                                "--ignore")
        self.assertIn("all values are missing", self.run_readable("describe", "gaps.csv"))
        self.run_readable("train", "gaps.csv", "-o", "model.json", "--ignore", "a")

    def test_no_value_at_all(self):
        self.plant("gaps.csv", [["a", "b", "y"], *[["NA", "", "pq"[n % 2]] for n in range(40)]])
        self.assert_refused(self.try_run("train", "gaps.csv", "-o", "model.json"), 1,
                            "all values are missing")
        self.run_readable("describe", "gaps.csv")

    def test_rows_to_predict_without_any_value(self):
        self.plant("train.csv", [["a", "b", "y"], *[[n, n % 7, "pq"[n % 2]] for n in range(40)]])
        self.plant("gaps.csv", [["a", "b"], *[["?", "-"]] * 5])
        self.train("train.csv")
        self.assertEqual([answer["reason"] for answer in self.predictions("model.json", "gaps.csv")],
                         ["incomplete: column 'a' has no value"] * 5)

    def test_many_rows_without_a_label_are_named_shortly(self):
        self.plant("gaps.csv", [["a", "y"], *[[n, ["p", "q", "", "?"][n % 4]] for n in range(200_000)]])
        self.assert_refused(self.try_run("train", "gaps.csv", "-o", "model.json"), 1,
                            "gaps.csv: 100000 rows have no label: lines 4, 5, 8, 9, 12, …")
        self.assertIn("100000", self.run_readable("describe", "gaps.csv"))

    def test_no_label_at_all(self):
        self.plant("gaps.csv", [["a", "y"], *[[n, "NA"] for n in range(40)]])
        self.assert_refused(self.try_run("train", "gaps.csv", "-o", "model.json"), 1,
                            "gaps.csv: 40 rows have no label")


class Names(HostileTable):
    NAMES = ['a "quoted" name', "two\nlines", "<script>alert('name')</script>", "=1+1", "ends in space",
             "a,b;c|d\te", "größe 漢字 \U0001f642"]
    LABELS = ["<b>yes</b>", "no\n\"'"]

    def write(self, name, names, order=None):
        order = order or list(range(len(names)))
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow([*(names[j] for j in order), "y"])
            for n in range(60):
                cells = [(n * (j + 3) + j) % 11 + 3 * (n % 2) * (j == 0) for j in range(len(names))]
                table.writerow([*(cells[j] for j in order), self.LABELS[n % 2]])

    def test_they_are_exact_in_files_and_harmless_on_pages(self):
        self.write("names.csv", self.NAMES)
        shown = self.run_json("describe", "names.csv")
        self.assertEqual([column["name"] for column in shown["columns"]], [*self.NAMES, "y"])
        for command in [["describe", "names.csv"], ["split", "names.csv"],
                        ["train", "names.csv", "-o", "model.json"], ["inspect", "model.json"],
                        ["evaluate", "model.json", "names.csv"]]:
            text = self.run_readable(*command)
            self.assertNotIn("two\nlines", text)
            self.assertNotIn("no\n\"'", text)
        self.run_well("predict", "model.json", "names.csv", "--keep", "all", "-o", "answers.csv")
        header, rows = self.rows_of("answers.csv")
        self.assertEqual(header, ["row", "prediction", "score", "reason", *self.NAMES, "y"])
        self.assertLessEqual({row[1] for row in rows}, {*self.LABELS, "reject"})
        self.run_readable("report", "model.json", "names.csv", "--title",
                          "</script><script>alert('title')</script>")
        if "report.html" in self.files():  # not where pages could not be built
            page = self.path("report.html").read_text(encoding="utf-8")
            for hostile in ["<script>alert('name')", "<script>alert('title')", "<b>yes</b>"]:
                self.assertNotIn(hostile, page)

    def test_columns_are_found_by_name_in_any_order(self):
        self.write("names.csv", self.NAMES)
        self.write("turned.csv", self.NAMES, order=[5, 3, 0, 6, 2, 4, 1])
        self.train("names.csv")
        self.assertEqual(self.scores("model.json", "turned.csv"), self.scores("model.json", "names.csv"))

    def test_a_name_used_twice(self):
        for name in ["a", "", "<b>", "two\nlines"]:
            with self.subTest(name=name):
                self.write("twice.csv", ["first", name, "third", name])
                for command in [["train", "twice.csv", "-o", "model.json"], ["describe", "twice.csv"]]:
                    done = self.try_run(*command)
                    if name:
                        self.assert_refused(done, 1, "twice.csv: two columns are called", "rename one")
                    self.assertLessEqual(done.stderr.count("\n"), 1)
        columns = [f"c{j % (COLUMNS - 1)}" for j in range(COLUMNS)]
        self.plant("twice.csv", [[*columns, "y"], *[[n % 3] * COLUMNS + ["pq"[n % 2]] for n in range(4)]])
        self.assert_refused(self.try_run("train", "twice.csv", "-o", "model.json"), 1,
                            "two columns are called 'c0'")


if __name__ == "__main__":
    unittest.main()
