#!/usr/bin/env python3
"""Pages made of sample data hold what check_page.mjs asks of every page, in a real browser."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
LARGEST = 450_000  # bytes of a page without data
FILL, WEB, NODE = sys.argv[1:4]
BROWSER = os.environ.get("RAMPART_BROWSER") or shutil.which("chromium")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def fill(data):
    return subprocess.run([FILL], input=data, capture_output=True, text=True, check=False)


def sample(name):
    run = subprocess.run([NODE, HERE / "sample.mjs", name], capture_output=True, text=True, check=True)
    return run.stdout


class Page(unittest.TestCase):
    def check_file(self, path):
        run = subprocess.run([NODE, HERE / "check_page.mjs", WEB, BROWSER, path],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def check(self, name):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"{name}.html")
            path.write_text(fill(sample(name)).stdout, encoding="utf-8")
            self.check_file(path)

    def check_made_by(self, *commands):
        """The last of these commands of rampart writes page.html."""
        with tempfile.TemporaryDirectory() as folder:
            for command in commands:
                run = subprocess.run([os.environ["RAMPART"], *command.split()], cwd=folder,
                                     env={**os.environ, "RAMPART_DATA": ""}, capture_output=True,
                                     text=True, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
            self.check_file(Path(folder, "page.html"))

    def test_the_report_of_a_model(self):
        self.check_made_by("generate synthetic2 -n 300 -o data.csv",
                           "train data.csv -o model.json -c 8 -g 0.5",
                           "report model.json data.csv -o page.html")

    def test_the_report_of_two_models_of_many_columns(self):
        self.check_made_by("generate synthetic1 -n 300 -o data.csv",
                           "train data.csv -o a.json -c 8 -g 0.5",
                           "train data.csv -o b.json --kernel linear --scale standard",
                           "report a.json b.json data.csv -o page.html")

    def test_a_model(self):
        self.check("one")

    def test_several_models(self):
        self.check("several")

    def test_the_paper(self):
        self.check_made_by("reproduce --folds 2 --repeats 2 -o page.html")

    def test_every_section_with_ordinary_data(self):
        self.check("rich")

    def test_texts_that_look_like_html_long_names_and_absent_parts(self):
        self.check("hostile")

    def test_a_page_with_nothing_to_show(self):
        self.check("bare")

    def test_a_page_without_data_is_small(self):
        self.assertLess(len(fill("{}").stdout.encode()), LARGEST)

    def test_faults_are_found(self):
        """The checks can fail: each planted fault is reported."""
        good = fill(json.dumps({"title": "T", "generator": "g"})).stdout
        faults = {
            "Content Security Policy": good.replace("</body>", "<script>let x = 1</script></body>"),
            "console error": good.replace("'sha256-", "'sha256-A"),
            "request": good.replace("default-src 'none'", "img-src *").replace(
                "</body>", '<img src="https://example.invalid/x.png" alt=""></body>'),
            "wider than": good.replace("<noscript>", '<pre>' + "x" * 900 + "</pre><noscript>"),
        }
        with tempfile.TemporaryDirectory() as folder:
            for fault, html in faults.items():
                with self.subTest(fault=fault):
                    path = Path(folder, "fault.html")
                    path.write_text(html, encoding="utf-8")
                    run = subprocess.run([NODE, HERE / "check_page.mjs", WEB, BROWSER, path],
                                         capture_output=True, text=True, check=False)
                    self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                    self.assertIn(fault, run.stdout)


if __name__ == "__main__":
    if not BROWSER:
        skip("no chromium; install it, or name a browser in RAMPART_BROWSER")
    unittest.main(argv=sys.argv[:1])
