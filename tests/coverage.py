#!/usr/bin/env python3
"""Which lines of src/ the unit suites run, by folder and by file, from the counts of gcov.

usage: coverage.py BUILD_FOLDER [--lines FILE]   (--lines: those of a file that were not run)

Exits with 1 if a folder of LEAST runs fewer of its lines than it should. A line that is compiled
several times, as templates and vector loops are, counts as run if one of them was. Not run, on the other
hand, may be a line that the compiler left nothing of: a short function that was inlined before counts
were added, or the end of a scope that only an exception reaches.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEAST = {"src/util": 90, "src/data": 90, "src/kernel": 95, "src/solver": 95, "src/train": 95}  # percent


def counts(build):
    """{file: {line: how often it was run}} of the files in src/."""
    lines = defaultdict(lambda: defaultdict(int))
    notes = sorted(build.rglob("*.gcno"))  # also of what no suite has run
    if not notes:
        sys.exit(f"{build}: nothing was compiled for gcov (./dev coverage does it)")
    with tempfile.TemporaryDirectory() as folder:
        for k, note in enumerate(notes):
            inside = Path(folder, str(k))
            inside.mkdir()
            subprocess.run(["gcov", "--json-format", note.resolve()], cwd=inside, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for report in inside.glob("*.gcov.json.gz"):
                with gzip.open(report) as file:
                    add(lines, json.load(file))
    return lines


def add(lines, report):
    for entry in report["files"]:
        path = Path(report["current_working_directory"], entry["file"]).resolve()
        if not path.is_relative_to(ROOT / "src"):
            continue
        of_file = lines[path.relative_to(ROOT).as_posix()]
        for line in entry["lines"]:
            of_file[line["line_number"]] += line["count"]


def percent(of_files):
    total = sum(len(lines) for lines in of_files)
    run = sum(count > 0 for lines in of_files for count in lines.values())
    return run, total, 100 * run / total if total else 100.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--lines", metavar="FILE")
    arguments = parser.parse_args()
    lines = counts(arguments.build)
    if arguments.lines:
        text = (ROOT / arguments.lines).read_text(encoding="utf-8").splitlines()
        for number, count in sorted(lines[arguments.lines].items()):
            if count == 0:
                print(f"{number:5}: {text[number - 1]}")
        return 0

    folders = defaultdict(dict)
    for path, of_file in lines.items():
        folders[Path(path).parent.as_posix()][path] = of_file
    below = []
    for folder, files in sorted(folders.items()):
        run, total, share = percent(files.values())
        print(f"{share:6.1f} %  {run:5} of {total:5}  {folder}")
        for path, of_file in sorted(files.items()):
            run, total, of_lines = percent([of_file])
            print(f"    {of_lines:6.1f} %  {run:5} of {total:5}  {path}")
        if share < LEAST.get(folder, 0):
            below.append(f"{folder}: {share:.1f} % of its lines are run, at least {LEAST[folder]} % should be")
    run, total, share = percent(lines.values())
    print(f"{share:6.1f} %  {run:5} of {total:5}  src")
    for complaint in below:
        print(complaint, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
