#!/usr/bin/env python3
"""With the hinge loss Rampart is LIBSVM's C-SVC: the same objective and the same answers.

Both read the same file and train with the same RBF kernel, C and class weights to tolerance 1e-6.
svm-train prints its dual objective, which is −R at the optimum; R must agree to 1e-6 relative. Its
kernel rows are single precision, which for large C shows in what it prints; so R is also compared
to the dual objective of LIBSVM's own coefficients, recomputed from its model file in float64.
The labels of the training rows must agree but for rows on the surface itself. Real data are below
the folder named by RAMPART_DATA; svm-train and svm-predict are those of Debian's libsvm-tools.
"""

import csv
import re
import shutil
import sys
import tempfile
from pathlib import Path

from outside import (RAMPART, SKIPPED, Failures, kernel_matrix, np, objective, read_libsvm,
                     real_data, run, scaled, score, signs, standardised, train, write_libsvm)

TOLERANCE = 1e-6
SAME = 1e-6  # relative
ON_THE_SURFACE = 1e-5  # |f|: both place their surface to about the tolerance

WEIGHTS = ({}, {"1": 3, "-1": 0.5}, {"-1": 4})  # by label


def dual_objective(model_file, data, gamma):
    """Σα − ½ vᵀKv of a LIBSVM model, v = y·α its coefficients.

    The file rounds support vectors to eight digits: they are looked up among the training rows.
    """
    lines = model_file.read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines[lines.index("SV") + 1:]]
    x, _ = read_libsvm(data)
    rows = np.zeros((len(words), x.shape[1]))
    for n, line in enumerate(words):
        for index, value in (word.split(":") for word in line[1:]):
            rows[n, int(index) - 1] = float(value)
    nearest = [int(np.square(x - row).sum(axis=1).argmin()) for row in rows]
    assert np.allclose(x[nearest], rows, rtol=1e-6, atol=1e-9)
    v = np.array([float(line[0]) for line in words])
    K = kernel_matrix({"type": "rbf", "gamma": gamma}, x[nearest], x[nearest])
    return np.abs(v).sum() - v @ K @ v / 2


def libsvm(data, folder, gamma, C, weights):
    """R as svm-train prints it, R recomputed, and the labels svm-predict gives."""
    model, answers = folder / "libsvm.model", folder / "libsvm.answers"
    options = [word for label, weight in weights.items() for word in (f"-w{label}", weight)]
    text = run("svm-train", "-s", 0, "-t", 2, "-g", repr(gamma), "-c", C, "-e", TOLERANCE, *options,
               data, model)
    printed = re.search(r"^obj = (-?[0-9.]+),", text, re.MULTILINE).group(1)
    run("svm-predict", data, model, answers)
    return -float(printed), dual_objective(model, data, gamma), np.loadtxt(answers)


def rampart(data, folder, gamma, C, weights):
    """R as train reports it, R from the model file, and labels and scores of predict."""
    model_file, answers = folder / "model.json", folder / "answers.csv"
    options = [word for label, weight in weights.items()
               for word in ("--class-weight", f"{label}={weight}")]
    report, model = train(data, model_file, "--loss", "hinge", "--band-folds", 0, "-g",
                          repr(gamma), "-c", C, "-e", TOLERANCE, "--scale", "none", "--unfamiliar", 0, *options)
    run(RAMPART, "predict", model_file, data, "-o", answers, "--reject-label", 0, "--quiet")
    with open(answers, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))

    x, labels = read_libsvm(data)
    row_weights = np.ones(len(labels))
    for label, weight in weights.items():
        row_weights[labels == float(label)] = weight
    f, half_norm = score(model, scaled(model, x))
    R = objective(model, signs(model, labels), f, half_norm, row_weights)
    return (report["objective"], R, np.array([float(line["prediction"]) for line in lines]),
            np.array([float(line["score"]) for line in lines]))


def check(name, data, folder, gamma, C, weights, failures):
    printed, recomputed, theirs = libsvm(data, folder, gamma, C, weights)
    reported, R, ours, scores = rampart(data, folder, gamma, C, weights)
    title = " ".join([name, *(f"w{label}={weight}" for label, weight in weights.items())])
    to_print, to_model = abs(reported - printed) / R, abs(reported - recomputed) / R
    on_it = np.abs(scores) <= ON_THE_SURFACE
    others = int(((ours != theirs) & ~on_it).sum())
    print(f"{title:24} R {reported:14.7f}  LIBSVM prints {printed:13.6f} ({to_print:.1e}), has "
          f"{recomputed:14.7f} ({to_model:.1e})  labels that differ {others} of {len(ours)}, "
          f"on the surface {int(on_it.sum())}", flush=True)
    failures.require(abs(reported - R) <= 1e-9 * R, title,
                     f"reported R {reported!r}, recomputed {R!r}")
    failures.require(to_model <= SAME, title, f"R differs from the recomputed by {to_model:.2e}")
    if name != "synthetic2":  # its C is large
        failures.require(to_print <= SAME, title, f"R differs from the printed by {to_print:.2e}")
    failures.require(others == 0, title, f"{others} labels differ")


def data_sets(folder):
    """(name, file, gamma, C); standardised files hold every digit, and both programs read them."""
    synthetic = folder / "synthetic2.svm"
    run(RAMPART, "generate", "synthetic2", "-o", synthetic, "--quiet")
    yield "synthetic2", synthetic, 0.25, 64
    for name, gamma, C in (("heart", None, 1), ("german", None, 1), ("ionosphere", 0.125, 2)):
        path = real_data(name)
        if path is None:
            print(f"skipped: {name} (no RAMPART_DATA, or not there)")
        elif gamma:
            yield name, path, gamma, C
        else:
            x, labels = read_libsvm(path)
            path = folder / f"{name}.svm"
            write_libsvm(path, standardised(x), labels)
            yield name, path, 1 / x.shape[1], C


def main():
    for tool in ("svm-train", "svm-predict"):
        if shutil.which(tool) is None:
            print(f"skipped: no {tool}; Debian has it in libsvm-tools")
            sys.exit(SKIPPED)
    failures = Failures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for name, path, gamma, C in data_sets(folder):
            for weights in WEIGHTS:
                check(name, path, folder, gamma, C, weights, failures)
    print(f"{failures.count} failures")
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
