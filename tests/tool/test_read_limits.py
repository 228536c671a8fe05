#!/usr/bin/env python3
"""A file that is not what it seems ends early, in one line, and in little memory."""

import lzma
import os
import resource
import subprocess
import unittest

from rampart_command import RAMPART, CommandTest

MEGABYTE = 1 << 20
MANY = 80  # blocks of 64 MB: 5 GB unpacked


def packed(block, start=b""):
    """A small file that unpacks to `start` and MANY times the block."""
    return lzma.compress(start, preset=0) + MANY * lzma.compress(block, preset=0)


class LimitedMemory(CommandTest):
    def setUp(self):
        super().setUp()
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1024 * MEGABYTE, 1024 * MEGABYTE))
        if subprocess.run([RAMPART, "--version"], preexec_fn=limit, capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("takes more memory than it uses: built with a sanitizer")

    def run_within(self, megabytes, *arguments):
        """Runs the command, which must not use more memory."""
        with open(self.path("out"), "wb") as out, open(self.path("err"), "wb") as err:
            process = subprocess.Popen([RAMPART, *arguments], cwd=self.folder, stdout=out,
                                       stderr=err)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        done = subprocess.CompletedProcess(arguments, process.returncode,
                                           self.path("out").read_text(encoding="utf-8"),
                                           self.path("err").read_text(encoding="utf-8"))
        self.assertLess(used.ru_maxrss / 1024, megabytes, f"MB: {arguments}: {done.stderr}")
        return done


class Packed(LimitedMemory):
    BLOCK = 64 * MEGABYTE

    def test_a_line_without_an_end(self):
        for name, start in [("line.csv.xz", b"a,y\n1,p\n"), ("line.svm.xz", b"1 1:1\n-1 1:")]:
            self.plant(name, packed(self.BLOCK * b"0", start))
            self.assertLess(self.path(name).stat().st_size, 2 * MEGABYTE)
            done = self.run_within(700, "train", name, "-o", "model.json")
            self.assert_refused(done, 1, f"{name}: unpacks to more than 1000 times its size",
                                "--max-unpack-ratio")
            done = self.run_within(700, "train", name, "-o", "model.json", "--max-unpack-ratio",
                                   "1e6")
            self.assert_refused(done, 1, f"{name}:", "a line of more than 256 MiB",
                                "--max-line-mb")
            done = self.run_within(200, "train", name, "-o", "model.json", "--max-line-mb", "32")
            self.assert_refused(done, 1, f"{name}:", "a line of more than 32 MiB")
        self.assertNotIn("model.json", self.files())

    def test_rows_without_end(self):
        self.plant("rows.csv.xz", packed(self.BLOCK // 8 * b"1,p\n3,q\n", b"a,y\n"))
        done = self.run_within(1600, "train", "rows.csv.xz", "-o", "model.json")
        self.assert_refused(done, 1, "rows.csv.xz: unpacks to more than 1000 times its size")

    def test_a_quote_that_is_never_closed(self):
        self.plant("quote.csv.xz", packed(self.BLOCK // 4 * b"1,p\n", b'a,y\n2,q\n3,"'))
        done = self.run_within(200, "train", "quote.csv.xz", "-o", "model.json")
        self.assert_refused(done, 1, "quote.csv.xz:3: a cell of more than 16 MiB",
                            "is a quote missing?", "--max-cell-mb")

    def test_a_model_without_an_end(self):
        self.plant("model.xz", packed(self.BLOCK * b"0", b'{"format":"rampart-model","C":1'))
        self.plant("data.csv", "a,y\n1,p\n2,q\n")
        for command in [["inspect", "model.xz"], ["predict", "model.xz", "data.csv"],
                        ["evaluate", "model.xz", "data.csv"],
                        ["report", "model.xz", "data.csv", "-o", "page.html"],
                        ["train", "data.csv", "-o", "new.json", "--start", "model.xz"]]:
            done = self.run_within(700, *command)
            self.assert_refused(done, 1, "model.xz: unpacks to more than 1000 times its size")
            done = self.run_within(300, *command, "--max-model-mb", "64")
            self.assert_refused(done, 1, "model.xz: more than 64 MiB; a larger limit reads it",
                                "(--max-model-mb)")

    def test_what_does_not_begin_like_a_model_is_not_read_to_its_end(self):
        for filling in [b" ", b",", b"["]:
            with self.subTest(filling=filling):
                self.plant("model.xz", packed(self.BLOCK * filling, b""))
                done = self.run_within(150, "inspect", "model.xz")
                self.assert_refused(done, 1, "model.xz: is not a model")

    def test_what_is_small_may_be_packed_as_well_as_it_will(self):
        self.plant("data.csv.xz", lzma.compress(b"a,y\n1,p\n2,q\n" + self.BLOCK * b"\n"))
        self.assertGreater(self.BLOCK / self.path("data.csv.xz").stat().st_size, 1000)
        self.run_well("convert", "data.csv.xz", "data.svm")


class Wide(LimitedMemory):
    """Memory is in proportion to the file, or to the columns there may be."""

    def test_commas(self):
        self.plant("many.csv", b"a" + 20_000_000 * b"," + b"\n")
        for options in [[], ["--header", "no"]]:
            done = self.run_within(400, "train", "many.csv", "-o", "model.json", *options)
            self.assert_refused(done, 1, "many.csv:1: more than 16777216 columns")
        self.plant("most.csv", b"a" + 16_000_000 * b"," + b"\n")
        done = self.run_within(400, "train", "most.csv", "-o", "model.json")
        self.assert_refused(done, 1, "most.csv: 16000000 columns have no name", "--ignore")
        # Every cell of it is a missing value, which is counted by column.
        done = self.run_within(600, "train", "most.csv", "-o", "model.json", "--header", "no")
        self.assert_refused(done, 1, "most.csv: 1 row has no label")

    def test_scaling_of_sparse_rows(self):
        self.plant("wide.svm", "1 16777216:1\n-1 1:1\n")
        for options in [[], ["--kernel", "linear"]]:
            done = self.run_within(1000, "train", "wide.svm", "-o", "model.json", "--scale",
                                   "standard", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_within(1000, "predict", "model.json", "wide.svm")
        self.assertEqual(done.returncode, 0, done.stderr)


class Options(CommandTest):
    def setUp(self):
        super().setUp()
        self.plant("data.csv", "a,y\n1,p\n2,q\n")

    def test_larger_limits_read_what_smaller_ones_refuse(self):
        note = 100_000 * "x"
        self.plant("notes.csv", f"a,note,y\n1,{note},p\n2,{note},q\n")
        for limit in ["--max-line-mb", "--max-cell-mb"]:
            convert = ["convert", "notes.csv", "data.svm", "--ignore", "note", limit]
            self.assert_refused(self.try_run(*convert, "0.05"), 1, "notes.csv:2: a", limit)
            self.run_well(*convert, "0.1")

    def test_must_be_numbers_in_their_range(self):
        for option, most in [("--max-line-mb", "4095"), ("--max-cell-mb", "4095"),
                             ("--max-model-mb", "1000000000"), ("--max-unpack-ratio", "1000000000")]:
            for value in ["0", "-1", "nan", "inf"]:
                done = self.try_run("train", "data.csv", "-o", "model.json", option, value)
                self.assert_refused(done, 2, f"{option} {value}: must be greater than 0 and at "
                                             f"most {most}")
            done = self.try_run("train", "data.csv", "-o", "model.json", option, "large")
            self.assert_refused(done, 2, option, "'large' is not a number")

    def test_groups_have_them_too(self):
        self.plant("groups", 100_000 * "g" + "\nh\n")
        done = self.try_run("cv", "data.csv", "--groups", "groups", "--max-line-mb", "0.05")
        self.assert_refused(done, 1, "groups:1: a line of more than", "--max-line-mb")


if __name__ == "__main__":
    unittest.main()
