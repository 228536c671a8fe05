#!/usr/bin/env python3
"""Tuning for people who do not know the grid or the cost yet: a grid that grows, several reject costs, and
what is said where no answer pays."""

import json
import random
import re
import unittest

from test_tune import GRID, Tune


class Widened(Tune):
    """The grid that is not named grows once where its best point lies."""

    def test_is_the_same_as_the_wider_grid(self):
        ends = set()
        for d in ["0.1", "0.2", "0.3", "0.4"]:
            for rows in ["40", "60", "80"]:
                self.generate("square", "data.csv", "-n", rows)
                options = ["-v", "3", "--d", d, "--kernel", "linear"]
                done = self.try_run("tune", "data.csv", "-o", "tuned.json", *options, "--json",
                                    "--table", "grid.csv")
                report = json.loads(done.stdout)
                found = [point["C"] for point in report["grid"]]
                model, table = self.bytes_of("tuned.json"), self.bytes_of("grid.csv")
                asked = self.tune(*options, "-c", ",".join(map(repr, found)), "--table", "grid.csv")
                self.assertEqual({**asked, "widened": report["widened"]}, report)
                self.assertEqual((self.bytes_of("tuned.json"), self.bytes_of("grid.csv")),
                                 (model, table))
                end = "-" if found[0] < 0.125 else "+" if found[-1] > 512 else ""
                ends.add(end)
                self.assertEqual(report["widened"], end != "")
                self.assertEqual(len(found), 10 if end else 7)
                words = {"-": "the smallest C: the grid was widened to C = 2^-9",
                         "+": "the largest C: the grid was widened to C = 2^15"}
                self.assertEqual("widened" in done.stderr, end != "")
                self.assertIn(words.get(end, ""), done.stderr)
        self.assertGreater(len(ends), 1, "all of them are alike: this shows too little")

    def test_a_grid_that_is_named_does_not_grow(self):
        for grid in [["-c", "0.001", "-g", "1"], ["--log2c", "-9,-7,2", "--log2g", "1,3,2"]]:
            self.assertFalse(self.tune(*grid, "-v", "2", "--d", "0.4")["widened"])

    def test_cut_short_anywhere_goes_on(self):
        self.generate("square", "data.csv", "-n", "40")
        options = ["-v", "2", "--d", "0.3,0.4", "--nested", "--kernel", "linear", "--scale", "none"]
        model = "tuned-{d}.json"
        expected = self.tune(*options, model=model)
        self.assertTrue(any(one["widened"] for one in expected["results"]), "nothing was widened")
        models = self.bytes_of("tuned-0.3.json"), self.bytes_of("tuned-0.4.json")
        self.assertEqual(self.tune(*options, "--journal", "journal", model=model), expected)
        whole = self.bytes_of("journal").splitlines(keepends=True)
        for cut in range(1, len(whole), len(whole) // 6):
            self.plant("journal", b"".join(whole[:cut]) + b'{"part"')
            self.assertEqual(self.tune(*options, "--journal", "journal", model=model), expected)
            self.assertEqual((self.bytes_of("tuned-0.3.json"), self.bytes_of("tuned-0.4.json")), models)
            self.assertEqual(sorted(self.bytes_of("journal").splitlines(keepends=True)),
                             sorted(whole))


class SeveralCosts(Tune):
    def test_give_the_models_and_numbers_that_each_gives_alone(self):
        options = [*GRID, "-v", "3", "--nested"]
        report = self.tune(*options, "--d", "0.1,0.3", "--table", "grid.csv", model="both-{d}.json")
        _, lines = self.rows_of("grid.csv")
        expected = []
        for d, found in zip(["0.1", "0.3"], report["results"]):
            alone = self.tune(*options, "--d", d, "--table", "one.csv", model=f"one-{d}.json")
            self.assertEqual({**alone, "model": f"both-{d}.json"}, found)
            self.assertEqual(self.bytes_of(f"both-{d}.json"), self.bytes_of(f"one-{d}.json"))
            expected += self.rows_of("one.csv")[1]
        self.assertEqual(lines, expected)

    def test_of_a_support_vector_machine_too(self):
        options = ["--loss", "hinge", "-c", "1,4", "-g", "1", "-v", "2"]
        self.tune(*options, "--d", "0.1:0.3:0.1", model="both-{d}.json")
        for d in ["0.1", "0.2", "0.3"]:
            self.tune(*options, "--d", d, model="one.json")
            self.assertEqual(self.bytes_of(f"both-{d}.json"), self.bytes_of("one.json"))

    def test_are_a_table_in_words(self):
        text = self.run_well("tune", "data.csv", "-o", "m-{d}.json", *GRID, "--d", "0.1,0.3")
        self.assertIn("wrote 2 models, m-0.1.json to m-0.3.json", text)
        self.assertRegex(text, r"(?m)^ +0\.1 +4 .* C = ")
        self.assertRegex(text, r"(?m)^ +0\.3 +4 .* C = ")

    def test_need_a_name_each(self):
        self.assert_refused(self.try_run("tune", "data.csv", "-o", "m.json", "--d", "0.1,0.3"), 2,
                            "needs {d} in its name")


class Unsupported(Tune):
    """Where rejecting everything is best, it says so, and at which d answering would pay."""

    def setUp(self):
        super().setUp()
        labels = random.Random(4)
        _, rows = self.rows_of("data.csv")
        self.plant("noise.csv", [["x1", "x2", "y"]]
                   + [[*row[:2], labels.choice("ab")] for row in rows])

    def least_share(self, points, one_class):
        """Of wrong answers among the answers, from the definition."""
        shares = [one_class] + [point["never_reject"]["mean"] for point in points]
        shares += [1 - point["accepted_accuracy"]["mean"] for point in points
                   if point["accepted_accuracy"]["mean"] is not None]
        return min(shares)

    def test_by_tune(self):
        told = 0
        for d in ["0.05", "0.2", "0.35", "0.45"]:
            with self.subTest(d=d):
                done = self.try_run("tune", "noise.csv", "-o", "m.json", *GRID, "--d", d, "--scale",
                                    "none", "--json")
                report = json.loads(done.stdout)
                share = self.least_share(report["grid"], report["majority"]["risk"])
                words = re.search(r"at d = (\S+) these data do not support answering: rejecting every "
                                  r"row costs least; the best answers here are wrong in (\S+) %, so "
                                  r"answering pays above d = (\S+) at the latest; --scale standard may change that\n",
                                  done.stderr)
                self.assertEqual(words is not None, float(d) <= share, done.stderr)
                if words is None:
                    continue
                told += 1
                self.assertEqual(words.group(1), d)
                self.assertAlmostEqual(float(words.group(2)), 100 * share, delta=0.051)
                self.assertGreaterEqual(float(words.group(3)), share - 1e-9)
                self.assertLess(float(words.group(3)), share + 0.001)
                self.assertNotIn("another grid", done.stderr)
                scaled = self.try_run("tune", "noise.csv", "-o", "m.json", *GRID, "--d", d, "--scale",
                                      "standard").stderr
                self.assertNotIn("--scale", scaled)
        self.assertGreater(told, 0)

    def test_hardly_by_tune(self):
        """One right answer is no support to speak of."""
        noise = [[x, y, label] for x in range(10) for y in range(10) for label in "aabb"]
        self.plant("few.csv", [["x1", "x2", "y"], *noise, *[[30, 30, "b"]] * 3])
        done = self.try_run("tune", "few.csv", "-o", "m.json", "-c", "100", "-g", "0.1", "--d", "0.02",
                            "--scale", "none", "--json")
        report = json.loads(done.stdout)
        answered = 1 - report["best"]["rejection_rate"]["mean"]
        self.assertTrue(0 < answered <= 0.01, answered)
        self.assertIn(f"the best point answers only {100 * answered:.1f} % of the rows: these data "
                      "hardly support answering at this cost", done.stderr)
        never = min(report["best"]["never_reject"]["mean"], report["majority"]["risk"])
        pays = float(done.stderr.split("and pay above d = ")[1])
        self.assertTrue(never <= pays < never + 0.001)

    def test_by_cv(self):
        options = ["noise.csv", "-c", "8", "-g", "4", "-v", "3", "--repeats", "1", "--d",
                   "0.05,0.2,0.45"]
        report = self.run_json("cv", *options)["results"]
        share = self.least_share(report, report[0]["majority"]["risk"])
        costs = [d for d in ["0.05", "0.2", "0.45"] if float(d) <= share]
        self.assertTrue(costs)
        text = self.run_well("cv", *options)
        self.assertIn(f"at d = {', '.join(costs)} these data do not support answering", text)
        self.assertNotIn("support", self.run_well("cv", "data.csv", "-c", "8", "-g", "2", "--repeats",
                                                  "1", "--d", "0.4"))

    def test_by_train(self):
        text = self.run_well("train", "noise.csv", "-o", "m.json", "-c", "0.001", "--d", "0.1",
                             "--scale", "none")
        self.assertIn("the model never answers: these rows do not support answering at this cost", text)
        rows = [row[2] for row in self.rows_of("noise.csv")[1]]
        share = min(rows.count("a"), rows.count("b")) / len(rows)
        self.assertIn(f"is wrong in {100 * share:.1f} %: at d > ", text)
        self.assertIn("--scale standard often helps", text)
        scaled = self.run_well("train", "noise.csv", "-o", "m.json", "-c", "0.001", "--d", "0.1",
                               "--scale", "standard")
        self.assertIn("never answers", scaled)
        self.assertNotIn("--scale", scaled)


if __name__ == "__main__":
    unittest.main()
