#!/usr/bin/env python3
"""A build says how far it is: a line now and then, not silence and not a line a file."""

import subprocess
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "cmake" / "build_steps.sh"


class BuildSteps(unittest.TestCase):
    def shown(self, *lines):
        done = subprocess.run(["bash", SCRIPT], input="".join(line + "\n" for line in lines),
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "")
        return done.stderr.splitlines()

    def test_are_told_about_ten_times(self):
        shown = self.shown("[0/2] Re-checking globbed directories...", "[1/2] Re-running CMake...",
                         "-- Configuring done",
                         *(f"[{k}/95] Building CXX object x{k}.o" for k in range(1, 96)))
        self.assertEqual(len(shown), 10)
        self.assertEqual((shown[0], shown[-1]), ("dev: step 10 of 95", "dev: step 95 of 95"))

    def test_of_a_build_with_nothing_to_do_are_none(self):
        self.assertEqual(self.shown("[0/2] Re-checking globbed directories...", "ninja: no work to do."), [])


if __name__ == "__main__":
    unittest.main()
