#!/usr/bin/env python3
"""Ctrl-C at any time: exit code 130, and nothing half-written is left behind."""

import os
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

LONG = ["-c", "1000", "-g", "0.5", "-e", "1e-9", "--cache-mb", "1"]  # minutes on 20 000 rows


class Interrupt(CommandTest):
    def start(self, *arguments):
        started = subprocess.Popen([RAMPART, *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        for pipe in [started.stdin, started.stdout, started.stderr]:
            self.addCleanup(pipe.close)
        return started

    def wait_for_the_file_aside(self):
        deadline = time.monotonic() + LONGEST
        while not any(name.endswith(".tmp") for name in self.files()):
            self.assertLess(time.monotonic(), deadline, "no file was begun")
            time.sleep(0.01)

    def assert_leaves_nothing(self, started, before, which=signal.SIGINT):
        started.send_signal(which)
        self.assertEqual(started.wait(LONGEST), 128 + which)
        self.assertEqual(started.stdout.read(), b"")
        self.assertEqual(self.files(), before)

    def test_while_reading_a_slow_pipe(self):
        started = self.start("train", "-", "-o", "model.json")
        os.write(started.stdin.fileno(), b"x,y\n1,a\n2,b\n")
        self.wait_for_the_file_aside()
        self.assert_leaves_nothing(started, [])

    def test_a_signal_that_was_ignored_before_stays_ignored(self):  # nohup
        self.plant("data.csv", "x,y\n1,a\n2,b\n")
        started = subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$0" train - -o model.json',
                                    RAMPART], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(started.kill)
        os.write(started.stdin.fileno(), b"x,y\n1,a\n")
        self.wait_for_the_file_aside()
        started.send_signal(signal.SIGHUP)
        os.write(started.stdin.fileno(), b"2,b\n")
        started.stdin.close()
        self.assertEqual(started.wait(LONGEST), 0)

    def test_while_training(self):
        self.generate("synthetic1", "data.svm", "-n", "20000")
        started = self.start("train", "data.svm", "-o", "model.json", *LONG)
        self.wait_for_the_file_aside()
        time.sleep(0.5)
        self.assertIsNone(started.poll(), "training is over before it could be interrupted")
        self.assert_leaves_nothing(started, ["data.svm"])

    def test_while_predicting_rows_from_a_slow_pipe(self):
        self.generate("square", "data.csv")
        self.train("data.csv")
        started = self.start("predict", "model.json", "-", "-o", "out.csv")
        os.write(started.stdin.fileno(), b"x1,x2\n" + b"0.5,0.25\n" * 5000)
        self.wait_for_the_file_aside()
        self.assert_leaves_nothing(started, ["data.csv", "model.json"])

    def test_the_old_file_survives(self):
        self.plant("model.json", "precious")
        started = self.start("train", "-", "-o", "model.json")
        self.wait_for_the_file_aside()
        self.assert_leaves_nothing(started, ["model.json"])
        self.assertEqual(self.path("model.json").read_text(encoding="utf-8"), "precious")

    def test_termination_and_hanging_up_are_interrupts_too(self):
        for which in [signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(signal=which):
                started = self.start("train", "-", "-o", "model.json")
                self.wait_for_the_file_aside()
                self.assert_leaves_nothing(started, [], which)

    def test_a_reader_that_goes_away_leaves_nothing_behind(self):
        self.generate("square", "data.csv", "-n", "50000")
        started = self.start("convert", "data.csv", "-")
        started.stdout.close()
        self.assertNotEqual(started.wait(LONGEST), 0)
        self.assertEqual(self.files(), ["data.csv"])


if __name__ == "__main__":
    unittest.main()
