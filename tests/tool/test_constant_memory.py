#!/usr/bin/env python3
"""describe, split, predict and evaluate read a file row by row: ten times the rows take no more
memory; but for eight bytes a row that evaluate keeps."""

import os
import subprocess
import unittest

from patients import HEADER, patients
from rampart_command import RAMPART, CommandTest

FEW = 30_000
MANY = 10 * FEW
MEGABYTES = 8  # more for MANY rows; their file has 45 MB


class ConstantMemory(CommandTest):
    def setUp(self):
        """The rows are not kept here either: what this process once needed counts for its children."""
        super().setUp()
        for name, count in [("few.csv", FEW), ("many.csv", MANY)]:
            block = [",".join(map(str, row[1:])) for row in patients(1000, seed=1)]
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(",".join(["note", *HEADER]) + "\n")
                for n in range(count):
                    file.write(f"{'what was said ' * 7}{n},p{n},{block[n % 1000]}\n")
        self.plant("train.csv", [HEADER, *patients(300, seed=2)])
        self.train("train.csv", "--id", "name", "--kernel", "linear")

    def peak(self, *arguments):
        """Megabytes of memory that the command had at most."""
        with open(self.path("out"), "wb") as out:
            process = subprocess.Popen([RAMPART, *map(str, arguments)], cwd=self.folder, stdout=out,
                                       stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, self.path("out").read_bytes()[-2000:])
        return used.ru_maxrss / 1024

    def test_ten_times_the_rows_take_no_more(self):
        for command in [["describe", "{}"], ["split", "{}", "-o", "a.csv", "b.csv"],
                        ["predict", "model.json", "{}", "-o", "answers.csv"],
                        ["predict", "model.json", "{}", "-o", "answers.csv", "--keep", "all"],
                        ["predict", "model.json", "{}", "-o", "answers.csv", "--stream"],
                        ["evaluate", "model.json", "{}"]]:
            with self.subTest(command=command):
                few, many = (self.peak(*(word.format(name) for word in command))
                             for name in ["few.csv", "many.csv"])
                self.assertLess(many, few + MEGABYTES)


if __name__ == "__main__":
    unittest.main()
