"""What the outside checks share: data, kernels, models and objectives, written a second time.

Nothing here comes from Rampart's sources. Numbers are float64 throughout, features are a dense
array, and every formula is the one of the paper or of docs/model-format.md.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

# One thread, so that times and last digits do not depend on the machine. Before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

SKIPPED = 77  # exit code

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

RAMPART = os.environ.get("RAMPART", "rampart")
SLOW = os.environ.get("RAMPART_SLOW", "") not in ("", "0")


def real_data(name):
    """The file of a real data set, below the folder RAMPART_DATA; None if it is not there."""
    folder = os.environ.get("RAMPART_DATA")
    path = Path(folder) / name / f"{name}.libsvm" if folder else None
    return path if path and path.exists() else None


def run(*command):
    """Standard output of a command that must succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: code {done.returncode}: {done.stderr}")
    return done.stdout


def train(data, model_file, *options):
    """What `train --json` prints, and what the model file says, its one surface spread out: b and
    rho, loss, costs, mu and C beside the rest, the certificate under `training`."""
    report = run(RAMPART, "train", data, "-o", model_file, "--json", "--quiet", *options)
    model = json.loads(Path(model_file).read_text(encoding="utf-8"))
    [surface] = model["surfaces"]
    return json.loads(report), {**model, **surface, **surface["objective"], **surface["band"],
                                "training": surface["certificate"]}


class Failures:
    """Counts what does not hold and says so; never stops at the first."""

    def __init__(self):
        self.count = 0

    def require(self, holds, where, what):
        if not holds:
            self.count += 1
            print(f"FAILED {where}: {what}", flush=True)


# ------------------------------------------------------------------ data


def read_libsvm(path):
    """Features as a dense array, labels as numbers."""
    labels, rows = [], []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = line.split()
        labels.append(float(words[0]))
        rows.append({int(i): float(v) for i, v in (word.split(":") for word in words[1:])})
    x = np.zeros((len(rows), max(max(row, default=0) for row in rows)))
    for n, row in enumerate(rows):
        for index, value in row.items():
            x[n, index - 1] = value
    return x, np.array(labels)


def read_csv(path, label, ignore=()):
    """Features, labels and the other columns by name, of a file with a header of names."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    columns = {name: np.array([float(line[name]) for line in lines]) for name in lines[0]}
    kept = [name for name in columns if name != label and name not in ignore]
    return np.column_stack([columns[name] for name in kept]), columns[label], columns


def write_libsvm(path, x, labels):
    """Every digit of every number."""
    with open(path, "w", encoding="utf-8") as file:
        for row, label in zip(x, labels):
            cells = (f"{j + 1}:{float(v)!r}" for j, v in enumerate(row) if v != 0)
            print(int(label), *cells, file=file)


def standardised(x):
    deviation = x.std(axis=0)
    return (x - x.mean(axis=0)) / np.where(deviation > 0, deviation, np.inf)


# ------------------------------------------------------------------ models


def scaled(model, x):
    """x′ = (x − offset)·factor, as the model says."""
    missing = model["features"]["count"] - x.shape[1]
    x = np.pad(x, ((0, 0), (0, missing)))
    scaling = model["scaling"]
    if scaling["type"] == "none":
        return x
    return (x - np.array(scaling["offset"])) * np.array(scaling["factor"])


def scaling_of(kind, x, weights):
    """Offset and factor as docs/data.md, docs/model-format.md and the help define them."""
    if kind == "minmax":
        offset, width = x.min(axis=0), np.ptp(x, axis=0)
    else:
        offset = np.average(x, axis=0, weights=weights)
        width = np.sqrt(np.average((x - offset) ** 2, axis=0, weights=weights))
    return offset, np.where(width > 0, 1 / np.where(width > 0, width, 1), 0)


def kernel_matrix(kernel, x, z):
    if kernel["type"] == "linear":
        return x @ z.T
    if kernel["type"] == "polynomial":
        return (kernel["gamma"] * (x @ z.T) + kernel["coef0"]) ** kernel["degree"]
    assert kernel["type"] == "rbf", kernel
    k = np.empty((len(x), len(z)))
    for n, row in enumerate(x):  # differences first: nothing cancels
        k[n] = np.exp(-kernel["gamma"] * np.square(z - row).sum(axis=1))
    return k


def support_vectors(model):
    """The vectors of a kernel model, dense."""
    vectors = np.zeros((len(model["vectors"]), model["features"]["count"]))
    for n, row in enumerate(model["vectors"]):
        if isinstance(row, dict):
            vectors[n, row["indices"]] = row["values"]
        else:
            vectors[n] = row
    return vectors


def signs(model, labels):
    """±1: whether a row has the label of the model's positive class."""
    negative, positive = (float(name) for name in model["classes"])
    assert set(labels) == {negative, positive}
    return np.where(labels == positive, 1.0, -1.0)


def score(model, x):
    """f of scaled rows, and ½‖w‖²."""
    if model["kernel"]["type"] == "linear":
        w = np.array(model["weights"])
        return x @ w + model["b"], w @ w / 2
    v, vectors = np.array(model["coefficients"]), support_vectors(model)
    u = kernel_matrix(model["kernel"], x, vectors) @ v
    return u + model["b"], v @ kernel_matrix(model["kernel"], vectors, vectors) @ v / 2


# ------------------------------------------------------------------ losses


def row_losses(model, y, t):
    """The loss of every row by its definition: of the margin t = y·f, and ρ where it matters."""
    costs, rho, mu = model["costs"], model["rho"], model["mu"]
    d = costs["reject_positive"]
    if model["loss"] == "hinge":
        return np.maximum(0, 1 - t)
    if model["loss"] == "generalized-hinge":
        return np.where(t < 0, 1 - t * (1 - d) / d, np.maximum(0, 1 - t))
    if model["loss"] == "double-hinge":
        h = -d * np.log(d) - (1 - d) * np.log(1 - d)
        return np.maximum.reduce([h - (1 - d) * t, h - d * t, np.zeros_like(t)])

    def ramp(s):
        return (np.maximum(0, mu - s) - np.maximum(0, -mu**2 - s)) / mu

    declined = np.where(y > 0, costs["reject_positive"], costs["reject_negative"])
    wrong = np.where(y > 0, costs["false_negative"], costs["false_positive"])
    return declined * ramp(t - rho) + (wrong - declined) * ramp(t + rho)


def objective(model, y, f, half_norm, row_weights):
    """R(Θ) = ½‖w‖² + C Σ weight·loss."""
    return half_norm + model["C"] * (row_weights * row_losses(model, y, y * f)).sum()
