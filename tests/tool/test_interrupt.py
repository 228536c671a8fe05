#!/usr/bin/env python3
"""What ends a command early: no file is left half-written, and the exit code says what happened.

test_signals.py does the same at random moments.
"""

import os
import pty
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


class WhatWasKept(EndedEarly):
    """An interrupt says so in one line, and what would have kept more."""

    def setUp(self):
        super().setUp()
        self.generate("synthetic1", "data.svm", "-n", "20000")

    def interrupted(self, *arguments, until="aside", which=signal.SIGINT):
        """What it says when it is interrupted while it works."""
        started = self.start(*arguments)
        if until == "aside":
            self.wait_for_the_file_aside()
        else:
            self.wait_until_interrupts_are_handled(started)
        time.sleep(0.7)
        self.assertIsNone(started.poll(), "it is over before it could be interrupted")
        started.send_signal(which)
        self.assertEqual(started.wait(LONGEST), 128 + which)
        return started.stderr.read().decode()

    def test_of_training_is_nothing(self):
        train = ["train", "data.svm", "-o", "model.json", "--scale", "standard", *LONG]
        for which in [signal.SIGINT, signal.SIGTERM]:
            self.assertEqual(self.interrupted(*train, which=which),
                             "rampart: interrupted: no model was written; --max-seconds S writes the "
                             "best one after S seconds\n")
        for typed in [["--max-seconds", "1000"], ["--strict"]]:
            self.assertEqual(self.interrupted(*train, *typed),
                             "rampart: interrupted: no model was written\n")
        self.assertEqual(self.interrupted(*train, "-q"), "")

    def test_of_cross_validation_is_what_the_journal_has(self):
        cv = ["cv", "data.svm", "--scale", "standard", *LONG]
        said = self.interrupted(*cv, until="signals")
        self.assertEqual(said, "rampart: interrupted: 0 finished trainings are lost; --journal FILE "
                               "keeps them\n")
        said = self.interrupted(*cv, "--journal", "cv.journal", until="signals")
        self.assertEqual(said, "rampart: interrupted: 0 trainings are in cv.journal, and the same "
                               "command goes on from there\n")

    def test_of_tuning_is_what_the_journal_has(self):
        self.generate("synthetic2", "small.csv", "-n", "100")
        tune = ["tune", "small.csv", "-o", "model.json", "--threads", "1", "-v", "10", "--repeats",
                "1000"]
        said = self.interrupted(*tune)
        self.assertRegex(said, r"^rampart: interrupted: no model was written and [1-9]\d* finished "
                               r"trainings are lost; --journal FILE keeps them\n$")
        said = self.interrupted(*tune, "--journal", "tune.journal")
        self.assertRegex(said, r"^rampart: interrupted: no model was written; \d+ trainings are in "
                               r"tune\.journal, and the same command goes on from there\n$")
        # A line that is being written when the interrupt comes is not counted yet.
        kept = int(said.split("; ")[1].split()[0])
        lines = self.path("tune.journal").read_bytes().count(b"\n") - 1
        self.assertGreater(kept, 0)
        self.assertIn(lines - kept, [0, 1])
        again = self.interrupted(*tune, "--journal", "tune.journal")
        self.assertIn(f"rampart: tune.journal: {lines} trainings are there already\n", again)

    def test_of_other_commands_is_no_file(self):
        started = self.start("convert", "-", "out.svm")
        self.wait_for_the_file_aside()
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(LONGEST), 130)
        self.assertEqual(started.stderr.read(), b"rampart: interrupted: no file was written\n")

    def test_the_line_of_progress_is_wiped(self):
        reader, terminal = pty.openpty()
        started = subprocess.Popen([RAMPART, "train", "data.svm", "-o", "model.json", "--scale",
                                    "standard", *LONG], cwd=self.folder, stderr=terminal,
                                   env={**os.environ, "TERM": "xterm"})
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        os.close(terminal)
        seen = b""
        while b"violation" not in seen:
            seen += os.read(reader, 4096)
        started.send_signal(signal.SIGINT)
        try:
            while True:
                seen += os.read(reader, 4096)
        except OSError:  # the other end is closed
            os.close(reader)
        self.assertEqual(started.wait(LONGEST), 130)
        last = seen.decode().split("\r\x1b[K")[-1]
        self.assertRegex(last, r"^rampart: interrupted: no model was written; [^\r\n]*\r\n$")

    def test_nobody_has_to_read_it(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)
        started = subprocess.Popen([RAMPART, "train", "-", "-o", "model.json"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stderr=writer)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        self.wait_for_the_file_aside()
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(LONGEST), 130)
        started.stdin.close()
        os.close(reader)
        os.close(writer)
        self.assertEqual(self.files(), ["data.svm"])


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
