#!/usr/bin/env python3
"""rampart reproduce: the paper's tables beside what is published, and how near they come."""

import csv
import os
import shutil
import statistics
import unittest
from pathlib import Path

from rampart_command import CommandTest

PUBLISHED = Path(__file__).resolve().parents[2] / "data" / "published.csv"
DATA = os.environ.get("RAMPART_DATA", "")
HAS_DATA = (Path(DATA) / "ionosphere" / "ionosphere.data").exists() if DATA else False
QUICK = ["--folds", "2", "--repeats", "2", "--no-page"]
COSTS = [round(0.05 * k, 2) for k in range(1, 11)]
MEASURES = ["risk", "rejection_rate", "accepted_accuracy"]
PUBLISHED_LOSSES = ["double-ramp", "double-hinge"]
METHODS = ["double-ramp", "double-hinge", "generalized-hinge", "hinge"]


def published():
    with open(PUBLISHED, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Tables(CommandTest):
    def reproduce(self, *options, data=""):
        return self.run_json("reproduce", *options, env={"RAMPART_DATA": data})

    def test_hold_every_method_at_every_cost_and_every_published_number(self):
        tables = self.reproduce(*QUICK)["tables"]
        self.assertEqual([table["set"] for table in tables],
                         ["synthetic1", "synthetic2", "ionosphere", "parkinsons"])
        for table in tables[:2]:
            self.assertEqual([(cell["loss"], cell["reject_cost"]) for cell in table["cells"]],
                             [(loss, d) for loss in METHODS for d in COSTS])
            cells = {(cell["loss"], cell["reject_cost"]): cell for cell in table["cells"]}
            rows = [row for row in published() if row["set"] == table["set"]]
            self.assertEqual(len(rows), 20)
            for row in rows:
                cell = cells[row["loss"], float(row["reject_cost"])]
                for name in ["risk", "rejection_rate", "accepted_accuracy"]:
                    printed = cell["published"][name]
                    if row[name] == "":
                        self.assertIsNone(printed)
                        continue
                    self.assertEqual(printed["mean"], float(row[name]))
                    deviation = row[name + "_sd"]
                    self.assertEqual(printed["sd"], float(deviation) if deviation else None)
                    difference = cell["difference_in_sd"][name]
                    measured = cell[name]["mean"]
                    if not deviation or measured is None:
                        self.assertIsNone(difference)
                    else:
                        expected = (measured - float(row[name])) / float(deviation)
                        self.assertAlmostEqual(difference, expected, places=9)

    def test_are_what_cv_measures_on_every_draw_with_the_same_settings(self):
        tables = self.reproduce(*QUICK, "--only", "synthetic1,synthetic2")["tables"]
        settings = {"synthetic1": [["--kernel", "linear"], {"double-ramp": 2, "double-hinge": 32}],
                    "synthetic2": [["-g", 0.25], {"double-ramp": 64, "double-hinge": 64}]}
        for table in tables:
            kernel, C = settings[table["set"]]
            self.assertEqual(table["draws"], 2)
            for draw, seed in enumerate([1, 1001]):
                self.generate(table["set"], "data.csv", "--seed", seed, "--problem-seed", seed)
                for loss in METHODS:
                    tolerance = [] if loss in PUBLISHED_LOSSES else ["-e", 0.01]
                    results = self.run_json("cv", "data.csv", *kernel, "--loss", loss, "-c",
                                            C.get(loss, C["double-ramp"]), "--d", "0.05:0.5:0.05",
                                            *tolerance, "--folds", 2, "--repeats", 1,
                                            "--seed", seed, "--scale", "none", "--unfamiliar",
                                            0)["results"]
                    cells = [cell for cell in table["cells"] if cell["loss"] == loss]
                    for cell, result in zip(cells, results, strict=True):
                        for name in MEASURES:
                            self.assertEqual(cell["draws"][name][draw], result[name]["mean"])

    def test_tell_the_spread_between_draws_and_where_the_published_value_lies_in_it(self):
        tables = self.reproduce("--folds", 2, "--repeats", 6, "--no-page", "--only",
                                "synthetic1,synthetic2")["tables"]
        for table in tables:
            self.assertEqual(table["draws"], 6)
            for cell in table["cells"]:
                self.assertEqual("place_among_draws" in cell, cell["loss"] in PUBLISHED_LOSSES)
                for name in MEASURES:
                    self.assertEqual(len(cell["draws"][name]), 6)
                    values = [value for value in cell["draws"][name] if value is not None]
                    if not values:
                        self.assertIsNone(cell[name]["mean"])
                        continue
                    self.assertAlmostEqual(cell[name]["mean"], statistics.mean(values), places=12)
                    if len(values) > 1:
                        self.assertAlmostEqual(cell[name]["sd"], statistics.stdev(values), places=12)
                    self.check_place(cell, name, values)

    def check_place(self, cell, name, values):
        printed = cell.get("published", {}).get(name)
        place = cell.get("place_among_draws", {}).get(name)
        if printed is None or len(values) < 5:
            self.assertIsNone(place)
            return
        self.assertEqual(place["below"], sum(value < printed["mean"] for value in values))
        self.assertEqual(place["above"], sum(value > printed["mean"] for value in values))
        if min(values) == max(values):
            self.assertIsNone(place["in_sd"])
        else:
            expected = (printed["mean"] - statistics.mean(values)) / statistics.stdev(values)
            self.assertAlmostEqual(place["in_sd"], expected, places=9)

    def test_of_few_draws_give_no_place_in_a_spread(self):
        for draws in [1, 4]:
            table, = self.reproduce("--folds", 2, "--repeats", draws, "--no-page", "--only",
                                    "synthetic2")["tables"]
            for cell in table["cells"]:
                self.assertEqual(cell["risk"]["sd"] is None, draws == 1)
                if "published" in cell:
                    self.assertEqual(set(cell["place_among_draws"].values()), {None})

    def test_of_the_default_are_ten_draws(self):
        table, = self.reproduce("--folds", 2, "--no-page", "--only", "synthetic1")["tables"]
        self.assertEqual(table["draws"], 10)
        risks = table["cells"][5]["draws"]["risk"]
        self.assertGreater(len(set(risks)), 5)  # they are draws, not repetitions on one

    def test_without_their_data_say_how_to_get_them(self):
        for data in ["", "nowhere"]:
            tables = self.reproduce(*QUICK, "--only", "ionosphere,parkinsons", data=data)["tables"]
            for table in tables:
                self.assertIn("./dev data", table["missing"])
                self.assertNotIn("cells", table)

    def test_of_a_seed_are_the_same_on_any_number_of_threads(self):
        def run(*options):
            return self.reproduce(*QUICK, "--only", "synthetic2", *options)
        self.assertEqual(run("--threads", 1), run("--threads", 2))
        self.assertNotEqual(run()["tables"], run("--seed", 2)["tables"])

    def test_as_text_end_in_words_about_the_differences(self):
        text = self.run_well("reproduce", *QUICK, "--only", "synthetic2", env={"RAMPART_DATA": ""})
        self.assertIn("Table 4: Synthetic 2", text)
        self.assertIn("reject all", text)
        self.assertIn("40 methods x 4 folds (2 draws)", text)
        self.assertIn("standard deviation between draws", text)
        self.assertIn("not the luck of a draw", text.replace("\n", " "))
        self.assertLessEqual(max(map(len, text.splitlines())), 125)


class Refused(CommandTest):
    def refuse(self, code, words, *options, **env):
        done = self.try_run("reproduce", *options, env={"RAMPART_DATA": "", **env})
        self.assert_refused(done, code, *words)
        self.assertEqual([name for name in self.files() if "report" in name or "tmp" in name], [])

    def test_options(self):
        self.refuse(2, ["--only", "iris"], "--only", "iris")
        self.refuse(2, ["folds = 1: must be at least 2"], "--folds", 1, "--no-page")
        self.refuse(2, ["repeats = 0: must be at least 1"], "--repeats", 0, "--no-page")
        self.refuse(1, ["nowhere: not a folder"], "--data", "nowhere")
        self.refuse(2, ["-o -"], "-o", "-")

    def test_a_file_that_is_not_the_one_of_the_repository(self):
        self.path("ionosphere").mkdir()
        self.plant("ionosphere/ionosphere.data", "1,2,g\n3,4,b\n")
        for options, env in [(["--data", "."], {}), ([], {"RAMPART_DATA": "."})]:
            self.refuse(1, ["ionosphere.data", "SHA-256", "46d52186"], "--no-page", "--only",
                        "ionosphere", *options, **env)

    def test_a_page_that_cannot_be_written(self):
        self.path("folder").mkdir()
        self.refuse(1, ["folder"], "-o", "folder", "--only", "synthetic2", *QUICK[:4])


@unittest.skipUnless(HAS_DATA, "RAMPART_DATA names no folder with the UCI data sets")
class Paper(CommandTest):
    """Ten times ten folds, as in the paper: how near the double ramp must come at all ten costs."""

    def assert_near(self, name, rejection, risk):
        table, = self.run_json("reproduce", "--only", name, "--no-page",
                               env={"RAMPART_DATA": DATA})["tables"]
        cells = [cell for cell in table["cells"] if cell["loss"] == "double-ramp"]
        self.assertEqual(len(cells), 10)
        for cell in cells:
            with self.subTest(d=cell["reject_cost"]):
                printed = cell["published"]
                self.assertAlmostEqual(cell["rejection_rate"]["mean"],
                                       printed["rejection_rate"]["mean"], delta=rejection)
                self.assertAlmostEqual(cell["risk"]["mean"], printed["risk"]["mean"], delta=risk)
                self.assertEqual(cell["not_converged"], 0)

    def test_ionosphere(self):
        self.assert_near("ionosphere", 0.02, 0.008)

    def test_parkinsons(self):
        self.assert_near("parkinsons", 0.08, 0.025)

    def test_one_changed_byte_is_found(self):
        shutil.copytree(Path(DATA) / "ionosphere", self.path("ionosphere"))
        file = self.path("ionosphere/ionosphere.data")
        text = bytearray(file.read_bytes())
        text[0] ^= 1
        file.write_bytes(text)
        done = self.try_run("reproduce", "--data", ".", "--only", "ionosphere", "--no-page")
        self.assert_refused(done, 1, "SHA-256")


if __name__ == "__main__":
    unittest.main()
