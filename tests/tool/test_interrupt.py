#!/usr/bin/env python3
"""What ends a command early: no file is left half-written, and the exit code says what happened.

test_signals.py does the same at random moments.
"""

import os
import resource
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest, signals_as_at_a_terminal

LONG = ["-c", "1000", "-g", "0.5", "-e", "1e-9", "--cache-mb", "1"]  # minutes on 20 000 rows


class EndedEarly(CommandTest):
    def setUp(self):
        super().setUp()
        signals_as_at_a_terminal()

    def start(self, *arguments, **how):
        started = subprocess.Popen([RAMPART, *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
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

    def wait_until_interrupts_are_handled(self, started):
        """From then on they are blocked in all threads but the one that waits for them."""
        deadline = time.monotonic() + LONGEST
        while True:
            with open(f"/proc/{started.pid}/status", encoding="ascii") as file:
                blocked = next(line.split()[1] for line in file if line.startswith("SigBlk"))
            if int(blocked, 16) & 1 << (signal.SIGINT - 1):
                return
            self.assertLess(time.monotonic(), deadline, "interrupts are not handled")
            time.sleep(0.01)

    def assert_leaves_nothing(self, started, before, which=signal.SIGINT):
        started.send_signal(which)
        self.assertEqual(started.wait(LONGEST), 128 + which)
        self.assertEqual(started.stdout.read(), b"")
        self.assertEqual(self.files(), before)


class Interrupt(EndedEarly):
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

    def test_while_a_pipe_waits_for_its_reader(self):
        os.mkfifo(self.path("pipe"))
        started = self.start("generate", "square", "-o", "pipe")
        self.wait_until_interrupts_are_handled(started)
        time.sleep(0.1)  # for it to reach the pipe
        self.assertIsNone(started.poll())
        self.assert_leaves_nothing(started, ["pipe"])

    def test_when_all_files_are_in_place_it_comes_too_late_and_a_second_one_does_not(self):
        self.generate("square", "data.csv", "-n", "2000")
        self.train("data.csv", "-q")
        # More than a pipe holds: the command is in the middle of printing when its file is there.
        report = ["report", "model.json", "data.csv", "--json", "-o", "out.html"]
        done = self.try_run(*report)
        if "no page: " in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        for again, code in [(False, 0), (True, 143)]:
            with self.subTest(again=again):
                self.path("out.html").unlink()
                started = self.start(*report)
                deadline = time.monotonic() + LONGEST
                while not self.path("out.html").exists():
                    self.assertLess(time.monotonic(), deadline, "no page was written")
                    time.sleep(0.01)
                started.send_signal(signal.SIGINT)
                time.sleep(0.2)
                self.assertIsNone(started.poll())
                if again:
                    started.send_signal(signal.SIGTERM)
                else:
                    self.assertTrue(started.stdout.read().endswith(b"}\n"))
                self.assertEqual(started.wait(LONGEST), code)
                self.assertEqual(self.files(), ["data.csv", "model.json", "out.html"])


class FailingWrites(EndedEarly):
    def test_a_reader_that_goes_away_is_an_error_and_leaves_nothing_behind(self):
        self.generate("square", "data.csv", "-n", "50000")
        started = self.start("convert", "data.csv", "-")
        started.stdout.close()
        self.assertEqual(started.wait(LONGEST), 1)
        self.assertEqual(started.stderr.read(), b"rampart: standard output: Broken pipe\n")
        self.assertEqual(self.files(), ["data.csv"])

    def test_the_work_goes_on_when_nobody_reads_the_notes(self):
        self.generate("square", "data.csv")
        started = self.start("train", "data.csv", "-o", "model.json", "--max-steps", "1")
        started.stderr.close()
        self.assertEqual(started.wait(LONGEST), 0)
        self.assertEqual(self.files(), ["data.csv", "model.json"])

    def test_a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing_behind(self):
        self.generate("square", "data.csv", "-n", "2000")
        started = self.start(
            "convert", "data.csv", "out.svm",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertEqual(started.wait(LONGEST), 1)
        self.assertEqual(started.stderr.read(), b"rampart: out.svm: File too large\n")
        self.assertEqual(self.files(), ["data.csv"])


class Killed(EndedEarly):
    """Nothing can be done about SIGKILL while it happens."""

    def killed(self, output):
        started = self.start("train", "-", "-o", output)
        self.wait_for_the_file_aside()
        started.kill()
        started.wait(LONGEST)
        self.assertEqual(len(self.files()), 1)

    def test_what_was_left_is_removed_by_the_next_command_that_writes_there(self):
        self.killed("model.json")
        self.generate("square", "data.csv")
        self.assertEqual(self.files(), ["data.csv"])

    def test_what_another_command_is_writing_stays(self):
        started = self.start("train", "-", "-o", "model.json")
        self.wait_for_the_file_aside()
        aside = self.files()
        self.generate("square", "data.csv")
        self.assertEqual(self.files(), [*aside, "data.csv"])
        self.assertEqual(started.communicate(b"x,y\n1,a\n2,b\n", LONGEST)[1], b"")
        self.assertEqual(started.returncode, 0)
        self.assertEqual(self.files(), ["data.csv", "model.json"])


if __name__ == "__main__":
    unittest.main()
