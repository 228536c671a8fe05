#!/usr/bin/env python3
"""Training keeps to its limits of time, steps and memory, and says which one it met."""

import json
import resource
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest, facts_of

GIGABYTE = 1 << 30


class TimeAndSteps(CommandTest):
    """Features of very different ranges, on which training takes for ever."""

    def setUp(self):
        super().setUp()
        self.generate("square", "square.csv", "-n", "700")
        header, rows = self.rows_of("square.csv")
        self.plant("data.csv", [header, *([float(a), 1e4 * float(b), y] for a, b, y in rows)])

    def test_end_with_a_model_and_the_status_of_the_limit(self):
        for kernel in [["--kernel", "linear", "--solver", "smo", "-c", "1000"], ["-c", "1e8"]]:
            for limit, status in [(["--max-steps", "1000"], "step limit"),
                                  (["--max-seconds", "0.2"], "time limit")]:
                with self.subTest(kernel=kernel, limit=limit):
                    begin = time.monotonic()
                    done = self.try_run("train", "data.csv", "-o", "model.json", "-e", "1e-9",
                                        "--scale", "none", *kernel, *limit)
                    self.assertLess(time.monotonic() - begin, LONGEST / 4)
                    self.assertEqual(done.returncode, 0)
                    self.assertTrue(any(line.startswith(status) for line in done.stdout.splitlines()),
                                    done.stdout)
                    advice, trouble = done.stderr.splitlines()
                    self.assertIn("--scale", advice)
                    self.assertIn(f"did not converge: {status} after", trouble)
                    model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
                    self.assertEqual(facts_of(model)["training"]["status"], status)
                    self.assertEqual(len(self.scores("model.json", "data.csv")), 700)
                    self.assertIn(status, self.run_well("inspect", "model.json"))

    def test_the_linear_solver_ends_at_its_limit_of_passes_with_a_model(self):
        done = self.try_run("train", "data.csv", "-o", "model.json", "-e", "1e-9", "--scale", "none",
                            "--kernel", "linear", "-c", "1000", "--max-steps", "5")
        self.assertEqual(done.returncode, 0)
        self.assertIn("step limit after", done.stdout)
        self.assertIn("did not converge: step limit after", done.stderr)
        self.assertEqual(len(self.scores("model.json", "data.csv")), 700)

    def test_with_strict_the_time_limit_is_3_and_no_model(self):
        done = self.try_run("train", "data.csv", "-o", "model.json", "--kernel", "linear",
                            "--solver", "smo", "-c", "1000", "-e", "1e-9", "--max-seconds", "0.1",
                            "--strict", "--scale", "none")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertNotIn("model.json", self.files())

    def test_the_time_limit_is_one_for_each_training_of_cv(self):
        done = self.try_run("cv", "data.csv", "--kernel", "linear", "--solver", "smo", "-c", "1000",
                            "-e", "1e-9",
                            "-v", "2", "--repeats", "1", "--max-seconds", "0.1", "--json",
                            "--scale", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 of 2 trainings did not converge", done.stderr)
        self.assertIn("--max-seconds", done.stderr)


class Memory(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("synthetic1", "data.svm", "-n", "20000")  # 1.6 GB of kernel values
        if self.limited("--version").returncode != 0:
            self.skipTest("needs more address space than that: built with a sanitizer")

    def limited(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
        done = subprocess.run([RAMPART, *arguments], cwd=self.folder, preexec_fn=limit,
                              capture_output=True, timeout=LONGEST, check=False)
        done.stdout = done.stdout.decode()
        done.stderr = done.stderr.decode()
        return done

    def test_more_than_there_is_is_an_error_that_names_the_option(self):
        done = self.limited("train", "data.svm", "-o", "model.json", "--cache-mb", "100000")
        self.assert_refused(done, 1, "data.svm", "MB for kernel rows", "--cache-mb")
        self.assertEqual(self.files(), ["data.svm"])

    def test_the_default_keeps_to_half_of_what_the_process_may_use(self):
        self.assertIn("(512 here)", self.limited("train", "--help").stdout)
        done = self.limited("train", "data.svm", "-o", "model.json", "--threads", "1",
                            "--max-steps", "5000")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
