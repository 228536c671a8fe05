#!/usr/bin/env python3
"""Writes a small model of every kind, as this version of the command writes it.

    make_models.py RAMPART FOLDER

FOLDER gets KIND.json and, beside it, KIND.scores: a line for each of a few rows, its score and its
features. Run it once, when the version of the model file is raised, for a new folder here; files that
are here already stay as they are (see README.md).
"""

import csv
import io
import math
import os
import subprocess
import sys
from pathlib import Path

ROWS = 14


def points():
    """Rows (x1, x2, label) with some overlap of the classes, the same on every machine."""
    for n in range(ROWS):
        label = 1 if n % 2 else -1
        x1 = math.remainder(n * 0.37, 2) + 0.5 * label
        x2 = math.remainder(n * 0.83, 2)
        yield round(x1, 3), round(x2, 3), -label if n in (5, 8) else label


def dense(shift=0.0):
    return "a,b,class\n" + "".join(f"{x1 + shift!r},{x2!r},{'no' if y < 0 else 'yes'}\n"
                                   for x1, x2, y in points())


def sparse():
    return "".join(f"{y:+d} " + (f"1:{x1!r} 7:{x2!r}\n" if n % 3 else f"7:{x1!r}\n")
                   for n, (x1, x2, y) in enumerate(points()))


def gram():
    x = [(x1, x2) for x1, x2, _ in points()]
    lines = [",".join(repr(round(math.exp(-math.dist(a, b) ** 2), 6)) for b in x) for a in x]
    return "".join(f"{line},{y}\n" for line, (_, _, y) in zip(lines, points()))


COLOURS = ["blue", "green", "red"]  # the codes of a model: their order


def cell(column, value):
    """A cell of the table: the second column holds colours, and NaN is missing."""
    return "" if math.isnan(value) else COLOURS[int(value)] if column == 1 else repr(value)


def table():
    return "a,colour,b,id,class\n" + "".join(
        f"{x1!r},{COLOURS[n % 3]},{'' if n % 5 == 3 else repr(x2)},p{n},{'no' if y < 0 else 'yes'}\n"
        for n, (x1, x2, y) in enumerate(points()))


DENSE, FAR, SPARSE, GRAM, SAME = "dense.csv", "far.csv", "sparse.svm", "gram.csv", "same.csv"
TABLE = "table.csv"
MINUS = "minus.csv"  # minus the unit matrix
DATA = {DENSE: dense(), FAR: dense(5e7), SPARSE: sparse(), GRAM: gram(),
        SAME: "a,b,class\n" + "".join(f"1.5,2.0,{y}\n" for _, _, y in points()),
        MINUS: "-1,0,a\n0,-1,b\n", TABLE: table()}
KINDS = {
    "table_linear": (TABLE, "--id", "id", "--kernel", "linear", "--scale", "standard"),
    "table_rbf": (TABLE, "--id", "id", "--missing", "median", "--scale", "standard"),
    "linear": (DENSE, "--kernel", "linear", "-c", "10"),
    "linear_centred": (FAR, "--kernel", "linear", "-c", "10"),
    "linear_sparse": (SPARSE, "--kernel", "linear", "-c", "10"),
    "linear_scaled": (DENSE, "--kernel", "linear", "-c", "10", "--scale", "minmax"),
    "rbf": (DENSE, "-c", "10"),
    "rbf_sparse": (SPARSE, "-c", "10"),
    "rbf_scaled": (DENSE, "-c", "10", "--scale", "standard"),
    "polynomial": (DENSE, "--kernel", "polynomial", "--coef0", "1", "-g", "0.5"),
    "sigmoid": (DENSE, "--kernel", "sigmoid", "-g", "0.5", "--coef0", "-0.25"),
    "landmarks": (DENSE, "--landmarks", "6", "-c", "10", "-g", "0.5"),
    "fourier": (DENSE, "--features", "7", "-c", "10", "-g", "0.5"),
    "precomputed": (GRAM, "--kernel", "precomputed", "-c", "10"),
    "chosen_band": (DENSE, "--loss", "hinge", "--band-folds", "3"),
    "cost_table": (DENSE, "-c", "4", "--costs", "1,3,0.3,0.2"),
    "double_hinge": (DENSE, "--loss", "double-hinge", "-c", "4", "--class-weight", "no=2"),
    "generalized_hinge": (DENSE, "--loss", "generalized-hinge", "-c", "4"),
    "zero_linear": (SAME, "--kernel", "linear"),
    "zero_precomputed": (MINUS, "--kernel", "precomputed", "--loss", "hinge", "--band-folds", "0"),
}
TUNED = {"told_another_cost": (DENSE, "-c", "4", "-g", "0.5", "--d", "0.1", "--training-cost", "0.4")}
QUESTIONS = {
    DENSE: [(0.0, 0.0), (1.0, -1.0), (0.123, 0.456), (-3.5, 2.25), (40.0, -7.0)],
    FAR: [(5e7, 0.0), (5e7 + 1, -1.0), (5e7 - 2.5, 0.456), (0.0, 2.25), (1e8, -7.0)],
    SPARSE: [(0.0,) * 7, (1.0,) + (0.0,) * 5 + (-1.0,), (0.5, -0.5, 0.25, 0.0, 1.0, 2.0, 0.125)],
    TABLE: [(0.0, 0, 0.0), (1.0, 2, math.nan), (0.123, 1, 0.456), (-3.5, 0, 2.25)],
    SAME: [(0.0, 0.0), (1.5, 2.0)],
    MINUS: [(0.0, 0.0), (1.5, 2.0)],
    GRAM: [tuple(round(0.9 / (1 + abs(n - k)), 4) for k in range(ROWS)) for n in (0, 6, 13)],
}


def main():
    rampart, folder = sys.argv[1], Path(sys.argv[2])
    os.makedirs(folder)

    def run(*arguments, text=""):
        done = subprocess.run([rampart, *arguments, "-q"], input=text, text=True, check=True,
                              stdout=subprocess.PIPE)
        return done.stdout

    for command, kinds in (("train", KINDS), ("tune", TUNED)):
        for kind, (data, *options) in kinds.items():
            source = folder / data
            source.write_text(DATA[data], encoding="utf-8")
            model = folder / f"{kind}.json"
            scale = () if "--scale" in options else ("--scale", "none")
            run(command, source, "-o", model, *options, *scale)
            source.unlink()
            rows = QUESTIONS[data]
            if data == SPARSE:
                asked = "".join("0 " + " ".join(f"{j}:{v!r}" for j, v in enumerate(row, 1) if v) + "\n"
                                for row in rows)
                answers = run("predict", model, "-", "--format", "libsvm", text=asked)
            elif data == TABLE:
                asked = "a,colour,b\n" + "".join(
                    ",".join(cell(j, value) for j, value in enumerate(row)) + "\n" for row in rows)
                answers = run("predict", model, "-", text=asked)
            else:
                asked = "".join(",".join(map(repr, row)) + "\n" for row in rows)
                answers = run("predict", model, "-", "--format", "csv", "--header", "no", text=asked)
            scores = [line["score"] for line in csv.DictReader(io.StringIO(answers))]
            (folder / f"{kind}.scores").write_text(
                "".join(f"{score} {' '.join(map(repr, row))}\n" for score, row in zip(scores, rows)),
                encoding="utf-8")


if __name__ == "__main__":
    main()
