#!/usr/bin/env python3
"""The same bytes for any number of threads, any cache, any locale, and again and again."""

import gzip
import os
import random
import shutil
import subprocess
import tempfile
import unittest

from rampart_command import CommandTest

GERMAN = "de_DE.UTF-8"


def german_locale():
    """The variables that make a program write 1,5 for 1.5; None if there is no way."""
    variables = {"LANG": GERMAN, "LC_ALL": GERMAN}
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    if "de_DE.utf8" in listed.split():
        return variables
    if shutil.which("localedef") is None:
        return None
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder.name}/{GERMAN}"],
                          capture_output=True, check=False)
    if not os.path.exists(f"{folder.name}/{GERMAN}/LC_NUMERIC"):
        return None if made.returncode else variables
    variables["LOCPATH"] = folder.name
    # Without this the test would pass where the locale is not found.
    asked = subprocess.run(["locale", "decimal_point"], capture_output=True, text=True, check=False,
                           env={**os.environ, **variables})
    return variables if asked.stdout.strip() == "," else None


class Determinism(CommandTest):
    SETS = {
        "square": ["square"],
        "mixtures": ["synthetic2"],
        "many_mixtures": ["synthetic2", "-n", "3000"],
        "many_lines": ["synthetic1", "-n", "3000"],
    }
    CASES = [
        ("square", ["--kernel", "linear", "-c", "10"]),
        ("square", ["-g", "2", "-c", "10", "--scale", "standard"]),
        ("mixtures", ["-g", "0.25", "-c", "64", "--precision", "single"]),
        ("mixtures", ["--kernel", "polynomial", "--coef0", "1"]),
        ("many_mixtures", ["-g", "0.25", "--precision", "single"]),
        ("many_mixtures", ["-g", "0.25", "--precision", "double"]),
        ("many_lines", ["--kernel", "linear", "--precision", "single"]),
        ("many_lines", ["--kernel", "linear", "--precision", "double"]),
    ]

    def setUp(self):
        super().setUp()
        for name, (which, *options) in self.SETS.items():
            self.generate(which, f"{name}.svm", *options)

    def assert_same_bytes(self, *variants):
        """The variants are options, or environments if they are dictionaries."""
        for name, options in self.CASES:
            with self.subTest(set=name, options=options):
                results = [self.train_and_predict(f"{name}.svm", options, variant)
                           for variant in variants]
                for result in results[1:]:
                    self.assertEqual(result, results[0])

    def train_and_predict(self, data, options, variant):
        environment = variant if isinstance(variant, dict) else {}
        extra = [] if environment else variant
        threads = extra if "--threads" in extra else []
        self.train(data, *options, *extra, env=environment)
        answers = self.run_well("predict", "model.json", data, *threads, env=environment)
        return self.path("model.json").read_bytes(), answers

    def test_repeated_runs_and_any_number_of_threads(self):
        self.assert_same_bytes(["--threads", "1"], ["--threads", "2"], ["--threads", "2"], [])

    def test_any_cache(self):
        self.assert_same_bytes(["--cache-mb", "0"], ["--cache-mb", "1"], ["--cache-mb", "1024"])

    def test_any_locale(self):
        variables = german_locale()
        if variables is None:
            self.skipTest("no German locale, and no localedef to make one")
        self.assert_same_bytes({"LC_ALL": "C"}, variables)
        self.generate("square", "here.csv")
        self.run_well("generate", "square", "-o", "there.csv", env=variables)
        self.assertEqual(self.path("there.csv").read_bytes(), self.path("here.csv").read_bytes())


class ManyRows(CommandTest):
    """The linear solver adds blocks of rows in their order, whoever computes them."""

    ROWS = 200_000

    def assert_same_models(self, data, *options):
        models = []
        for threads in (1, 2):
            self.train(data, "--kernel", "linear", "--threads", threads, *options)
            models.append(self.path("model.json").read_bytes())
        for model in models[1:]:
            self.assertEqual(model, models[0])

    def test_answers(self):
        """Rows are read ahead of those that are answered, in blocks and batches, unless they come one by one."""
        rng = random.Random(1)
        rows = [f"{rng.choice((1, -1))} 1:{rng.gauss(0, 1):.6g} 2:{rng.gauss(0, 1):.17g} 3:{rng.random():.3f}"
                for _ in range(40_000)]
        self.path("rows.svm").write_text("\n".join(rows[:500]) + "\n", encoding="ascii")
        self.train("rows.svm", "--kernel", "linear", "--unfamiliar", "0.01")
        for n in range(123, len(rows), 7919):
            rows[n] += rng.choice((" 2:1", " 9:1", " x", "\r", " ", " # note", " 4:1"))
        text = "\n".join(rows) + "\n"
        self.path("rows.svm").write_text(text, encoding="ascii", newline="")
        self.path("rows.svm.gz").write_bytes(gzip.compress(text.encode("ascii")))
        answers = self.run_well("predict", "model.json", "rows.svm", "--threads", "1")
        self.assertEqual(answers.count("\n"), len(rows) + 1)
        for how in (["rows.svm", "--threads", "2"], ["rows.svm", "--threads", "3"], ["rows.svm", "--stream"],
                    ["rows.svm.gz", "--threads", "2"]):
            with self.subTest(how):
                self.assertTrue(self.run_well("predict", "model.json", *how) == answers)
        piped = self.run_well("predict", "model.json", "-", stdin=text.encode("ascii"))
        self.assertTrue(piped == answers)

    def test_dense_rows(self):
        self.generate("synthetic1", "dense.csv", "-n", str(self.ROWS))
        self.assert_same_models("dense.csv")
        self.assert_same_models("dense.csv", "--loss", "hinge", "--band-folds", "0", "-c", "0.1")

    def test_sparse_rows(self):
        draw = random.Random(7)
        w = [draw.gauss(0, 1) for _ in range(300)]
        lines = []
        for _ in range(self.ROWS):
            columns = sorted(draw.sample(range(300), 5))
            score = sum(w[j] for j in columns)
            label = 1 if score + draw.gauss(0, 1) > 0 else -1
            lines.append(f"{label} " + " ".join(f"{j + 1}:1" for j in columns))
        self.plant("sparse.svm", "\n".join(lines) + "\n")
        self.assert_same_models("sparse.svm", "-c", "0.01")


if __name__ == "__main__":
    unittest.main()
