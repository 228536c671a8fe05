#!/usr/bin/env python3
"""predict --stream: each line is answered while the pipe is still open."""

import os
import pty
import select
import subprocess
import unittest

from patients import HEADER, PatientsTest, patients
from rampart_command import LONGEST, RAMPART


class OpenPipe:
    """A running predict, to be asked line by line."""

    def __init__(self, folder, model, *options, stdout=subprocess.PIPE):
        self.process = subprocess.Popen([RAMPART, "predict", model, "-", "--stream", "-q", *options],
                                        cwd=folder, stdin=subprocess.PIPE, stdout=stdout,
                                        stderr=subprocess.PIPE)
        self.out = None if stdout != subprocess.PIPE else self.process.stdout.fileno()
        self.waiting = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def send(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self):
        """The next line of the answers. Fails if none comes for a time in which nothing but waiting for
        more input could be the reason."""
        while b"\n" not in self.waiting:
            if not select.select([self.out], [], [], LONGEST)[0]:
                raise AssertionError(f"no answer in {LONGEST} s; so far: {self.waiting}")
            more = os.read(self.out, 1 << 16)
            if not more:
                raise AssertionError(f"it ended; so far: {self.waiting}")
            self.waiting += more
        line, self.waiting = self.waiting.split(b"\n", 1)
        return line.decode().rstrip("\r")

    def finish(self):
        """Closes the pipe; returns the exit code and standard error."""
        _, errors = self.process.communicate(timeout=LONGEST)
        return self.process.returncode, errors.decode()


class Stream(PatientsTest):
    def cells(self, row):
        return ",".join(map(str, row)) + "\n"

    def test_every_line_is_answered_before_the_next_is_sent(self):
        self.train_on_patients()
        rows = [*patients(20, seed=2), ["far", 1000, 1, "M", ""], ["bad", "x", 1, "M", ""],
                ["short"], ["gap", "", 1, "M", ""]]
        self.plant_table("new.csv", rows)
        header, *expected = self.run_well("predict", "model.json", "new.csv").splitlines()
        with OpenPipe(self.folder, "model.json") as pipe:
            pipe.send(self.cells(HEADER))
            for n, row in enumerate(rows):
                pipe.send(self.cells(row))
                if n == 0:
                    self.assertEqual(pipe.line(), header)
                self.assertEqual(pipe.line(), expected[n])
            self.assertEqual(pipe.finish(), (0, ""))

    def test_a_row_without_header_is_answered_at_once(self):
        self.plant("train.csv", patients(100, seed=1))
        self.train("train.csv", "--id", "1")
        rows = patients(5, seed=2)
        self.plant("new.csv", rows)
        header, *expected = self.run_well("predict", "model.json", "new.csv").splitlines()
        with OpenPipe(self.folder, "model.json") as pipe:
            for n, row in enumerate(rows):
                pipe.send(self.cells(row))
                if n == 0:
                    self.assertEqual(pipe.line(), header)
                self.assertEqual(pipe.line(), expected[n])
            self.assertEqual(pipe.finish(), (0, ""))

    def test_libsvm_lines(self):
        self.generate("square", "train.csv", "-n", "100")
        self.run_well("convert", "train.csv", "train.svm")
        self.train("train.svm")
        with OpenPipe(self.folder, "model.json") as pipe:
            pipe.send("1 1:0.5 2:0.5\n")
            self.assertEqual(pipe.line(), "row,prediction,score,reason")
            self.assertTrue(pipe.line().startswith("1,"))
            pipe.send("1 1:x\n")
            self.assertIn("unreadable", pipe.line())

    def test_pieces_of_a_line_and_cells_of_two_lines(self):
        self.train_on_patients()
        with OpenPipe(self.folder, "model.json") as pipe:
            pipe.send(self.cells(HEADER) + "a,5")
            pipe.send("0,1,M,\n")
            pipe.line()
            self.assertTrue(pipe.line().startswith("a,"))
            pipe.send('"b\n')
            pipe.send('c",50,1,M,\nd,50,1,F,\n')
            self.assertEqual(pipe.line(), '"b')
            self.assertTrue(pipe.line().startswith('c",'))
            self.assertTrue(pipe.line().startswith("d,"))

    def test_on_a_terminal(self):
        self.train_on_patients()
        ours, theirs = pty.openpty()
        try:
            with OpenPipe(self.folder, "model.json", stdout=theirs) as pipe:
                pipe.out = ours
                pipe.send(self.cells(HEADER) + "a,50,1,M,\n")
                self.assertEqual(pipe.line(), "name,prediction,score,reason")
                self.assertTrue(pipe.line().startswith("a,"))
        finally:
            os.close(ours)
            os.close(theirs)

    def test_strict_ends_it_at_the_bad_row(self):
        self.train_on_patients()
        with OpenPipe(self.folder, "model.json", "--strict") as pipe:
            pipe.send(self.cells(HEADER) + "a,50,1,M,\n")
            pipe.line()
            self.assertTrue(pipe.line().startswith("a,"))
            pipe.send("b,,1,M,\n")
            code, errors = pipe.finish()
            self.assertEqual(code, 1)
            self.assertIn("row 2: column 'age' has no value", errors)

    def test_whole_files_get_the_same_answers(self):
        self.train_on_patients()
        self.plant_table("new.csv", patients(500, seed=3))
        self.assertEqual(self.run_well("predict", "model.json", "new.csv", "--stream"),
                         self.run_well("predict", "model.json", "new.csv"))

    def test_lines_and_one_json_object_exclude_each_other(self):
        self.train_on_patients()
        self.assert_refused(self.try_run("predict", "model.json", "train.csv", "--stream", "--json"), 2,
                            "stream")


if __name__ == "__main__":
    unittest.main()
