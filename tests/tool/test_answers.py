#!/usr/bin/env python3
"""Typed answers: every reason for which predict gives none, and that no row keeps another from its
answer."""

import csv
import json
import random
import unittest

from patients import HEADER, PatientsTest, patients

# A row, its reason, and what the reason is about.
REASONS = [
    (["far", 1000, 1, "M", ""], "unfamiliar", "column 'age' is 1000; training: "),
    (["minus", -99, -99, "F", ""], "unfamiliar", "is -99; training: "),
    (["gap", "", 1, "F", ""], "incomplete", "column 'age' has no value"),
    (["gap too", "N/A", 1, "F", ""], "incomplete", "column 'age' has no value"),
    (["no sex", 50, 1, "?", ""], "incomplete", "column 'sex' has no value"),
    (["odd", 50, 1, "X", ""], "unseen", "column 'sex' is 'X', which training never met"),
    (["both", "", 1, "X", ""], "incomplete", "column 'age' has no value"),
    (["word", "fifty", 1, "M", ""], "unreadable", "column 'age': 'fifty' is not a number"),
    (["short", 50], "unreadable", "2 fields where the first row has 5"),
    (["long", 50, 1, "M", "", ""], "unreadable", "6 fields where the first row has 5"),
    (["endless", "inf", 1, "M", ""], "unreadable", "column 'age'"),
]
WHATEVER_THE_SCORE = {"unfamiliar", "incomplete", "unseen", "unreadable"}


def reason_of(answer):
    return answer["reason"].split(":")[0]


class Reasons(PatientsTest):
    def setUp(self):
        super().setUp()
        self.model = self.train_on_patients()
        [surface] = self.model["surfaces"]
        self.rho = surface["band"]["rho"]

    def test_each_reason_is_given_with_what_it_is_about(self):
        self.plant_table("odd.csv", [row for row, _, _ in REASONS])
        answers = self.predictions("model.json", "odd.csv")
        for answer, (row, reason, about) in zip(answers, REASONS, strict=True):
            with self.subTest(row=row):
                self.assertEqual(answer["name"], row[0])
                self.assertEqual(answer["prediction"], "reject")
                self.assertTrue(answer["reason"].startswith(f"{reason}: "), answer)
                self.assertIn(about, answer["reason"])
                self.assertEqual(answer["score"] == "", reason == "unreadable", answer)

    def test_an_unreadable_row_is_named_by_its_line(self):
        self.plant("odd.csv", 'name,age,dose,sex,outcome\na,50,1,M,\n\n"b\nb",50,1,M,\nc,x,1,M,\n')
        self.run_well("predict", "model.json", "odd.csv", "-o", "answers.csv")
        _, answers = self.rows_of("answers.csv")
        self.assertEqual([name for name, *_ in answers], ["a", "b\nb", "c"])
        self.assertIn("line 6: column 'age': 'x'", answers[2][-1])

    def test_they_are_counted_on_standard_error(self):
        self.plant_table("odd.csv", [row for row, _, _ in REASONS])
        done = self.try_run("predict", "model.json", "odd.csv")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, f"rampart: odd.csv: {len(REASONS)} of {len(REASONS)} rows rejected "
                         "whatever their score: 2 unfamiliar, 4 incomplete, 1 unseen, 4 unreadable\n")
        self.assertEqual(self.try_run("predict", "model.json", "odd.csv", "-q").stderr, "")

    def test_the_score_and_the_band_decide_about_all_other_rows(self):
        self.plant_table("new.csv", patients(1000, seed=2))
        answers = self.predictions("model.json", "new.csv")
        seen = set()
        for answer in answers:
            if reason_of(answer) in WHATEVER_THE_SCORE:
                continue
            score = float(answer["score"])
            expected = (("reject", "ambiguous") if abs(score) <= self.rho
                        else (("well" if score > 0 else "sick"), ""))
            self.assertEqual((answer["prediction"], answer["reason"]), expected)
            seen.add(expected[0])
        self.assertEqual(seen, {"sick", "reject", "well"})

    def test_a_value_that_training_rows_missed_may_be_missing(self):
        rows = [[name, age, "", sex, ""] for name, age, _, sex, _ in patients(50, seed=3)]
        self.plant_table("new.csv", rows)
        reasons = {reason_of(answer) for answer in self.predictions("model.json", "new.csv")}
        self.assertLessEqual(reasons, {"", "ambiguous", "unfamiliar"})

    def test_lenient_options_answer_as_if_it_were_not_so(self):
        """An imputed row is the row with the training median; the reasons that are not forgiven stay."""
        ages = sorted(row[1] for row in patients(300, seed=1))
        median = (ages[149] + ages[150]) / 2
        self.plant_table("gap.csv", [["a", "", 1, "M", ""], ["b", "", 1, "X", ""]])
        self.plant_table("filled.csv", [["a", median, 1, "M", ""], ["b", median, 1, "X", ""]])
        gap = self.predictions("model.json", "gap.csv", "--on-incomplete", "impute")
        self.assertEqual(gap, self.predictions("model.json", "filled.csv"))
        self.assertEqual(reason_of(gap[1]), "unseen")
        ignored = self.predictions("model.json", "gap.csv", "--on-unseen", "ignore")
        self.assertEqual([reason_of(answer) for answer in ignored], ["incomplete", "incomplete"])
        both = self.predictions("model.json", "gap.csv", "--on-incomplete", "impute", "--on-unseen",
                                "ignore")
        self.assertLessEqual({reason_of(answer) for answer in both}, {"", "ambiguous"})

    def test_json_says_the_same(self):
        self.plant_table("new.csv", [*patients(20, seed=4), *(row for row, _, _ in REASONS)])
        answers = self.predictions("model.json", "new.csv")
        shown = self.run_json("predict", "model.json", "new.csv")
        self.assertEqual(shown["id"], "name")
        self.assertEqual(shown["ids"], [answer["name"] for answer in answers])
        self.assertEqual(shown["predictions"], [answer["prediction"] for answer in answers])
        self.assertEqual(shown["reasons"], [reason_of(answer) for answer in answers])
        self.assertEqual([": ".join(filter(None, pair))
                          for pair in zip(shown["reasons"], shown["details"])],
                         [answer["reason"] for answer in answers])
        self.assertEqual(shown["scores"], [float(answer["score"]) if answer["score"] else None
                                           for answer in answers])
        counts = {reason: shown["reasons"].count(reason) for reason in set(shown["reasons"]) - {""}}
        self.assertEqual(shown["rejected"], counts)
        self.assertEqual(shown["answered"], shown["reasons"].count(""))
        self.assertEqual(shown["rows"], len(answers))


class MinusNinetyNine(PatientsTest):
    def test_a_row_of_them_gets_no_answer(self):
        """Far from all data f(x) is b or huge: most of these models would answer."""
        answered = 0
        for kernel in [["--kernel", "linear"], ["--kernel", "rbf"], ["--kernel", "polynomial"],
                       ["--kernel", "rbf", "--class-weight", "sick=4"],
                       ["--kernel", "rbf", "--scale", "none"], ["--kernel", "rbf", "--scale", "minmax"]]:
            with self.subTest(kernel=kernel):
                self.plant_table("far.csv", [["a", -99, -99, "M", ""], ["b", -99, "", "F", ""]])
                self.train_on_patients(*kernel)
                for answer in self.predictions("model.json", "far.csv"):
                    self.assertEqual((answer["prediction"], reason_of(answer)), ("reject", "unfamiliar"))
                self.train_on_patients(*kernel, "--unfamiliar", "0")
                answered += sum(answer["prediction"] != "reject"
                                for answer in self.predictions("model.json", "far.csv"))
        self.assertGreater(answered, 0)


class OneBadRow(PatientsTest):
    def test_it_never_loses_the_others(self):
        """Among rows of three batches, wherever it stands, all other lines stay as they were."""
        self.train_on_patients("--kernel", "linear")
        good = patients(9000, seed=5)
        self.plant_table("good.csv", good)
        expected = self.run_well("predict", "model.json", "good.csv").splitlines()
        dice = random.Random(6)
        for row, reason, _ in REASONS:
            for place in [0, len(good), dice.randrange(len(good))]:
                with self.subTest(row=row, place=place):
                    self.plant_table("mixed.csv", [*good[:place], row, *good[place:]])
                    lines = self.run_well("predict", "model.json", "mixed.csv").splitlines()
                    bad = lines.pop(place + 1)
                    self.assertEqual(lines, expected)
                    self.assertTrue(bad.startswith(f"{row[0]},reject,"), bad)
                    self.assertIn(reason, bad)

    def test_rows_of_libsvm_files_too(self):
        self.generate("square", "train.csv", "-n", "100")
        self.run_well("convert", "train.csv", "train.svm")
        self.train("train.svm")
        self.plant("new.svm", "1 1:0.5 2:0.5\n1 1:x\n1 2:0.1 1:0.1\n-1 1:0.1 2:0.1\n")
        answers = self.predictions("model.json", "new.svm")
        self.assertEqual([reason_of(answer) == "unreadable" for answer in answers],
                         [False, True, True, False])
        self.assertEqual([answer["row"] for answer in answers], ["1", "2", "3", "4"])
        self.assertIn("line 2: ", answers[1]["reason"])

    def test_strict_makes_it_an_error(self):
        self.train_on_patients()
        for row, reason, about in REASONS:
            with self.subTest(row=row):
                self.plant_table("mixed.csv", [*patients(20, seed=7), row])
                done = self.try_run("predict", "model.json", "mixed.csv", "--strict", "-o", "answers.csv")
                if reason == "unfamiliar":
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.path("answers.csv").unlink()
                    continue
                self.assert_refused(done, 1, "mixed.csv", about)
                self.assertIn("22" if reason == "unreadable" else "row 21", done.stderr)
                self.assertNotIn("answers.csv", self.files())

    def test_strict_forgives_what_is_forgiven(self):
        self.train_on_patients()
        self.plant_table("gap.csv", [["a", "", 1, "X", ""]])
        self.run_well("predict", "model.json", "gap.csv", "--strict", "--on-incomplete", "impute",
                      "--on-unseen", "ignore")


class Columns(PatientsTest):
    def setUp(self):
        super().setUp()
        self.train_on_patients()
        self.notes = ['says "no"', "a, b", "two\nlines", "größer", ""]
        rows = [[*row, note] for row, note in zip(patients(5, seed=8), self.notes)]
        with open(self.path("new.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[*HEADER, 'the "note"'], *rows, ["short", 50]])
        self.rows = rows

    def kept(self, *columns):
        self.run_well("predict", "model.json", "new.csv", "--keep", *columns, "-o", "answers.csv")
        return self.rows_of("answers.csv")

    def test_kept_cells_are_as_they_were(self):
        header, rows = self.kept('the "note",sex')
        self.assertEqual(header, ["name", "prediction", "score", "reason", 'the "note"', "sex"])
        self.assertEqual([row[4] for row in rows], [*self.notes, ""])
        self.assertEqual([row[5] for row in rows], [*(row[3] for row in self.rows), ""])

    def test_all_keeps_each_column_once(self):
        header, rows = self.kept("all")
        self.assertEqual(header, ["name", "prediction", "score", "reason", *HEADER[1:], 'the "note"'])
        self.assertEqual([row[:1] + row[4:] for row in rows[:-1]],
                         [list(map(str, row)) for row in self.rows])
        self.assertEqual(rows[-1][:1] + rows[-1][4:], ["short", "50", "", "", "", ""])

    def test_columns_by_number_and_in_json(self):
        shown = self.run_json("predict", "model.json", "new.csv", "--keep", "6,2")
        self.assertEqual(shown["kept_columns"], ['the "note"', "age"])
        self.assertEqual([row[0] for row in shown["kept"]], [*self.notes, ""])
        self.assertEqual([row[1] for row in shown["kept"][:-1]], [str(row[1]) for row in self.rows])

    def test_a_column_that_is_not_there(self):
        done = self.try_run("predict", "model.json", "new.csv", "--keep", "ward", "-o", "answers.csv")
        self.assert_refused(done, 1, "new.csv", "'ward'")
        self.assertNotIn("answers.csv", self.files())


class Ids(PatientsTest):
    def test_the_id_is_no_feature(self):
        """Other ids, or none at all, change no score."""
        model = self.train_on_patients()
        self.assertNotIn("name", json.dumps(model["features"]["names"] if "features" in model else
                                            model["surfaces"]))
        new = patients(40, seed=9)
        self.plant_table("new.csv", new)
        self.plant_table("renamed.csv", [[f"q{n}", *row[1:]] for n, row in enumerate(new)])
        self.plant("unnamed.csv", [HEADER[1:], *(row[1:] for row in new)])
        scores = self.scores("model.json", "new.csv")
        self.assertEqual(self.scores("model.json", "renamed.csv"), scores)
        self.assertEqual(self.scores("model.json", "unnamed.csv"), scores)
        self.assertEqual([answer["row"] for answer in self.predictions("model.json", "unnamed.csv")],
                         [str(n + 1) for n in range(40)])

    def test_ids_may_repeat_and_be_empty(self):
        self.train_on_patients()
        new = [[name, *row[1:]] for name, row in zip(["a", "", "a", "NA"], patients(4, seed=9))]
        self.plant_table("new.csv", new)
        self.assertEqual([answer["name"] for answer in self.predictions("model.json", "new.csv")],
                         ["a", "", "a", "NA"])

    def test_they_are_in_the_data_of_the_page(self):
        self.train_on_patients()
        new = patients(60, seed=10)
        self.plant_table("new.csv", new)
        rejected = {answer["name"] for answer in self.predictions("model.json", "new.csv")
                    if answer["prediction"] == "reject"}
        text = self.run_well("report", "model.json", "new.csv", "--json")
        self.assertTrue(rejected)
        for name in rejected:
            self.assertIn(f'"{name}"', text)


class Worklist(PatientsTest):
    def test_it_is_the_rejected_rows_and_the_least_certain_come_first(self):
        self.train_on_patients()
        rows = [*patients(300, seed=11), *(row for row, _, _ in REASONS)]
        random.Random(12).shuffle(rows)
        self.plant_table("new.csv", rows)
        text = self.run_well("predict", "model.json", "new.csv", "--rejected", "work.csv", "--keep", "sex")
        answers = list(csv.DictReader(text.splitlines()))
        rejected = [answer for answer in answers if answer["prediction"] == "reject"]

        def order(answer):
            return reason_of(answer) == "ambiguous", abs(float(answer["score"] or 0))

        work = list(csv.DictReader(self.path("work.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual(work, sorted(rejected, key=order))
        self.assertEqual(work[0].keys(), answers[0].keys())

    def test_it_is_written_beside_json_and_files(self):
        self.train_on_patients()
        self.plant_table("new.csv", patients(100, seed=13))
        for how in [["--json"], ["-o", "answers.csv"], ["--stream"]]:
            self.run_well("predict", "model.json", "new.csv", "--rejected", f"work{how[0]}.csv", *how)
        texts = {self.path(name).read_text(encoding="utf-8")
                 for name in ["work--json.csv", "work-o.csv", "work--stream.csv"]}
        self.assertEqual(len(texts), 1)

    def test_files_that_would_be_lost(self):
        self.train_on_patients()
        self.plant_table("new.csv", patients(10, seed=13))
        for rejected, output in [("new.csv", "a.csv"), ("model.json", "a.csv"), ("a.csv", "a.csv"),
                                 ("-", "-")]:
            with self.subTest(rejected=rejected, output=output):
                before = {name: self.path(name).read_bytes() for name in self.files()}
                done = self.try_run("predict", "model.json", "new.csv", "--rejected", rejected, "-o",
                                    output)
                self.assert_refused(done, 2)
                self.assertEqual({name: self.path(name).read_bytes() for name in self.files()}, before)


if __name__ == "__main__":
    unittest.main()
