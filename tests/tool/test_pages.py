#!/usr/bin/env python3
"""Pages as files: whole or not at all, where they were asked for. Needs a build with pages."""

import csv
import unittest

from rampart_command import CommandTest


class Report(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv")
        self.before = self.files()

    def test_a_page_appears_whole_or_not_at_all(self):
        said = self.run_well("report", "model.json", "data.csv")
        self.assertTrue(said.startswith("report.html: 400 rows, risk "), said)
        self.assertEqual(self.files(), sorted([*self.before, "report.html"]))
        page = self.path("report.html").read_text(encoding="utf-8")
        self.assertEqual(self.run_well("report", "model.json", "data.csv", "-o", "-"), page)
        data = self.run_json("report", "model.json", "data.csv", "-o", "other.html")
        self.assertEqual(self.path("other.html").read_text(encoding="utf-8"), page)
        self.assertIn("metrics", data["models"][0])
        self.assert_refused(self.try_run("report", "model.json", "none.csv", "-o", "new.html"), 1,
                            "none.csv")
        self.assert_refused(self.try_run("report", "model.json", "data.csv", "-o", "data.csv"), 2,
                            "is an input too")
        self.assertEqual(self.files(), sorted([*self.before, "other.html", "report.html"]))


    def test_several_models_have_a_line_each(self):
        self.train("data.csv", "--kernel", "linear", model="other.json")
        shown = self.run_well("report", "model.json", "other.json", "data.csv", "-o", "page.html")
        self.assertEqual([line.split(":")[0] for line in shown.splitlines()],
                         ["model.json", "other.json", "wrote page.html"])
        self.assert_refused(self.try_run("report", "model.json", "other.json", "data.csv", "-o",
                                         "other.json"), 2, "is an input too")

    def test_names_in_a_table_and_a_title_cannot_end_the_data(self):
        hostile = '</script><script>alert(1)</script>"\n'
        with open(self.path("odd.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(
                [["id" + hostile, "x" + hostile, "kind", "label"],
                 *([hostile + str(n), n % 7, hostile + "ab"[n % 2], hostile + "yn"[n % 7 > 3]]
                   for n in range(40))])
        self.train("odd.csv", "--label", "label", "--id", "id" + hostile)
        self.run_well("report", "model.json", "odd.csv", "-o", "page.html", "--title", hostile)
        page = self.path("page.html").read_text(encoding="utf-8")
        self.assertNotIn("<script>alert", page)
        self.assertIn("\\u003cscript>alert", page)


class Reproduce(CommandTest):
    def test_writes_its_page_where_it_is_told_to_and_never_over_that_of_report(self):
        quick = ["reproduce", "--only", "synthetic2", "--folds", "2", "--repeats", "1"]
        self.assertIn("wrote paper.html", self.run_well(*quick))
        self.assertIn("wrote other.html", self.run_well(*quick, "-o", "other.html"))
        self.assertEqual(self.files(), ["other.html", "paper.html"])


if __name__ == "__main__":
    unittest.main()
