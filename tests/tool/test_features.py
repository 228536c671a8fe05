#!/usr/bin/env python3
"""Explicit features in place of the RBF kernel: landmarks and random Fourier features."""

import csv
import unittest

from rampart_command import CommandTest, facts_of

COMMON = ["-c", "8", "-g", "0.5", "--scale", "none"]
MAPS = {"landmarks": ["--landmarks", "60"], "fourier": ["--features", "400"]}


class Features(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("synthetic2", "data.csv", "-n", "400")

    def test_models_come_close_to_that_of_the_kernel(self):
        self.generate("synthetic2", "test.csv", "-n", "2000", "--seed", "9")
        self.train("data.csv", *COMMON, model="exact.json")
        exact = self.run_json("evaluate", "exact.json", "test.csv")["risk"]
        for kind, options in MAPS.items():
            with self.subTest(kind=kind):
                self.train("data.csv", *COMMON, *options, model="mapped.json")
                mapped = self.run_json("evaluate", "mapped.json", "test.csv")["risk"]
                self.assertAlmostEqual(mapped, exact, delta=0.02)

    def test_models_have_the_vectors_and_the_kernel_they_need(self):
        landmarks = self.train("data.csv", *COMMON, *MAPS["landmarks"])
        self.assertEqual(landmarks["kernel"], {"type": "rbf", "gamma": 0.5})
        self.assertLessEqual(len(landmarks["vectors"]), 60)
        self.assertEqual(facts_of(landmarks)["training"]["landmarks"], 60)
        self.assertIn("60 landmarks of 400 rows", self.run_well("inspect", "model.json"))
        fourier = self.train("data.csv", *COMMON, *MAPS["fourier"])
        self.assertEqual(fourier["kernel"], {"type": "fourier", "gamma": 0.5})
        self.assertEqual(len(fourier["vectors"]), 400)
        self.assertIn("400 random frequencies", self.run_well("inspect", "model.json"))

    def test_models_do_not_depend_on_threads_or_cache(self):
        for kind, options in MAPS.items():
            with self.subTest(kind=kind):
                results = set()
                for how in [["--threads", "1"], ["--threads", "2"], ["--cache-mb", "0"]]:
                    self.train("data.csv", *COMMON, *options, *how)
                    results.add(self.path("model.json").read_bytes())
                self.assertEqual(len(results), 1)

    def test_cv_and_tune_take_them(self):
        for kind, options in MAPS.items():
            with self.subTest(kind=kind):
                self.run_well("cv", "data.csv", *COMMON, *options, "--folds", "3", "-o", "folds.csv")
                with open(self.path("folds.csv"), encoding="utf-8") as file:
                    self.assertEqual({row["status"] for row in csv.DictReader(file)}, {"converged"})
                self.run_well("tune", "data.csv", "-c", "1,8", "-g", "0.5", *options, "-o",
                              "tuned.json", "--folds", "3")

    def test_what_does_not_fit_is_refused(self):
        for options, code, words in [
                (["--landmarks", "401"], 1, ["landmarks = 401", "400 rows"]),
                (["--landmarks", "10", "--features", "10"], 2, ["--landmarks", "--features"]),
                (["--landmarks", "10", "--kernel", "linear"], 2, ["landmarks = 10", "rbf"]),
                (["--features", "10", "--kernel", "sigmoid"], 2, ["features = 10", "rbf"]),
                (["--features", "0"], 2, ["features"]),
                (["--landmarks", "0"], 2, ["landmarks"]),
                (["--landmarks", "-1"], 2, ["--landmarks"]),
                (["--features", "1000000"], 2, ["features = 1000000", "at most"]),
                (["--landmarks", "10", "--solver", "smo"], 2, ["solver smo"]),
                (["--kernel", "fourier"], 2, ["--kernel", "'fourier'"])]:
            with self.subTest(options=options):
                done = self.try_run("train", "data.csv", "-o", "out.json", *options)
                self.assert_refused(done, code, *words)
                self.assertFalse(self.path("out.json").exists())


class ManyRows(CommandTest):
    def test_a_kernel_for_many_rows_is_told_of_landmarks(self):
        self.generate("synthetic2", "many.csv", "-n", "50001")
        options = ["-o", "model.json", "--max-seconds", "0.1"]
        done = self.try_run("train", "many.csv", *options)
        [line] = [line for line in done.stderr.splitlines() if "--landmarks" in line]
        for word in ["50001 rows", "estimate", "about"]:
            self.assertIn(word, line)
        for how in [["-q"], ["--landmarks", "5"], ["--kernel", "linear"]]:
            with self.subTest(how=how):
                self.assertNotIn("--landmarks", self.try_run("train", "many.csv", *options, *how).stderr)


if __name__ == "__main__":
    unittest.main()
