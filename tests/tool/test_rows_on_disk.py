#!/usr/bin/env python3
"""Files of rows: what a command does with text it does with them, to the same bits; damaged files are one line."""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from rampart_command import RAMPART, CommandTest


def table(rows, columns, seed, header=True):
    """Numbers with a little text and some gaps, and labels that a plane explains nearly."""
    deal = random.Random(seed)
    lines = ["who," + ",".join(f"x{j}" for j in range(columns)) + ",colour,label"] if header else []
    for n in range(rows):
        x = [deal.gauss(0, 1) for _ in range(columns)]
        label = "yes" if x[0] + 0.5 * x[1] + 0.3 * deal.gauss(0, 1) > 0 else "no"
        cells = ["" if deal.random() < 0.01 else repr(value) for value in x]
        lines.append(",".join([f"r{n}", *cells, deal.choice(["red", "green"]), label]))
    return "\n".join(lines) + "\n"


def numbers(rows, columns, seed):
    deal = random.Random(seed)
    lines = []
    for _ in range(rows):
        x = [deal.gauss(0, 1) for _ in range(columns)]
        label = 1 if x[0] - x[1] + deal.gauss(0, 1) > 0 else -1
        lines.append(f"{label} " + " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(x)))
    return "\n".join(lines) + "\n"


class RowsOnDisk(CommandTest):
    def model_bytes(self, data, *options):
        self.run_well("train", data, "-o", "m.json", *options)
        return self.path("m.json").read_bytes()

    def test_training_on_a_file_of_rows_gives_the_bytes_of_training_on_its_text(self):
        self.plant("t.csv", table(400, 4, 1))
        self.run_well("convert", "t.csv", "t.rows", "--id", "who")
        for options in (["--kernel", "linear"], ["--kernel", "linear", "--solver", "smo"], ["-g", "0.5"],
                        ["--kernel", "linear", "--scale", "none", "--threads", "2"]):
            with self.subTest(options):
                of_text = self.model_bytes("t.csv", "--id", "who", *options)
                self.assertEqual(of_text, self.model_bytes("t.rows", *options))

    def test_sparse_rows_too(self):
        self.plant("s.svm", numbers(300, 5, 2))
        self.run_well("convert", "s.svm", "s.rows")
        options = ["--kernel", "linear"]
        self.assertEqual(self.model_bytes("s.svm", *options), self.model_bytes("s.rows", *options))

    def test_many_rows_too_of_which_some_are_trained_on_first(self):
        self.plant("s.svm", numbers(41000, 3, 11))
        self.run_well("convert", "s.svm", "s.rows")
        for options in ([], ["--scale", "none", "--threads", "2"]):
            with self.subTest(options):
                options = ["--kernel", "linear", *options]
                of_text = self.run_json("train", "s.svm", "-o", "text.json", *options)
                of_rows = self.run_json("train", "s.rows", "-o", "rows.json", *options)
                self.assertEqual(self.path("text.json").read_bytes(), self.path("rows.json").read_bytes())
                self.assertEqual({**of_text, "model": ""}, {**of_rows, "model": ""})

    def test_prediction_and_evaluation_are_the_same(self):
        self.plant("t.csv", table(300, 4, 3))
        self.run_well("convert", "t.csv", "t.rows", "--id", "who")
        self.run_well("train", "t.csv", "-o", "m.json", "--id", "who", "--kernel", "linear")
        self.run_well("predict", "m.json", "t.csv", "-o", "of_text.csv")
        self.run_well("predict", "m.json", "t.rows", "-o", "of_rows.csv")
        self.assertEqual(self.path("of_text.csv").read_bytes(), self.path("of_rows.csv").read_bytes())
        self.assertEqual(self.run_json("evaluate", "m.json", "t.csv"),
                         self.run_json("evaluate", "m.json", "t.rows"))

    def test_folders_and_patterns_are_one_data_set(self):
        text = numbers(400, 4, 4).splitlines(keepends=True)
        self.plant("whole.svm", "".join(text))
        self.path("parts").mkdir()
        for k in range(4):
            self.plant(f"parts/part-{k}.svm", "".join(text[100 * k:100 * (k + 1)]))
            self.run_well("convert", f"parts/part-{k}.svm", f"part-{k}.rows")
        options = ["--kernel", "linear"]
        whole = self.model_bytes("whole.svm", *options)
        self.assertEqual(whole, self.model_bytes("parts", *options))
        self.assertEqual(whole, self.model_bytes("parts/part-*.svm", *options))
        self.assertEqual(whole, self.model_bytes("part-*.rows", *options))

    def test_damage_is_one_line_and_nothing_is_written(self):
        self.plant("s.svm", numbers(3000, 20, 5))
        self.run_well("convert", "s.svm", "good.rows")
        good = self.path("good.rows").read_bytes()
        damaged = {"empty": b"", "cut": good[:len(good) // 2], "short": good[:-1], "header": good[:4096],
                   "magic": b"X" + good[1:]}
        for at in (40, 5000, len(good) // 2, len(good) - 100):
            damaged[f"byte {at}"] = good[:at] + bytes([good[at] ^ 4]) + good[at + 1:]
        for name, content in damaged.items():
            with self.subTest(name):
                self.plant("bad.rows", content)
                done = self.try_run("train", "bad.rows", "-o", "none.json", "--kernel", "linear")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertIn("bad.rows", done.stderr)
                self.assertFalse(self.path("none.json").exists())
                if name == "byte 5000":
                    self.assertEqual(done.stderr, "rampart: bad.rows: is damaged: block 1 of its values has a wrong"
                                                  " checksum (rows 1 to 3000); convert it again\n")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "needs to mount a small disk")
    def test_a_full_disk_leaves_nothing_half_written(self):
        self.plant("s.svm", numbers(20000, 10, 6))
        with tempfile.TemporaryDirectory() as place:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", place], check=False,
                                     capture_output=True)
            if mounted.returncode != 0:
                self.skipTest("mounting is not allowed here")
            try:
                done = self.try_run("convert", "s.svm", f"{place}/s.rows")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertEqual(list(Path(place).iterdir()), [])
            finally:
                subprocess.run(["umount", place], check=True)


class Checkpoints(CommandTest):
    def test_a_killed_training_goes_on_to_the_same_bytes(self):
        self.plant("s.svm", numbers(4000, 12, 7))
        options = ["--kernel", "linear", "-e", "1e-6", "--threads", "1"]
        self.run_well("train", "s.svm", "-o", "undisturbed.json", *options)
        undisturbed = self.path("undisturbed.json").read_bytes()
        for wait in (0.02, 0.05, 0.1, 0.2):
            child = subprocess.Popen([RAMPART, "train", "s.svm", "-o", "killed.json", *options, "--checkpoint", "c"],
                                     cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            child.send_signal(signal.SIGKILL)
            child.wait()
            self.run_well("train", "s.svm", "-o", "resumed.json", *options, "--checkpoint", "c")
            self.assertEqual(undisturbed, self.path("resumed.json").read_bytes())
            self.assertFalse(self.path("c").exists())

    def test_only_where_it_means_something(self):
        self.plant("s.svm", numbers(50, 3, 8))
        for options in ([], ["--kernel", "linear", "--solver", "smo"],
                        ["--kernel", "linear", "--d", "0.1,0.2"]):
            done = self.try_run("train", "s.svm", "-o", "m-{d}.json" if "0.1,0.2" in options else "m.json", *options,
                                "--checkpoint", "c")
            self.assertEqual(done.returncode, 2, done.stderr)
        self.plant("c", "no checkpoint")
        done = self.try_run("train", "s.svm", "-o", "m.json", "--kernel", "linear", "--checkpoint", "c")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("c: is no checkpoint", done.stderr)


class Solvers(CommandTest):
    def test_both_solvers_reach_the_same_optimum_of_a_convex_loss(self):
        self.plant("s.svm", numbers(500, 4, 9))
        found = {}
        for solver in ("smo", "linear"):
            found[solver] = self.run_json("train", "s.svm", "-o", "m.json", "--kernel", "linear", "--loss",
                                          "double-hinge", "--solver", solver, "-e", "1e-6")
            self.assertEqual(found[solver]["solver"], solver)
            self.assertEqual(found[solver]["status"], "converged")
        one, other = (found[solver]["objective"] for solver in ("smo", "linear"))
        self.assertLess(abs(one - other), 1e-6 * one)

    def test_the_linear_solver_is_refused_for_kernels(self):
        self.plant("s.svm", numbers(50, 3, 10))
        done = self.try_run("train", "s.svm", "-o", "m.json", "--solver", "linear")
        self.assertEqual(done.returncode, 2)
        self.assertIn("solver linear", done.stderr)


if __name__ == "__main__":
    unittest.main()
