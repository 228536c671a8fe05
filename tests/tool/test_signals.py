#!/usr/bin/env python3
"""Signals at random moments, to every command that writes: all of its files are there, or none.

A few trials for each command and number of threads. RAMPART_SLOW=1 makes it hundreds, and
RAMPART_SEED chooses other moments.
"""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest, signals_as_at_a_terminal

SLOW = os.environ.get("RAMPART_SLOW", "") not in ("", "0")
SEED = int(os.environ.get("RAMPART_SEED", "1"))
TRIALS = 100 if SLOW else 4
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

# What each command is given, and the files that it makes in the folder "out".
SEVERAL = [f"m-{d}.json" for d in ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35", "0.4", "0.45", "0.5"]]
COMMANDS = {
    "train": (["train", "data.csv", "-o", "out/m.json"], ["m.json"]),
    "train several": (["train", "data.csv", "-o", "out/m-{d}.json", "--d", "0.1:0.5:0.05",
                       "--max-steps", "200"], SEVERAL),
    "predict": (["predict", "model.json", "data.csv", "-o", "out/answers.csv"], ["answers.csv"]),
    "evaluate": (["evaluate", "model.json", "data.csv", "--curve", "out/curve.csv"], ["curve.csv"]),
    "inspect": (["inspect", "model.json", "--points", "data.csv", "-o", "out/zones.csv"],
                ["zones.csv"]),
    "convert": (["convert", "data.csv", "out/data.svm"], ["data.svm"]),
    "generate": (["generate", "synthetic2", "-n", "50000", "-o", "out/data.csv"], ["data.csv"]),
    "cv": (["cv", "small.csv", "-v", "3", "--repeats", "4", "-o", "out/folds.csv", "--assignments",
            "out/rows.csv"], ["folds.csv", "rows.csv"]),
    "tune": (["tune", "small.csv", "-o", "out/m.json", "--table", "out/grid.csv", "--journal",
              "journal", "-c", "1,2,4", "-g", "1,2"], ["m.json", "grid.csv"]),
    "report": (["report", "model.json", "data.csv", "-o", "out/report.html"], ["report.html"]),
    "reproduce": (["reproduce", "--only", "synthetic1", "-v", "2", "--repeats", "1", "-o",
                   "out/paper.html"], ["paper.html"]),
}
NEED_PAGES = {"report", "reproduce"}
TELL_THE_TIME = {"reproduce"}  # no two runs give the same bytes


class Signals(CommandTest):
    def setUp(self):
        super().setUp()
        signals_as_at_a_terminal()
        self.generate("synthetic1", "data.csv", "-n", "1500")
        self.generate("square", "small.csv", "-n", "120")
        self.train("data.csv", "--max-steps", "2000")

    def start(self, arguments):
        shutil.rmtree(self.path("out"), ignore_errors=True)
        self.path("out").mkdir()
        return subprocess.Popen([RAMPART, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def outputs(self):
        return {path.name: path.read_bytes() for path in self.path("out").iterdir()}

    def wait_until_one_is_in_place(self, started, names):
        while started.poll() is None and not any(self.path("out", name).exists() for name in names):
            pass

    def try_signals(self, name, threads, rng):
        arguments, files = COMMANDS[name]
        arguments = [*arguments, "--threads", threads]
        begin = time.monotonic()
        self.assertEqual(self.start(arguments).wait(LONGEST), 0)
        duration = time.monotonic() - begin
        expected = self.outputs()
        self.assertEqual(sorted(expected), sorted(files))
        for trial in range(TRIALS):
            if trial % 2 == 0 or name != "tune":  # every other time it goes on from its journal
                self.path("journal").unlink(missing_ok=True)
            which = rng.choice(SIGNALS)
            started = self.start(arguments)
            try:
                if trial % 2 == 1 and len(files) > 1:
                    self.wait_until_one_is_in_place(started, files)
                else:
                    time.sleep(rng.uniform(0, 1.1 * duration))
                started.send_signal(which)
                code = started.wait(LONGEST)
            finally:
                started.kill()
                started.wait()
            found = self.outputs()
            what = f"{name}, {threads} threads, trial {trial}, {which.name}: exit code {code}"
            # -n: it came before the command's first line of code
            self.assertIn(code, [0, 128 + which, -which], what)
            self.assertEqual(sorted(found), sorted(files) if code == 0 else [], what)
            if name not in TELL_THE_TIME:
                self.assertEqual(found, expected if code == 0 else {}, what)

    def test_leave_all_files_or_none_and_the_exit_code_says_which(self):
        rng = random.Random(SEED)
        self.path("out").mkdir()
        pages = "no page: " not in self.try_run(*COMMANDS["report"][0]).stderr
        for name in COMMANDS:
            if name in NEED_PAGES and not pages:
                continue
            for threads in ["1", "2"]:
                with self.subTest(command=name, threads=threads, seed=SEED):
                    self.try_signals(name, threads, rng)


if __name__ == "__main__":
    unittest.main()
