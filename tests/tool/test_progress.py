#!/usr/bin/env python3
"""Progress appears on a terminal, for what takes longer than a second, and nowhere else."""

import os
import pty
import select
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

LONG = ["train", "data.svm", "-o", "model.json", "-c", "1000", "-g", "0.5", "-e", "1e-9",
        "--cache-mb", "1"]
PATIENCE = 1.8  # seconds: progress starts after one


class Progress(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("synthetic1", "data.svm", "-n", "20000")

    def shown(self, *options, term="xterm", terminal=True, until=None, patience=PATIENCE):
        """What standard error shows of a long training: so much, or for so long."""
        if terminal:
            try:
                reader, writer = pty.openpty()
            except OSError as none:  # a bare chroot has no /dev/pts
                self.skipTest(str(none))
        else:
            reader, writer = os.pipe()
        environment = {**os.environ, "TERM": term}
        with subprocess.Popen([RAMPART, *LONG, *options], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=writer) as started:
            os.close(writer)
            seen = b""
            end = time.monotonic() + patience
            while time.monotonic() < end and not (until and until in seen):
                if select.select([reader], [], [], 0.1)[0]:
                    seen += os.read(reader, 65536)
            self.assertIsNone(started.poll(), "training is over too soon to show progress")
            started.send_signal(signal.SIGINT)
            self.assertEqual(started.wait(), 130)
        os.close(reader)
        return seen.decode()

    def test_on_a_terminal_it_rewrites_one_line(self):
        seen = self.shown(until=b"violation", patience=LONGEST)
        self.assertIn("round 1", seen)
        self.assertIn("steps", seen)
        self.assertRegex(seen, r"violation [0-9.e+-]+ \(until 1e-09\).*, [0-9]+ s")
        self.assertTrue(seen.startswith("\r"), seen)
        self.assertNotIn("\n", seen)

    def test_nowhere_else(self):
        self.assertEqual(self.shown(terminal=False), "")

    def test_not_on_a_terminal_that_cannot_rewrite_a_line(self):
        self.assertEqual(self.shown(term="dumb"), "")

    def test_not_when_quiet(self):
        self.assertEqual(self.shown("--quiet"), "")


if __name__ == "__main__":
    unittest.main()
