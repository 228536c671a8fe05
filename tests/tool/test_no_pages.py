#!/usr/bin/env python3
"""A command that was built without pages does all else, and says why there are none."""

import json
import os
import subprocess
import sys
import unittest

import rampart_command
from rampart_command import CommandTest

RAMPART, DEMO = sys.argv[1:3]
WHY = ("no page: npm could not fetch what pages are made of (a reason); "
       "let it reach its registry")
QUICK = ["reproduce", "--only", "synthetic2", "--folds", "2", "--repeats", "1"]


class WithoutPages(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv")
        self.before = self.files()

    def test_report_says_in_text_what_it_can_and_why_there_is_no_page(self):
        done = self.try_run("report", "model.json", "data.csv")
        self.assertEqual((done.returncode, done.stderr), (0, f"rampart: {WHY}\n"))
        self.assertTrue(done.stdout.startswith("model.json on data.csv: 400 rows, risk "), done.stdout)
        done = self.try_run("report", "model.json", "data.csv", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.files(), self.before)

    def test_reproduce_gives_its_tables_and_then_says_why(self):
        done = self.try_run(*QUICK)
        self.assertEqual((done.returncode, done.stderr), (0, f"rampart: {WHY}\n"))
        self.assertIn("Table 4: Synthetic 2", done.stdout)
        done = self.try_run(*QUICK, "--no-page")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.files(), self.before)

    def test_json_is_complete(self):
        done = self.try_run("report", "model.json", "data.csv", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("plane", json.loads(done.stdout)["models"][0])
        self.assertEqual(len(self.run_json(*QUICK)["tables"]), 1)
        self.assertEqual(len(self.run_json("cv", "data.csv", "--folds", 2, "--repeats", 1)["results"]), 1)

    def test_a_page_that_was_asked_for_is_an_error_before_any_work(self):
        for arguments in [["report", "none.json", "none.csv", "-o", "page.html"],
                          ["report", "model.json", "data.csv", "--json", "-o", "page.html"],
                          [*QUICK, "-o", "page.html"]]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 1, f"page.html: {WHY}")
                self.assertEqual(self.files(), self.before)

    def test_the_tour_ends_well_and_says_why_there_is_no_page(self):
        done = subprocess.run(["bash", DEMO, RAMPART, "--report", self.path("page.html")],
                              env={**os.environ, "RAMPART_DATA": ""}, capture_output=True, text=True,
                              timeout=rampart_command.LONGEST, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, f"rampart: {WHY}\n"))
        self.assertIn("Table 4: Synthetic 2", done.stdout)
        self.assertNotIn("browser", done.stdout)
        self.assertEqual(self.files(), self.before)


if __name__ == "__main__":
    rampart_command.RAMPART = RAMPART
    unittest.main(argv=sys.argv[:1])
