"""What the tests of the command share: a folder of their own, and ways to run it there."""

import csv
import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

RAMPART = os.environ.get("RAMPART", "rampart")
LONGEST = 60  # seconds; nothing here takes so long unless it hangs


def signals_as_at_a_terminal():
    """Commands started from now on heed Ctrl-C and hanging up, also if this runs under nohup or in
    the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def facts_of(model):
    """What a model file says of its one surface, in one flat dictionary: b and rho, loss, costs, mu
    and C, weights or coefficients, and under `training` the certificate."""
    [surface] = model["surfaces"]
    return {**model, **surface, **surface["objective"], **surface["band"],
            "training": surface["certificate"]}


class CommandTest(unittest.TestCase):
    """Each test has an empty folder, which is the current one of every command it runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, *names):
        return self.folder.joinpath(*names)

    def plant(self, name, content):
        """Writes a file, from text, bytes, or rows of a CSV file; returns its name."""
        if isinstance(content, list):
            content = "".join(",".join(map(str, row)) + "\n" for row in content)
        if isinstance(content, str):
            content = content.encode()
        self.path(name).write_bytes(content)
        return name

    def try_run(self, *arguments, stdin=b"", env=None):
        """Runs the command; what it returns has returncode, stdout and stderr (text)."""
        done = subprocess.run([RAMPART, *map(str, arguments)], input=stdin, cwd=self.folder,
                              env={**os.environ, **(env or {})}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LONGEST, check=False)
        done.stdout = done.stdout.decode()
        done.stderr = done.stderr.decode()
        return done

    def run_well(self, *arguments, **how):
        """Runs the command, which must succeed; returns its standard output."""
        done = self.try_run(*arguments, **how)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def run_json(self, *arguments, **how):
        return json.loads(self.run_well(*arguments, "--json", **how))

    def generate(self, name, output, *options):
        self.run_well("generate", name, "-o", output, *options)
        return output

    def train(self, data, *options, model="model.json", **how):
        """Trains, and returns the model as it stands in the file."""
        self.run_well("train", data, "-o", model, *options, **how)
        return json.loads(self.path(model).read_text(encoding="utf-8"))

    def scores(self, model, data, *options):
        return [float(row["score"]) for row in self.predictions(model, data, *options)]

    def predictions(self, model, data, *options):
        return list(csv.DictReader(self.run_well("predict", model, data, *options).splitlines()))

    def rows_of(self, name):
        """Header and rows of a CSV file."""
        with open(self.path(name), newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        return header, rows

    def assert_close(self, got, expected, within):
        self.assertEqual(len(got), len(expected))
        worst = max((abs(a - b), n) for n, (a, b) in enumerate(zip(got, expected)))
        self.assertLessEqual(worst[0], within, f"at position {worst[1]}")

    def assert_refused(self, done, code, *words):
        """One line on standard error that holds these words, nothing on standard output."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("rampart: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.endswith("\n"), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())
