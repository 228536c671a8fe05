"""Data for the benchmarks: generated rows, and real sets made ready for all programs alike.

Generated: normal features, a curved boundary in five directions, 10 % of the labels flipped.
E|x - z|^2 = 8 whatever the number of features, so gamma = 0.125 suits all.
"""

import itertools
import json
import lzma
import math
import os
from pathlib import Path

import numpy as np

# name: folder, file, whether it is sparse (left as it is) or dense (standardised), features
REAL = {
    "ijcnn1": ("ijcnn1", "ijcnn1.libsvm.xz", False, 22),
    "cod-rna": ("cod_rna", "cod-rna.libsvm.xz", False, 8),
    "magic": ("magic", "magic.libsvm", False, 10),
    "a9a": ("a9a", "a9a.libsvm", True, 123),
    "w8a": ("w8a", "w8a.libsvm", True, 300),
    "skin": ("skin_nonskin", "skin_nonskin.libsvm.xz", False, 3),
    "credit_default": ("credit_default", "credit_default.libsvm.xz", False, 23),
}


def dense(rows, features, seed):
    """Labels and features; the boundary depends on the number of features only."""
    shape = np.random.RandomState(1234 + features)  # whose streams are the same in every version
    directions = shape.normal(size=(5, features)) / math.sqrt(features)
    draw = np.random.RandomState(seed)
    scale = 2 / math.sqrt(features)
    x = scale * draw.normal(size=(rows, features))
    z = directions @ x.T / scale
    f = z[0] * z[1] + 0.8 * z[2] + np.sin(1.5 * z[3]) + 0.5 * (z[4] ** 2 - 1)
    flipped = draw.uniform(size=rows) < 0.1
    return np.where((f > 0) != flipped, 1, -1), x


def write_libsvm(path, y, x):
    form = "%+d" + "".join(f" {j}:%.6g" for j in range(1, x.shape[1] + 1))
    np.savetxt(path, np.column_stack([y, x]), fmt=form)


def write_csv(path, y, x):
    """Features, then the label."""
    np.savetxt(path, np.column_stack([x, y]), fmt=["%.6g"] * x.shape[1] + ["%d"], delimiter=",")


def read_model(path):
    """Kernel, vectors, coefficients, b and rho of a model file."""
    model = json.loads(Path(path).read_text(encoding="utf-8"))
    [surface] = model["surfaces"]
    return {**model, **surface, **surface["band"]}


def real_folder():
    """Where real sets are, or None."""
    folder = os.environ.get("RAMPART_DATA")
    return Path(folder) if folder and Path(folder).is_dir() else None


def write_real(name, path, most_rows=None, standardised=True):
    """One real set, its rows shuffled (the same way each time), those with a missing value left out;
    dense ones standardised, unless they shall stay as they are."""
    folder, file, sparse, features = REAL[name]
    source = real_folder() / folder / file
    with (lzma.open if file.endswith(".xz") else open)(source, "rt", encoding="ascii") as stream:
        lines = [line for line in stream if line.strip() and "nan" not in line]
    lines = [lines[n] for n in np.random.RandomState(1).permutation(len(lines))][:most_rows]
    if sparse or not standardised:
        Path(path).write_text("".join(lines), encoding="ascii")
        return
    y, x = parse(lines, features)
    x -= x.mean(axis=0)
    deviation = x.std(axis=0)
    x /= np.where(deviation > 0, deviation, 1)
    write_libsvm(path, y, x)


def parse(lines, features):
    """Labels and dense features of LIBSVM text."""
    y = np.empty(len(lines), dtype=int)
    x = np.zeros((len(lines), features))
    for n, line in enumerate(lines):
        label, *entries = line.split()
        y[n] = 1 if float(label) > 0 else -1
        for entry in entries:
            column, value = entry.split(":")
            x[n, int(column) - 1] = float(value)
    return y, x


def disagreement(answers, their_answers):
    """What is wrong if two predictions do not answer alike where f is not near 0; else None. Ours are
    CSV with a column of scores, theirs are labels, one a line."""
    with open(answers, encoding="ascii") as ours, open(their_answers, encoding="ascii") as theirs:
        score = next(ours).strip().split(",").index("score")
        for mine, other in itertools.zip_longest(ours, theirs):
            if mine is None or other is None:
                return "not as many answers"
            f = float(mine.split(",")[score])
            if abs(f) > 1e-3 and (f > 0) != (float(other) > 0):
                return "other answers"
    return None
