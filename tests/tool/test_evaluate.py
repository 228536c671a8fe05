#!/usr/bin/env python3
"""What `evaluate` reports follows from the predictions; the curve is written whole or not at all."""

import csv
import json
import os
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

BAD_CONFIDENCES = ["0", "1", "-0.1", "1.5", "95", "nan", "inf"]


class Evaluate(CommandTest):
    """A model with f(x) = x and the band |x| <= 1, on rows that meet every case."""

    ROWS = [(3, "b"), (2, "b"), (-2, "b"), (2, "a"), (-2, "a"), (-2, "a"), (-3, "a"), (0.5, "a"),
            (1, "a"), (-1, "b"), (0, "b"), (0, "a"), (-0.5, "a")]

    def setUp(self):
        super().setUp()
        self.plant("two.csv", [["x", "y"], [-1, "a"], [1, "b"]])
        model = self.train("two.csv", "--kernel", "linear")
        model["surfaces"][0].update(weights=[1.0], band={"b": 0.0, "rho": 1.0})
        self.plant("model.json", json.dumps(model))
        self.plant_rows("data.csv", self.ROWS)
        self.before = self.files()

    def plant_rows(self, name, rows):
        self.plant(name, [["x", "y"], *rows])

    def curve(self, *options):
        text = self.run_well("evaluate", "model.json", "data.csv", "--curve", "-", *options)
        return [{key: float(value) for key, value in point.items()}
                for point in csv.DictReader(text.splitlines())]


class Report(Evaluate):
    def test_every_number_follows_from_the_rows(self):
        report = self.run_json("evaluate", "model.json", "data.csv")
        self.assertEqual(report["table"], [[3, 4, 1], [1, 2, 2]])
        self.assertEqual(report["coverage"], 7 / 13)
        self.assertEqual(report["rejection_rate"], 6 / 13)
        self.assertEqual(report["accepted_accuracy"], 5 / 7)
        self.assertEqual(report["class_rejection"], [4 / 8, 2 / 5])
        self.assertEqual(report["majority"], {"risk": 5 / 13, "label": "a"})
        # By certainty |x|: two right at 3, five of which two wrong at 2, two wrong at 1, two of which
        # one wrong at 1/2, two halves at 0.
        errors = [0, 0, 2 / 5, 4 / 5, 6 / 5, 8 / 5, 2, 3, 4, 4.5, 5, 5.5, 6]
        least = [0, 0, 0, 0, 0, 0, 0.5, 1, 2, 3, 4, 5, 6]
        self.assertEqual(sorted([0] * 6 + [0.5] * 2 + [1] * 5), [b - a for a, b in zip(
            [0, *least], least)])
        mean = [sum(e / (k + 1) for k, e in enumerate(of)) / 13 for of in (errors, least)]
        self.assertAlmostEqual(report["aurc"], mean[0], places=14)
        self.assertAlmostEqual(report["excess_aurc"], mean[0] - mean[1], places=14)

    def test_rows_may_come_from_a_pipe(self):
        text = self.path("data.csv").read_bytes()
        for options in ([], ["--json"], ["--curve", "-"]):
            self.assertEqual(
                self.run_well("evaluate", "model.json", "-", *options, stdin=text),
                self.run_well("evaluate", "model.json", "data.csv", *options))

    def test_many_batches_are_one_evaluation(self):
        """The same rows two thousand times: every rate stays, every count grows."""
        self.plant_rows("many.csv", self.ROWS * 2000)
        few, many = (self.run_json("evaluate", "model.json", name)
                     for name in ["data.csv", "many.csv"])
        self.assertEqual(many["table"], [[2000 * n for n in row] for row in few["table"]])
        for key in ["risk", "rejection_rate", "accepted_accuracy", "majority", "never_reject"]:
            self.assertEqual(many[key], few[key], key)
        for key, count in few["reasons"].items():
            self.assertEqual(many["reasons"][key], 2000 * count)

    def test_a_row_without_a_label_ends_it(self):
        self.plant_rows("gap.csv", [*self.ROWS, (1, ""), (2, "a")])
        done = self.try_run("evaluate", "model.json", "gap.csv")
        self.assert_refused(done, 1, "1 row has no label: line 15")

    def test_intervals_hold_their_rates_and_grow_with_confidence(self):
        lows, highs = [], []
        for confidence in [0.5, 0.95, 0.999]:
            report = self.run_json("evaluate", "model.json", "data.csv", "--confidence", confidence)
            self.assertEqual(report["confidence"], confidence)
            intervals = report["intervals"]
            low, high = zip(intervals["rejection_rate"], intervals["accepted_accuracy"],
                            *intervals["class_rejection"])
            rates = [report["rejection_rate"], report["accepted_accuracy"],
                     *report["class_rejection"]]
            for below, rate, above in zip(low, rates, high):
                self.assertTrue(0 < below < rate < above < 1)
            lows.append(low)
            highs.append(high)
        for less, more in zip(lows, lows[1:]):
            self.assertTrue(all(a > b for a, b in zip(less, more)))
        for less, more in zip(highs, highs[1:]):
            self.assertTrue(all(a < b for a, b in zip(less, more)))

    def test_the_default_confidence_is_95_percent(self):
        self.assertEqual(self.run_json("evaluate", "model.json", "data.csv"),
                         self.run_json("evaluate", "model.json", "data.csv", "--confidence", 0.95))

    def test_rates_of_no_rows_are_null_and_a_dash(self):
        self.plant_rows("only.csv", [(0.5, "b"), (-0.5, "b")])
        report = self.run_json("evaluate", "model.json", "only.csv")
        self.assertEqual(report["coverage"], 0)
        self.assertIsNone(report["accepted_accuracy"])
        self.assertIsNone(report["intervals"]["accepted_accuracy"])
        self.assertEqual(report["class_rejection"], [None, 1])
        self.assertIsNone(report["intervals"]["class_rejection"][0])
        self.assertEqual(report["intervals"]["class_rejection"][1],
                         report["intervals"]["rejection_rate"])
        text = self.run_well("evaluate", "model.json", "only.csv")
        self.assertRegex(text, r"(?m)^right when answering +-$")
        self.assertRegex(text, r"(?m)^  of those truly 'a' +-$")

    def test_the_text_shows_what_the_json_holds(self):
        report = self.run_json("evaluate", "model.json", "data.csv", "--confidence", 0.9)
        text = self.run_well("evaluate", "model.json", "data.csv", "--confidence", 0.9)
        intervals = report["intervals"]
        for name, rate, interval in [
            ("rejected", report["rejection_rate"], intervals["rejection_rate"]),
            ("right when answering", report["accepted_accuracy"], intervals["accepted_accuracy"]),
            ("  of those truly 'a'", report["class_rejection"][0], intervals["class_rejection"][0]),
            ("  of those truly 'b'", report["class_rejection"][1], intervals["class_rejection"][1]),
            ("answered (coverage)", report["coverage"],
             [1 - end for end in reversed(intervals["rejection_rate"])]),
        ]:
            line = next(line for line in text.splitlines() if line.startswith(name + " "))
            self.assertEqual(line[len(name):].split(),
                             f"{100 * rate:.1f} % {100 * interval[0]:.1f} to "
                             f"{100 * interval[1]:.1f} %".split())
        self.assertRegex(text, r"(?m)^ +90 % interval$")
        self.assertRegex(text, rf"(?m)^AURC +{report['aurc']:.4f}$")
        self.assertRegex(text, rf"(?m)^excess AURC +{report['excess_aurc']:.4f}$")

    def test_a_confidence_outside_0_to_1_is_refused_before_anything_is_read(self):
        for confidence in BAD_CONFIDENCES:
            with self.subTest(confidence=confidence):
                done = self.try_run("evaluate", "none.json", "none.csv", "--curve", "curve.csv",
                                    f"--confidence={confidence}")
                self.assert_refused(done, 2, "confidence", confidence, "less than 1")
        done = self.try_run("evaluate", "model.json", "data.csv", "--confidence", "high")
        self.assert_refused(done, 2, "confidence", "high", "not a number")
        self.assertEqual(self.files(), self.before)


class Curve(Evaluate):
    def test_has_a_point_for_every_certainty_falling(self):
        points = self.curve()
        self.assertEqual([point["threshold"] for point in points], [3, 2, 1, 0.5, 0])
        self.assertEqual([point["accepted"] for point in points], [2, 7, 9, 11, 13])
        self.assertEqual([point["errors"] for point in points], [0, 2, 4, 5, 6])
        for point in points:
            self.assertEqual(point["coverage"], point["accepted"] / 13)
            self.assertEqual(point["risk"], point["errors"] / point["accepted"])
            self.assertLessEqual(point["low"], point["risk"])
            self.assertGreater(point["high"], point["risk"])

    def test_its_columns_are_these(self):
        text = self.run_well("evaluate", "model.json", "data.csv", "--curve", "-")
        self.assertEqual(text.splitlines()[0], "threshold,coverage,accepted,errors,risk,low,high")

    def test_meets_the_report_where_the_band_ends(self):
        report = self.run_json("evaluate", "model.json", "data.csv", "--curve", "curve.csv")
        point = self.curve()[1]  # the last with |f| > rho
        self.assertEqual(point["coverage"], report["coverage"])
        low, high = report["intervals"]["accepted_accuracy"]
        self.assertAlmostEqual(point["risk"], 1 - report["accepted_accuracy"], places=14)
        self.assertAlmostEqual(point["low"], 1 - high, places=14)
        self.assertAlmostEqual(point["high"], 1 - low, places=14)

    def test_intervals_follow_the_confidence(self):
        for narrow, wide in zip(self.curve("--confidence", 0.5), self.curve("--confidence", 0.99)):
            self.assertLess(narrow["high"], wide["high"])

    def test_the_file_holds_what_standard_output_would_and_the_report_stays(self):
        for options in [[], ["--json"]]:
            with self.subTest(options=options):
                plain = self.run_well("evaluate", "model.json", "data.csv", *options)
                both = self.run_well("evaluate", "model.json", "data.csv", *options, "--curve",
                                     "curve.csv")
                self.assertEqual(both, plain)
                self.assertEqual(self.path("curve.csv").read_text(encoding="utf-8"),
                                 self.run_well("evaluate", "model.json", "data.csv", "--curve", "-"))

    def test_does_not_share_standard_output_with_the_json_object(self):
        done = self.try_run("evaluate", "model.json", "data.csv", "--curve", "-", "--json")
        self.assert_refused(done, 2, "--json")

    def test_no_file_is_left_on_an_error_and_an_old_one_survives(self):
        self.plant("bad.csv", "x,y\n1,a\nx,b\n")
        for arguments in [["model.json", "bad.csv"], ["model.json", "none.csv"],
                          ["none.json", "data.csv"]]:
            with self.subTest(arguments=arguments):
                done = self.try_run("evaluate", *arguments, "--curve", "curve.csv")
                self.assert_refused(done, 1)
                self.assertEqual(self.files(), sorted([*self.before, "bad.csv"]))
        self.plant("curve.csv", "precious")
        self.assert_refused(self.try_run("evaluate", "model.json", "bad.csv", "--curve",
                                         "curve.csv"), 1, "bad.csv:3:")
        self.assertEqual(self.path("curve.csv").read_text(encoding="utf-8"), "precious")
        self.assertEqual(self.files(), sorted([*self.before, "bad.csv", "curve.csv"]))

    def test_a_file_that_cannot_be_written_is_an_error_without_a_report(self):
        for path in ["/dev/full", "no/such/folder.csv", "."]:
            with self.subTest(path=path):
                done = self.try_run("evaluate", "model.json", "data.csv", "--curve", path)
                self.assert_refused(done, 1, path)

    def test_the_data_and_the_model_are_not_overwritten(self):
        for path in ["model.json", "data.csv"]:
            with self.subTest(path=path):
                was = self.path(path).read_bytes()
                done = self.try_run("evaluate", "model.json", "data.csv", "--curve", path)
                self.assert_refused(done, 2, path, "is an input too")
                self.assertEqual(self.path(path).read_bytes(), was)

    def test_an_interrupt_leaves_nothing(self):
        with subprocess.Popen([RAMPART, "evaluate", "model.json", "-", "--curve", "curve.csv"],
                              cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as started:
            self.addCleanup(started.kill)
            os.write(started.stdin.fileno(), b"x,y\n1,a\n")
            self.wait_until(lambda: any(name.endswith(".tmp") for name in self.files()))
            started.send_signal(signal.SIGINT)
            self.assertEqual(started.wait(LONGEST), 130)
            self.assertEqual(started.stdout.read(), b"")
        self.assertEqual(self.files(), self.before)

    def wait_until(self, holds):
        deadline = time.monotonic() + LONGEST
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
