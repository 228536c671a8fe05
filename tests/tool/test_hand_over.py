#!/usr/bin/env python3
"""Between training and use: rows held out, rows trained on, scaling, and scores that stay the same bits."""

import unittest

from patients import PatientsTest, patients

KERNELS = [["--kernel", "linear"], ["--kernel", "rbf"], ["--kernel", "polynomial", "--coef0", "1"]]


class SameBits(PatientsTest):
    def test_the_training_file_gets_the_scores_of_training(self):
        """predict, inspect, evaluate and training agree on a table with missing values and categories."""
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                self.plant_table("train.csv", patients(300, seed=1))
                trained = self.run_json("train", "train.csv", "--id", "name", "-o", "model.json", *kernel)
                answers = self.predictions("model.json", "train.csv")
                self.run_well("inspect", "model.json", "--points", "train.csv", "-o", "points.csv")
                header, points = self.rows_of("points.csv")
                self.assertEqual([point[header.index("score")] for point in points],
                                 [answer["score"] for answer in answers])

                self.run_well("evaluate", "model.json", "train.csv", "--curve", "curve.csv")
                header, curve = self.rows_of("curve.csv")
                familiar = {abs(float(answer["score"])) for answer in answers
                            if answer["reason"] in ("", "ambiguous")}
                thresholds = {float(point[header.index("threshold")]) for point in curve}
                self.assertLessEqual(familiar, thresholds)
                self.assertLessEqual(thresholds - familiar, {0.0})

                shown = self.run_json("evaluate", "model.json", "train.csv")
                self.assertEqual(trained["training"]["risk"], shown["risk"])
                self.assertEqual(trained["training"]["rejection_rate"], shown["rejection_rate"])

    def test_scores_do_not_depend_on_the_other_rows_or_threads(self):
        self.train_on_patients()
        rows = patients(50, seed=2)
        self.plant_table("all.csv", rows)
        together = self.scores("model.json", "all.csv")
        self.assertEqual(self.scores("model.json", "all.csv", "--threads", "1"), together)
        for n in range(0, 50, 7):
            self.plant_table("one.csv", [rows[n]])
            self.assertEqual(self.scores("model.json", "one.csv"), [together[n]])

    def test_unfamiliar_rows_change_no_score(self):
        self.train_on_patients()
        self.train_on_patients("--unfamiliar", "0", model="off.json")
        self.plant_table("new.csv", patients(100, seed=3))
        self.assertEqual(self.scores("model.json", "new.csv"), self.scores("off.json", "new.csv"))


class TrainedOn(PatientsTest):
    def counted(self, name):
        return self.run_json("evaluate", "model.json", name)["trained_on"]

    def test_evaluate_counts_the_rows_that_were_trained_on(self):
        self.train_on_patients()
        old, new = patients(300, seed=1), patients(100, seed=2)
        for count in [0, 1, 40, 300]:
            with self.subTest(count=count):
                self.plant_table("mixed.csv", [*new, *old[:count]])
                self.assertEqual(self.counted("mixed.csv"),
                                 {"rows": count, "looked_up": 100 + count, "all": True})
                text = self.run_well("evaluate", "model.json", "mixed.csv")
                self.assertEqual("trained on" in text, count > 0, text)
                if count > 0:
                    equal = "equals" if count == 1 else "equal"
                    self.assertIn(f"{count} of these rows {equal} rows that were trained on", text)

    def test_order_does_not_matter_but_ids_values_and_labels_do(self):
        self.train_on_patients()
        old = patients(300, seed=1)
        self.plant_table("reversed.csv", list(reversed(old)))
        self.assertEqual(self.counted("reversed.csv")["rows"], 300)
        self.plant_table("renamed.csv", [[f"x{row[0]}", *row[1:]] for row in old])
        self.assertEqual(self.counted("renamed.csv")["rows"], 0)
        self.plant_table("aged.csv", [[row[0], row[1] + 0.001, *row[2:]] for row in old])
        self.assertEqual(self.counted("aged.csv")["rows"], 0)
        other = {"sick": "well", "well": "sick"}
        self.plant_table("relabelled.csv", [[*row[:-1], other[row[-1]]] for row in old])
        self.assertEqual(self.counted("relabelled.csv")["rows"], 0)

    def test_large_files_are_estimated(self):
        """A model remembers 1024 rows; the share of those looked up estimates that of all."""
        self.train_on_patients("--kernel", "linear", count=5000)
        old, new = patients(5000, seed=1), patients(5000, seed=2)
        self.plant_table("mixed.csv", [*old, *new])
        found = self.counted("mixed.csv")
        self.assertFalse(found["all"])
        self.assertEqual(found["rows"], 1024)
        # As many new rows have hashes as small: a draw of about 1024, six standard deviations wide.
        self.assertLess(abs(found["looked_up"] - 2048), 6 * (2 * 1024) ** 0.5)


class HeldOut(PatientsTest):
    def test_a_share_is_not_trained_on(self):
        self.plant_table("all.csv", patients(400, seed=1))
        shown = self.run_json("train", "all.csv", "--id", "name", "-o", "model.json", "--holdout", "0.25")
        self.assertEqual((shown["training"]["rows"], shown["holdout"]["rows"]), (300, 100))
        again = self.run_json("evaluate", "model.json", "all.csv")
        self.assertEqual(again["trained_on"]["rows"], 300)
        mean = (3 * shown["training"]["risk"] + shown["holdout"]["risk"]) / 4
        self.assertAlmostEqual(again["risk"], mean, delta=1e-12)

    def test_a_file_is_measured_as_evaluate_does(self):
        self.plant_table("train.csv", patients(300, seed=1))
        self.plant_table("other.csv", patients(80, seed=2))
        for command in [["train"], ["tune", "-c", "1,2", "-g", "scale", "-v", "2"]]:
            with self.subTest(command=command):
                shown = self.run_json(command[0], "train.csv", "--id", "name", "-o", "model.json",
                                      "--holdout", "other.csv", *command[1:])
                expected = self.run_json("evaluate", "model.json", "other.csv")
                self.assertEqual(shown["holdout"]["rows"], 80)
                for name in ["risk", "rejection_rate", "accepted_accuracy", "aurc"]:
                    self.assertEqual(shown["holdout"][name], expected[name])

    def test_rows_held_out_do_not_change_the_model(self):
        self.plant_table("train.csv", patients(300, seed=1))
        self.plant_table("other.csv", patients(80, seed=2))
        self.train("train.csv", "--id", "name")
        self.train("train.csv", "--id", "name", "--holdout", "other.csv", model="measured.json")
        self.assertEqual(self.path("model.json").read_bytes(), self.path("measured.json").read_bytes())

    def test_the_line_says_on_how_many_rows(self):
        self.plant_table("all.csv", patients(400, seed=1))
        text = self.run_well("train", "all.csv", "--id", "name", "-o", "model.json", "--holdout", "0.25")
        self.assertIn("on 100 rows held out: risk ", text)

    def test_what_cannot_be_held_out(self):
        self.plant_table("all.csv", patients(40, seed=1))
        for share in ["0", "1", "-0.1", "nan", "none.csv"]:
            with self.subTest(share=share):
                done = self.try_run("train", "all.csv", "--id", "name", "-o", "model.json",
                                    "--holdout", share)
                self.assert_refused(done, 2, "holdout")
                self.assertNotIn("model.json", self.files())


class ScaleAuto(PatientsTest):
    def test_dense_tables_are_standardised_and_it_is_said(self):
        self.plant_table("train.csv", patients(300, seed=1))
        text = self.run_well("train", "train.csv", "--id", "name", "-o", "auto.json")
        self.assertIn("features scaled to mean 0 and deviation 1 (--scale auto: ", text)
        text = self.run_well("train", "train.csv", "--id", "name", "-o", "typed.json", "--scale",
                             "standard")
        self.assertNotIn("--scale", text)
        self.assertEqual(self.path("auto.json").read_bytes(), self.path("typed.json").read_bytes())

    def test_sparse_files_are_not(self):
        self.plant("train.svm", "".join(f"{1 if n % 2 else -1} {n % 9 + 1}:{n % 5 + 1} 20:{n % 2}\n"
                                        for n in range(60)))
        text = self.run_well("train", "train.svm", "-o", "auto.json")
        self.assertIn("features not scaled (--scale auto: ", text)
        self.run_well("train", "train.svm", "-o", "typed.json", "--scale", "none")
        self.assertEqual(self.path("auto.json").read_bytes(), self.path("typed.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
