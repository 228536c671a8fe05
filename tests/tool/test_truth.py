#!/usr/bin/env python3
"""What training says is true of the model it writes."""

import json
import unittest

from rampart_command import CommandTest, facts_of


class Certificates(CommandTest):
    def test_a_kernel_that_is_not_semidefinite_certifies_nothing(self):
        self.generate("square", "g.csv")
        options = ["g.csv", "--kernel", "sigmoid", "--loss", "generalized-hinge"]
        done = self.try_run("train", "-o", "g.json", *options)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("certified gap", done.stdout)
        self.assertNotIn("converged", done.stdout)
        self.assertIn("not certified (the kernel is not known to be positive semidefinite)",
                      done.stdout)
        self.assertIn("nothing cheaper was found than w = 0", done.stderr)
        training = facts_of(json.loads(self.path("g.json").read_text()))["training"]
        self.assertIsNone(training["gap"])
        self.assertLessEqual(training["objective"], 400)  # what w = 0 costs
        self.assertIn("not certified", self.run_well("inspect", "g.json"))

        report = self.run_json("train", "-o", "g.json", "g.csv", "--kernel", "sigmoid")
        self.assertIsNone(report["gap"])
        self.assertIn(report["status"], ("stationary", "stalled"))
        self.assert_refused(self.try_run("train", "-o", "strict.json", *options, "--strict"), 3,
                            "did not converge")
        self.assertNotIn("strict.json", self.files())
        several = self.run_well("train", "-o", "g-{d}.json", *options, "--d", "0.1,0.2")
        self.assertNotIn("converged", several)

    def test_minus_the_unit_matrix_leaves_w_at_zero(self):
        self.plant("k.csv", "-1,0,a\n0,-1,b\n")
        report = self.run_json("train", "k.csv", "-o", "k.json", "--kernel", "precomputed",
                               "--loss", "hinge", "--band-folds", "0")
        self.assertEqual(report["objective"], 2)
        self.assertEqual(report["support_vectors"], 0)

    def test_a_gap_near_one_is_explained(self):
        # Separable by a margin of 2e7: R is tiny, and the tolerance large beside it.
        self.plant("wide.csv", [[sign * 1e7 * (n + 1), label] for n in range(5)
                                for sign, label in ((1, "p"), (-1, "q"))])
        text = self.run_well("train", "wide.csv", "-o", "m.json", "--kernel", "linear", "--solver",
                             "smo", "-e", "0.5", "--scale", "none")
        self.assertIn("converged", text)
        self.assertRegex(text, r"certified gap \d\.\de[+-]\d\d of R, \d\.\de-\d\d in all\n")
        self.assertIn("the gap is large because the tolerance, or rounding, is large", text)
        several = self.run_well("train", "wide.csv", "-o", "m-{d}.json", "--kernel", "linear",
                                "--solver", "smo", "-e", "0.5", "--d", "0.1,0.2", "--scale", "none")
        self.assertIn("A large gap beside 'converged'", several)
        self.assertRegex(self.run_well("inspect", "m.json"), r"of R, \d\.\de-\d\d in all\n")


class AConstantFeatureFarFromZero(CommandTest):
    def train_report(self, data):
        return self.run_json("train", data, "-o", f"{data}.json", "--kernel", "linear", "-c", "10")

    def test_changes_nothing(self):
        self.generate("square", "plain.csv", "-n", "60", "--seed", "2")
        header, rows = self.rows_of("plain.csv")
        plain = self.train_report("plain.csv")
        for constant in ("5000000", "5e7", "1.7e9", "1e10", "-1e12"):
            with self.subTest(constant=constant):
                self.plant("far.csv", [["k", *header], *([constant, *row] for row in rows)])
                report = self.train_report("far.csv")
                values = [entry["objective"] for entry in report["history"]]
                self.assertEqual(values, sorted(values, reverse=True))
                self.assertEqual(report["objective"], plain["objective"])
                evaluation = self.run_json("evaluate", "far.csv.json", "far.csv")
                self.assertEqual(evaluation["risk"], report["training"]["risk"])


if __name__ == "__main__":
    unittest.main()
