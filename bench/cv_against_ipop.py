"""How long does a whole cross-validation take against the solver the paper used?

The paper solved each round with kernlab's ipop, an interior point method on 2N variables. Here ipop
solves ten first rounds, one for each d, on nine tenths of Ionosphere; Rampart does 10 x 10 folds for
each of the ten d: a thousand trainings, all rounds, prediction included. One thread each, CPU seconds,
the start of R and its kernel matrix not counted.

First the two must agree on the first round: the smallest upper bound that ipop finds, and the upper
bound at the Θ that Rampart stops at after one round, computed here from its model file.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Before numpy is loaded: also R gets one thread.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

from data import read_model
from measure import program

GAMMA, C = 0.125, 2
SETTINGS = ["-c", str(C), "-g", str(GAMMA), "--threads", "1"]
AGREE = 1e-3
HERE = Path(__file__).resolve().parent


def read_rows(path):
    """Features and labels ±1 of ionosphere.data: numbers, then g(ood) or b(ad)."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    return (np.array([[float(cell) for cell in row[:-1]] for row in rows]),
            np.array([1 if row[-1] == "g" else -1 for row in rows]))


def write_rows(path, x, y):
    with open(path, "w", encoding="ascii") as file:
        for row, label in zip(x, y):
            file.write(",".join(f"{value:.17g}" for value in row) + f",{label}\n")


def kernel(x, z):
    return np.exp(-GAMMA * np.square(x[:, None, :] - z[None, :, :]).sum(axis=2))


def upper_bound(model, x, y, d):
    """½|w|² + C Σ d·[1 − t + ρ]₊ + (1 − d)·[1 − t − ρ]₊ of a model file: ub with no flat ramp."""
    vectors, v = np.array(model["vectors"]), np.array(model["coefficients"])
    if len(v) == 0:
        t, half_norm = y * model["b"], 0.0
    else:
        t = y * (kernel(x, vectors) @ v + model["b"])
        half_norm = v @ kernel(vectors, vectors) @ v / 2
    hinge = d * np.maximum(0, 1 - t + model["rho"]) + (1 - d) * np.maximum(0, 1 - t - model["rho"])
    return half_norm + C * hinge.sum()


def main():
    rampart = os.environ["RAMPART"]
    source = Path(os.environ.get("RAMPART_DATA", HERE.parent / "data" / "uci"),
                  "ionosphere", "ionosphere.data")
    if not source.exists():
        sys.exit(f"{source} is not there: ./dev data downloads it; RAMPART_DATA names its folder")
    x, y = read_rows(source)
    kept = np.arange(len(y)) % 10 != 9  # as many rows as a fold is trained on
    with tempfile.TemporaryDirectory() as folder:
        part, model_file = Path(folder, "part.csv"), Path(folder, "model.json")
        write_rows(part, x[kept], y[kept])
        lines = subprocess.run(["Rscript", str(HERE / "ipop.R"), part, str(GAMMA), str(C)],
                               check=True, capture_output=True, text=True).stdout.splitlines()
        print(f"first rounds on {kept.sum()} rows\n{'d':>6} {'ipop s':>8} {'ipop':>12}"
              f" {'rampart':>12} {'difference':>11}  ipop says")
        theirs, solved, disagree = 0.0, 0, False
        for line in lines:
            d, bound, seconds, _, verdict = line.split()
            theirs += float(seconds)
            if bound == "NA":
                print(f"{d:>6} {float(seconds):>8.2f} {'-':>12} {'-':>12} {'-':>11}  {verdict}")
                continue
            solved += 1
            subprocess.run([rampart, "train", part, "-o", model_file, "--reject-cost", d,
                            "--max-rounds", "1", "--quiet", *SETTINGS],
                           check=True, capture_output=True)
            model = read_model(model_file)
            ours = upper_bound(model, x[kept], y[kept], float(d))
            relative = (ours - float(bound)) / float(bound)
            disagree |= abs(relative) > AGREE
            print(f"{d:>6} {float(seconds):>8.2f} {float(bound):>12.6f} {ours:>12.6f}"
                  f" {relative:>11.1e}  {verdict}")
        if disagree or solved == 0:
            sys.exit(f"no round to {AGREE:g} alike in both: no comparison of times")
        write_rows(part, x, y)
        run = program([rampart, "cv", part, "--reject-cost", "0.05:0.5:0.05", "--folds", "10",
                       "--repeats", "10", "--json", *SETTINGS])
        ours, count = run.cpu, len(json.loads(run.output)["results"]) * 100
    print(f"ipop: {len(lines)} first rounds   {theirs:8.2f} s"
          + (f"   ({solved} of them solved)" if solved < len(lines) else ""))
    print(f"rampart cv: {count} trainings {ours:8.2f} s   {theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
