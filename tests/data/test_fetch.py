#!/usr/bin/env python3
"""data/fetch.sh: files appear whole and with the right checksum, or not at all. No network is used:
the archive is a folder."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

FETCH = Path(__file__).resolve().parents[2] / "data" / "fetch.sh"
NAMES = ["ionosphere", "parkinsons"]
REAL = os.environ.get("RAMPART_DATA")


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class Fetch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.archive = Path(folder.name, "archive")
        self.target = Path(folder.name, "target")

    def publish(self, name, content):
        path = self.archive / name / f"{name}.data"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def fetch(self):
        return subprocess.run([FETCH, self.target], capture_output=True, text=True, check=False,
                              env={**os.environ, "RAMPART_UCI": self.archive.as_uri()})

    def found(self):
        return sorted(path.name for path in self.target.rglob("*") if path.is_file())

    def test_what_cannot_be_downloaded_is_named_and_nothing_is_left(self):
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertIn("ionosphere.data cannot be downloaded", done.stderr)
        self.assertEqual(self.found(), [])

    def test_a_wrong_checksum_is_refused_and_nothing_is_left(self):
        self.publish("ionosphere", b"1,0,g\n")
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertIn("46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd",
                      done.stderr)
        self.assertEqual(self.found(), [])

    @unittest.skipUnless(REAL and all(Path(REAL, name, f"{name}.data").exists() for name in NAMES),
                         "RAMPART_DATA names no folder with the two files")
    def test_the_right_files_are_kept_and_not_fetched_again(self):
        for name in NAMES:
            self.publish(name, Path(REAL, name, f"{name}.data").read_bytes())
        self.assertEqual(self.fetch().returncode, 0)
        self.assertEqual(self.found(), [f"{name}.data" for name in NAMES])
        shutil.rmtree(self.archive)
        again = self.fetch()
        self.assertEqual(again.returncode, 0)
        self.assertIn("is there", again.stderr)
        damaged = self.target / "parkinsons" / "parkinsons.data"
        damaged.write_bytes(b"")
        self.assertEqual(self.fetch().returncode, 1)


if __name__ == "__main__":
    unittest.main()
