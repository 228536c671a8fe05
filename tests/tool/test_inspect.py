#!/usr/bin/env python3
"""The zone of every training row, and who is in the model: the paper's table of gammas."""

import csv
import unittest

from rampart_command import CommandTest, facts_of

ZONES = ["safe", "margin", "plateau", "near miss", "ignored outlier"]
HOLD_A_SURFACE = {"margin", "near miss"}


class Zones(CommandTest):
    def problems(self):
        """Models with a kernel, whose vectors are rows as they stand in the file."""
        for name, which, options in [
            ("square", ["square"], ["-c", "100", "-g", "2"]),
            ("wide band", ["square"], ["-c", "100", "-g", "2", "--d", "0.05"]),
            ("small mu", ["square"], ["-c", "10", "--mu", "0.2"]),
            ("mixtures", ["synthetic2"], ["-c", "64", "-g", "0.25"]),
            ("polynomial", ["synthetic2"], ["--kernel", "polynomial", "--coef0", "1", "-g", "0.5"]),
            ("costs", ["synthetic2"], ["-c", "8", "-g", "0.5", "--costs", "1,3,0.3,0.2"]),
            ("single", ["synthetic1", "-n", "3000"], ["-g", "0.1", "-c", "2"]),
        ]:
            self.generate(which[0], "data.csv", *which[1:])
            model = facts_of(self.train("data.csv", "--scale", "none", *options))
            self.assertEqual(model["training"]["status"], "converged")
            text = self.run_well("inspect", "model.json", "--points", "data.csv")
            yield name, model, list(csv.DictReader(text.splitlines()))

    def test_every_row_has_one_and_the_counts_add_up(self):
        for name, model, points in self.problems():
            with self.subTest(problem=name):
                counts = self.run_json("inspect", "model.json", "--points", "data.csv")["zones"]
                self.assertEqual(list(counts), ZONES)
                self.assertEqual(sum(counts.values()), model["training"]["rows"])
                for zone in ZONES:
                    self.assertEqual(sum(row["zone"] == zone for row in points), counts[zone])
                self.assertEqual([int(row["row"]) for row in points],
                                 list(range(1, len(points) + 1)))

    def test_the_margin_is_the_score_on_the_side_of_the_label(self):
        for name, model, points in self.problems():
            with self.subTest(problem=name):
                for row in points:
                    sign = 1 if row["label"] == model["classes"][1] else -1
                    self.assertEqual(float(row["margin"]), sign * float(row["score"]))

    def test_follow_from_the_margin(self):
        for name, model, points in self.problems():
            with self.subTest(problem=name):
                rho, mu = model["rho"], model["mu"]
                slack = max(2 * model["training"]["violation"], 2e-9)
                bounds = {"safe": (rho + mu, float("inf")),
                          "margin": (rho - mu**2, rho + mu),
                          "plateau": (mu - rho, rho - mu**2),
                          "near miss": (-rho - mu**2, mu - rho),
                          "ignored outlier": (-float("inf"), -rho - mu**2)}
                for row in points:
                    low, high = bounds[row["zone"]]
                    self.assertLessEqual(low - slack, float(row["margin"]), row)
                    self.assertGreaterEqual(high + slack, float(row["margin"]), row)

    def test_only_rows_that_hold_a_surface_are_in_the_model(self):
        for name, model, points in self.problems():
            with self.subTest(problem=name):
                _, rows = self.rows_of("data.csv")
                features = [tuple(map(float, row[:-1])) for row in rows]
                self.assertEqual(len(set(features)), len(features), "rows look the same")
                support = set(map(tuple, model["vectors"]))
                self.assertEqual(len(support), len(model["coefficients"]))
                self.assertLessEqual(support, set(features))
                for row, x in zip(points, features):
                    if x in support:
                        self.assertIn(row["zone"], HOLD_A_SURFACE, row)

    def test_coefficients_stay_in_the_boxes_of_their_zones(self):
        # gamma' in [-Cd/mu, Cd/mu] holds the upper surface, gamma'' the lower one with C(1-d)/mu;
        # here the ramps do not overlap, and at most one of them moves.
        for name, model, points in self.problems():
            costs = model["costs"]
            d = costs["reject_positive"]
            symmetric = costs == {"false_positive": 1, "false_negative": 1, "reject_positive": d,
                                  "reject_negative": d}
            if not symmetric or model["rho"] < (model["mu"] + model["mu"] ** 2) / 2:
                continue
            with self.subTest(problem=name):
                _, rows = self.rows_of("data.csv")
                zone = {tuple(map(float, row[:-1])): point for row, point in zip(rows, points)}
                cap = {"margin": model["C"] * d / model["mu"],
                       "near miss": model["C"] * (1 - d) / model["mu"]}
                for vector, coefficient in zip(model["vectors"], model["coefficients"]):
                    point = zone[tuple(vector)]
                    sign = 1 if point["label"] == model["classes"][1] else -1
                    self.assertGreaterEqual(sign * coefficient, 0)
                    self.assertLessEqual(abs(coefficient), cap[point["zone"]] * (1 + 1e-9))


class Words(CommandTest):
    def test_a_model_is_described(self):
        self.generate("square", "data.csv")
        for options, words in [
            (["--kernel", "linear", "-c", "10"], ["linear", "weights", "x1", "x2"]),
            (["-g", "2"], ["rbf", "gamma 2", "support vectors of 400 rows"]),
            (["--kernel", "polynomial"], ["polynomial", "degree 3", "coef0 0"]),
            (["--scale", "minmax"], ["scaling minmax"]),
            (["--costs", "1,3,0.3,0.2"], ["3 (false negative)", "0.3 and 0.2"]),
            (["--loss", "double-hinge"], ["double-hinge"]),
        ]:
            with self.subTest(options=options):
                self.train("data.csv", *options)
                text = self.run_well("inspect", "model.json")
                for word in [*words, "converged", "'1' if f(x) > ", "'-1' if f(x) < "]:
                    self.assertIn(word, text)

    def test_weights_have_the_names_of_columns_categories_and_gaps(self):
        """The i-th weight of the file stands beside the name of the i-th feature."""
        self.plant("data.csv", [["age", "dose", "sex", "y"], *[
            [n * 7 % 50, "?" if n % 5 == 0 else n % 9, "FMX"[n % 3], "pq"[n % 2]] for n in range(60)]])
        weights = facts_of(self.train("data.csv", "--kernel", "linear"))["weights"]
        names = ["age", "dose", "dose is missing", "sex = F", "sex = M", "sex = X"]
        text = self.run_well("inspect", "model.json").split("strongest weights\n")[1]
        shown = [line.split(maxsplit=1) for line in text.splitlines()]
        self.assertEqual({name: float(weight) for weight, name in shown},
                         {name: float(f"{weight:.5g}") for name, weight in zip(names, weights, strict=True)
                          if weight != 0})

    def test_zones_belong_to_the_double_ramp_loss(self):
        self.generate("square", "data.csv")
        self.train("data.csv", "--loss", "hinge")
        self.assert_refused(self.try_run("inspect", "model.json", "--points", "data.csv"), 1,
                            "model.json", "double ramp", "hinge")


if __name__ == "__main__":
    unittest.main()
