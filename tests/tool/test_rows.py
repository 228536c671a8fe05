#!/usr/bin/env python3
"""Files of rows in binary form: every command does with them what it does with the text."""

import os
import subprocess
import unittest

from rampart_command import CommandTest

TABLE = [["id", "age", "ward", "status"]] + [
    [f"p{n}", "" if n % 9 == 4 else (n * 7) % 50 / 4, ["red", "blue", "green"][n * n % 3],
     "ill" if (n * 7) % 50 + n * n % 3 * 10 > 30 else "well"] for n in range(80)]


class FilesOfRows(CommandTest):
    def setUp(self):
        super().setUp()
        self.plant("data.csv", TABLE)
        self.run_well("convert", "data.csv", "data.rows", "--id", "id")

    def test_give_the_same_models_and_answers_as_the_text(self):
        self.train("data.csv", "--id", "id", model="text.json")
        self.train("data.rows", model="rows.json")
        self.assertEqual(self.path("text.json").read_bytes(), self.path("rows.json").read_bytes())
        for command in [["predict", "text.json"], ["evaluate", "text.json"]]:
            self.assertEqual(self.run_well(*command, "data.csv"),
                             self.run_well(*command, "data.rows"))
        self.assertEqual(self.run_json("cv", "data.csv", "--id", "id", "--repeats", "1"),
                         self.run_json("cv", "data.rows", "--repeats", "1"))

    def test_become_text_again(self):
        self.run_well("convert", "data.csv", "direct.csv", "--id", "id")
        self.run_well("convert", "data.rows", "back.csv")
        self.assertEqual(self.path("direct.csv").read_bytes(), self.path("back.csv").read_bytes())

    def test_may_come_from_a_pipe_of_text(self):
        text = self.path("data.csv").read_bytes()
        self.run_well("convert", "-", "piped.rows", "--id", "id", stdin=text)
        self.assertEqual(self.path("data.rows").read_bytes(), self.path("piped.rows").read_bytes())

    def test_of_a_folder_or_a_pattern_are_one(self):
        header, rows = self.rows_of("data.csv")
        self.path("parts").mkdir()
        for k, part in enumerate([rows[:30], rows[30:]]):
            self.plant(f"parts/{k}.csv", [header, *part])
        self.train("data.csv", "--id", "id", model="whole.json")
        self.train("parts", "--id", "id", model="parts.json")
        self.assertEqual(self.path("whole.json").read_bytes(), self.path("parts.json").read_bytes())
        for k in range(2):
            self.run_well("convert", f"parts/{k}.csv", f"part-{k}.rows", "--id", "id")
        self.run_well("convert", "part-*.rows", "all.rows")
        self.train("part-*.rows", model="pieces.json")
        self.assertEqual(self.path("whole.json").read_bytes(), self.path("pieces.json").read_bytes())
        self.assert_refused(self.try_run("train", "none-*.rows", "-o", "m.json"), 1, "none-*.rows")

    def test_that_are_damaged_are_refused_in_one_line(self):
        whole = self.path("data.rows").read_bytes()
        for name, content in [("cut.rows", whole[:-1]), ("header.rows", whole[:100]),
                              ("flipped.rows", whole[:4100] + b"\x55" + whole[4101:]),
                              ("newer.rows", whole[:8] + b"\x07" + whole[9:])]:
            self.plant(name, content)
            for command in [["train", name, "-o", "model.json"], ["describe", name],
                            ["convert", name, "out.csv"]]:
                with self.subTest(name=name, command=command[0]):
                    self.assert_refused(self.try_run(*command), 1, name)
        self.assertNotIn("model.json", self.files())
        self.assertNotIn("out.csv", self.files())

    def test_say_how_many_values_float32_rounded(self):
        done = self.try_run("convert", "data.csv", "small.rows", "--id", "id", "--float32")
        self.assertEqual(done.returncode, 0)
        self.assertIn("0 of 160 values were rounded to float32", done.stderr)

    def test_are_split_into_files_of_rows(self):
        self.run_well("split", "data.rows", "--test", "0.25", "-o", "a.rows", "b.rows")
        self.run_well("split", "data.csv", "--test", "0.25", "-o", "a.csv", "b.csv")
        for name in "ab":
            self.run_well("convert", f"{name}.rows", f"{name}-back.csv")
            ids = [row[0] for row in self.rows_of(f"{name}.csv")[1]]
            self.assertEqual([row[0] for row in self.rows_of(f"{name}-back.csv")[1]], ids)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_need_room_on_the_disk(self):
        disk = self.path("disk")
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk],
                          check=False, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no tmpfs can be mounted")
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        rows = [[f"{n}", n * 0.1, "red", "ill" if n % 2 else "well"] for n in range(9000)]
        self.plant("large.csv", [TABLE[0], *rows])
        done = self.try_run("convert", "large.csv", "disk/out.rows", "--id", "id")
        self.assert_refused(done, 1, "disk/out.rows", "No space left")
        self.assertEqual(list(disk.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
