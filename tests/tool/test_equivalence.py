#!/usr/bin/env python3
"""Two ways to say the same: mirrored, permuted, weighted, scaled, packed, precomputed."""

import gzip
import json
import lzma
import math
import random
import unittest

from rampart_command import CommandTest, facts_of

EXACT = ["-e", "1e-9"]
UNSCALED = ["--scale", "none"]
WITHIN = 1e-5
RBF = ["-c", "8", "-g", "0.5"]


def mirror(model):
    """Changes the sign of b."""
    model["surfaces"][0]["band"]["b"] *= -1


class Equivalence(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("synthetic2", "data.csv", "-n", "150")
        self.header, self.rows = self.rows_of("data.csv")

    def assert_same_classifier(self, one, other, scores, other_scores, within=WITHIN):
        one, other = facts_of(one), facts_of(other)
        self.assertAlmostEqual(one["b"], other["b"], delta=within)
        self.assertAlmostEqual(one["rho"], other["rho"], delta=within)
        self.assertAlmostEqual(one["training"]["objective"], other["training"]["objective"],
                               delta=within * one["training"]["objective"])
        self.assert_close(other_scores, scores, within)

    def compare(self, data, options, other_data, other_options, within=WITHIN):
        """Both trainings give the same classifier, seen on the rows of data.csv."""
        one = self.train(data, *EXACT, *options, model="one.json")
        other = self.train(other_data, *EXACT, *other_options, model="other.json")
        self.assert_same_classifier(one, other, self.scores("one.json", "data.csv"),
                                    self.scores("other.json", "data.csv"), within)

    def assert_same_bytes(self, data, options, other_data, other_options):
        self.train(data, *options, model="one.json")
        self.train(other_data, *other_options, model="other.json")
        self.assertEqual(self.path("other.json").read_bytes(), self.path("one.json").read_bytes())


class Rows(Equivalence):
    def test_mirrored_classes_give_the_mirrored_classifier(self):
        for options in [RBF, ["--kernel", "linear"], [*RBF, "--loss", "double-hinge"],
                        [*RBF, "--loss", "hinge", "--band-folds", "0"]]:
            with self.subTest(options=options):
                one = self.train("data.csv", *EXACT, *options, "--positive", "1", model="one.json")
                other = self.train("data.csv", *EXACT, *options, "--positive", "-1",
                                   model="other.json")
                self.assertEqual(other["classes"], one["classes"][::-1])
                mirror(other)
                mirrored = [-score for score in self.scores("other.json", "data.csv")]
                self.assert_same_classifier(one, other, self.scores("one.json", "data.csv"),
                                            mirrored)

    def test_mirrored_classes_with_mirrored_costs(self):
        one = self.train("data.csv", *EXACT, *RBF, "--positive", "1", "--costs", "1,3,0.3,0.2",
                         model="one.json")
        other = self.train("data.csv", *EXACT, *RBF, "--positive", "-1", "--costs", "3,1,0.2,0.3",
                           model="other.json")
        mirror(other)
        self.assert_same_classifier(one, other, self.scores("one.json", "data.csv"),
                                    [-score for score in self.scores("other.json", "data.csv")])

    def test_permuted_rows_give_the_same_classifier(self):
        random.Random(1).shuffle(self.rows)
        self.plant("permuted.csv", [self.header, *self.rows])
        for options in [RBF, ["--kernel", "linear"]]:
            with self.subTest(options=options):
                self.compare("data.csv", options, "permuted.csv", options)

    def test_permuted_columns_give_the_same_classifier(self):
        self.plant("permuted.csv", [[row[1], row[2], row[0]] for row in [self.header, *self.rows]])
        self.compare("data.csv", RBF, "permuted.csv", [*RBF, "--label", "label"])

    def weighted(self, name, weights):
        """data.csv with a column of weights in the middle."""
        rows = [[x1, weight, x2, label] for weight, (x1, x2, label) in zip(weights, self.rows)]
        return self.plant(name, [["x1", "w", "x2", "label"], *rows])

    def test_a_weight_of_2_is_the_row_twice(self):
        weights = [2 if n % 5 == 0 else 1 for n in range(len(self.rows))]
        twice = [row for weight, row in zip(weights, self.rows) for _ in range(weight)]
        self.weighted("weighted.csv", weights)
        self.plant("twice.csv", [self.header, *twice])
        self.compare("twice.csv", RBF, "weighted.csv", [*RBF, "--weight", "w"])

    def test_a_weight_of_0_is_the_row_left_out(self):
        weights = [0 if n % 5 == 0 else 1 for n in range(len(self.rows))]
        self.weighted("weighted.csv", weights)
        self.plant("fewer.csv", [self.header, *(r for w, r in zip(weights, self.rows) if w)])
        self.compare("fewer.csv", RBF, "weighted.csv", [*RBF, "--weight", "w"])

    def test_a_weight_for_all_is_a_factor_of_c(self):
        self.weighted("weighted.csv", [4] * len(self.rows))
        self.compare("data.csv", ["-g", "0.5", "-c", "8"], "weighted.csv",
                     ["-g", "0.5", "-c", "2", "--weight", "w"])

    def test_class_weights_are_row_weights(self):
        self.weighted("weighted.csv", [3 if row[2] == "1" else 0.5 for row in self.rows])
        # In the loss: means and deviations of the features go by the weights of rows.
        self.compare("data.csv", [*RBF, *UNSCALED, "--class-weight", "1=3", "--class-weight", "-1=0.5"],
                     "weighted.csv", [*RBF, *UNSCALED, "--weight", "w"])

    def test_features_that_are_left_out_are_as_if_they_were_not_there(self):
        rows = [[*row[:2], n * 7 % 13, row[2]] for n, row in enumerate(self.rows)]
        self.plant("wider.csv", [["x1", "x2", "noise", "label"], *rows])
        one = self.train("data.csv", *RBF)
        other = self.train("wider.csv", *RBF, "--ignore", "noise")
        self.assertEqual(other["features"].pop("file_columns"), 4)
        self.assertEqual(one["features"].pop("file_columns"), 3)
        self.assertEqual(other, one)


class Options(Equivalence):
    def test_symmetric_costs_are_a_reject_cost_bit_for_bit(self):
        for d in ["0.05", "0.2", "0.45", "0.5"]:
            for kernel in [RBF, ["--kernel", "linear"]]:
                with self.subTest(d=d, kernel=kernel):
                    self.assert_same_bytes("data.csv", [*kernel, "--reject-cost", d],
                                           "data.csv", [*kernel, "--costs", f"1,1,{d},{d}"])

    def test_dearer_costs_are_a_factor_of_c(self):
        self.compare("data.csv", ["-g", "0.5", "-c", "8", "--costs", "1,3,0.3,0.2"],
                     "data.csv", ["-g", "0.5", "-c", "4", "--costs", "2,6,0.6,0.4"])

    def test_the_linear_kernel_is_the_polynomial_of_degree_1(self):
        self.compare("data.csv", ["--kernel", "linear"], "data.csv",
                     ["--kernel", "polynomial", "--degree", "1", "-g", "1", "--coef0", "0"])

    def test_gamma_auto_is_one_over_the_number_of_features(self):
        self.assert_same_bytes("data.csv", ["-g", "auto"], "data.csv", ["-g", "0.5"])

    def test_gamma_scale_is_one_over_features_times_variance(self):
        values = [float(value) for row in self.rows for value in row[:2]]
        mean = math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
        model = self.train("data.csv", "-g", "scale", *UNSCALED)
        self.assertAlmostEqual(model["kernel"]["gamma"], 1 / (2 * variance), places=12)

    def test_scaling_in_the_model_is_scaling_by_hand(self):
        columns = [[float(row[j]) for row in self.rows] for j in range(2)]
        for kind in ["minmax", "standard"]:
            scaled = []
            for values in columns:
                mean = math.fsum(values) / len(values)
                spread = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / len(values))
                offset, width = ((min(values), max(values) - min(values)) if kind == "minmax" else
                                 (mean, spread))
                scaled.append([(x - offset) / width for x in values])
            self.plant("by_hand.csv", [self.header, *(
                [repr(x1), repr(x2), row[2]] for x1, x2, row in zip(*scaled, self.rows))])
            with self.subTest(scaling=kind):
                one = self.train("data.csv", *EXACT, *RBF, "--scale", kind, model="one.json")
                other = self.train("by_hand.csv", *EXACT, *RBF, *UNSCALED, model="other.json")
                self.assert_same_classifier(one, other, self.scores("one.json", "data.csv"),
                                            self.scores("other.json", "by_hand.csv"))

    def test_a_precomputed_kernel_is_the_kernel(self):
        x = [tuple(map(float, row[:2])) for row in self.rows]
        gram = [[repr(math.exp(-0.5 * math.dist(a, b) ** 2)) for b in x] + [row[2]]
                for a, row in zip(x, self.rows)]
        self.plant("gram.csv", gram)
        one = self.train("data.csv", *EXACT, *RBF, *UNSCALED, model="one.json")
        other = self.train("gram.csv", *EXACT, "-c", "8", "--kernel", "precomputed",
                           model="other.json")
        self.assert_same_classifier(one, other, self.scores("one.json", "data.csv"),
                                    self.scores("other.json", "gram.csv"))
        # LIBSVM's way to write it: the number of the row comes first.
        self.plant("gram.svm", "".join(
            f"{row[-1]} 0:{n} " + " ".join(f"{j}:{k}" for j, k in enumerate(row[:-1], 1)) + "\n"
            for n, row in enumerate(gram, 1)))
        by_libsvm = self.train("gram.svm", *EXACT, "-c", "8", "--kernel", "precomputed")
        by_libsvm["features"] = other["features"]
        self.assertEqual(by_libsvm, other)


class Files(Equivalence):
    def test_the_label_is_where_it_was_in_training(self):
        self.plant("label_first.csv", [[row[2], *row[:2]] for row in self.rows])
        self.plant("no_label.csv", [row[:2] for row in self.rows])
        self.train("label_first.csv", *EXACT, *RBF, "--label", "1", model="one.json")
        self.assertEqual(self.scores("one.json", "label_first.csv"),
                         self.scores("one.json", "no_label.csv"))

    def test_sparse_rows_are_dense_rows(self):
        generator = random.Random(3)
        rows = []
        for n in range(80):
            row = [round(generator.gauss(n % 2, 1), 3) if generator.random() < 0.2 else 0
                   for _ in range(30)]
            rows.append([*row, n % 2])
        self.plant("data.csv", rows)
        self.plant("data.svm", "".join(
            f"{row[-1]} " + " ".join(f"{j}:{x}" for j, x in enumerate(row[:-1], 1) if x) + "\n"
            for row in rows))
        for options in [RBF, ["--kernel", "linear"], ["-g", "auto", "--scale", "minmax"],
                        ["--kernel", "polynomial", "--coef0", "1", "-g", "0.1"]]:
            with self.subTest(options=options):
                self.compare("data.csv", options, "data.svm", options)
                self.assert_close(self.scores("other.json", "data.svm"),
                                  self.scores("other.json", "data.csv"), 1e-9)

    def test_converting_changes_nothing(self):
        self.run_well("convert", "data.csv", "there.svm")
        self.run_well("convert", "there.svm", "back.csv")
        self.assertEqual(self.path("back.csv").read_bytes(), self.path("data.csv").read_bytes())
        self.generate("synthetic2", "generated.svm", "-n", "150")
        self.assertEqual(self.path("there.svm").read_bytes(),
                         self.path("generated.svm").read_bytes())

    def test_packed_piped_and_dressed_up_files_are_the_plain_file(self):
        plain = self.path("data.csv").read_bytes()
        self.train("data.csv", *RBF)
        model = self.path("model.json").read_bytes()
        answers = self.run_well("predict", "model.json", "data.csv")
        in_two = gzip.compress(plain[:999]) + gzip.compress(plain[999:])
        for name, content in [("gz", gzip.compress(plain)), ("xz", lzma.compress(plain)),
                              ("gz in two members", in_two),
                              ("crlf", plain.replace(b"\n", b"\r\n")),
                              ("byte order mark", b"\xef\xbb\xbf" + plain),
                              ("no newline at the end", plain.rstrip(b"\n")),
                              ("comment", b"# drawn at random\n" + plain),
                              ("semicolons", plain.replace(b",", b";")),
                              ("tabs", plain.replace(b",", b"\t"))]:
            with self.subTest(file=name):
                self.plant("other", content)
                self.run_well("train", "other", *RBF, "-o", "other.json")
                self.assertEqual(self.path("other.json").read_bytes(), model)
                self.run_well("train", "-", *RBF, "-o", "other.json", stdin=content)
                self.assertEqual(self.path("other.json").read_bytes(), model)
                self.assertEqual(self.run_well("predict", "model.json", "other"), answers)


class Models(Equivalence):
    def test_scores_are_the_same_wherever_they_are_shown(self):
        self.train("data.csv", *RBF, "--scale", "standard")
        scores = self.scores("model.json", "data.csv")
        points = self.run_json("inspect", "model.json", "--points", "data.csv")["points"]
        self.assertEqual([point["score"] for point in points], scores)
        self.assertEqual(self.run_json("predict", "model.json", "data.csv")["scores"], scores)

    def test_scores_are_what_the_model_file_says(self):
        model = facts_of(self.train("data.csv", *RBF, "--scale", "minmax"))
        expected = []
        for row in self.rows:
            x = [(float(value) - offset) * factor for value, offset, factor in
                 zip(row, model["scaling"]["offset"], model["scaling"]["factor"])]
            expected.append(model["b"] + math.fsum(
                a * math.exp(-model["kernel"]["gamma"] * math.dist(v, x) ** 2)
                for a, v in zip(model["coefficients"], model["vectors"])))
        self.assert_close(self.scores("model.json", "data.csv"), expected, 1e-9)

    def test_predicting_the_training_rows_gives_the_training_risk(self):
        for options in [RBF, ["--kernel", "linear"], [*RBF, "--costs", "1,3,0.3,0.2"]]:
            with self.subTest(options=options):
                report = self.run_json("train", "data.csv", "-o", "model.json", *options)
                evaluated = self.run_json("evaluate", "model.json", "data.csv")
                for key, value in report["training"].items():
                    self.assertEqual(evaluated[key], value)
                costs = evaluated["costs"]
                total = 0
                for row, answer in zip(self.rows, self.predictions("model.json", "data.csv")):
                    truly = "positive" if row[2] == "1" else "negative"
                    if answer["prediction"] == "reject":
                        total += costs[f"reject_{truly}"]
                    elif answer["prediction"] != row[2]:
                        wrong = "false_negative" if truly == "positive" else "false_positive"
                        total += costs[wrong]
                self.assertAlmostEqual(report["training"]["risk"], total / len(self.rows))

    def test_a_start_from_the_solution_stays_there(self):
        for options in [RBF, ["--kernel", "linear"]]:
            with self.subTest(options=options):
                first = self.run_json("train", "data.csv", "-o", "first.json", *EXACT, *options)
                again = self.run_json("train", "data.csv", "-o", "again.json", *EXACT, *options,
                                      "--start", "first.json")
                self.assertGreater(first["rounds"], 1)
                self.assertEqual(again["rounds"], 1)
                self.assertEqual(again["status"], "converged")
                self.assertAlmostEqual(again["objective"], first["objective"],
                                       delta=1e-7 * first["objective"])
                self.assert_close(self.scores("again.json", "data.csv"),
                                  self.scores("first.json", "data.csv"), WITHIN)

    def test_every_number_of_the_file_is_written_in_full(self):
        for options in [RBF, ["--kernel", "linear", "--scale", "standard"]]:
            with self.subTest(options=options):
                self.train("data.csv", *options)
                text = self.path("model.json").read_text(encoding="utf-8")
                written = []

                def note(number):
                    written.append(number)
                    return float(number)

                json.loads(text, parse_float=note)
                self.assertGreater(len(written), 10)
                for number in written:
                    # The shortest text that reads back the same, as repr has it: no digit is lost.
                    digits = number.lower().split("e")[0].strip("-").replace(".", "").strip("0")
                    shortest = repr(float(number)).split("e")[0].strip("-").replace(".", "")
                    self.assertEqual(digits, shortest.strip("0"), number)

    def test_the_laid_out_file_is_plain_json(self):
        model = self.train("data.csv", *RBF)
        self.plant("compact.json", json.dumps(dict(reversed(model.items()))))
        self.assertEqual(self.run_well("predict", "compact.json", "data.csv"),
                         self.run_well("predict", "model.json", "data.csv"))


if __name__ == "__main__":
    unittest.main()
