#!/usr/bin/env python3
"""With the hinge loss and a linear kernel Rampart is LIBSVM's and LIBLINEAR's support vector machine.

LIBSVM minimises the same function, ½‖w‖² + C·Σ hinge with a free b: svm-train -t 0 prints −R, and R
must agree to 1e-6 relative, also with the dual objective of LIBSVM's own coefficients in float64.

LIBLINEAR (-s 3 -B 1) also pays for the bias: it minimises L = R + ½b². So its point and ours, both
put into both functions, and the dual value of L that it prints must satisfy

    R(ours) ≤ R(theirs)    and    dual value ≤ L(ours)    and, if it converged,    L(theirs) ≤ L(ours)

to the accuracy that each side was asked for. It often ends at its limit of 1000 sweeps instead.
Both programs are Debian's: libsvm-tools and liblinear-tools. Real data are below RAMPART_DATA.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from outside import (RAMPART, SKIPPED, Failures, np, read_libsvm, real_data, run, signs,
                     standardised, train, write_libsvm)

TOLERANCE = 1e-6
SAME = 1e-6  # relative
LIBLINEAR_SAME = 1e-5  # it stops by the largest violation of a row, not by a gap


def hinge_objective(x, y, weights, C, w, b):
    loss = np.maximum(0, 1 - y * (x @ w + b))
    return w @ w / 2 + C * (weights * loss).sum()


def dual_objective(model_file, x):
    """Σα − ½‖Σ yα·x‖²; the file rounds support vectors: they are looked up among the rows."""
    lines = model_file.read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines[lines.index("SV") + 1:]]
    rows = np.zeros((len(words), x.shape[1]))
    for n, line in enumerate(words):
        for index, value in (word.split(":") for word in line[1:]):
            rows[n, int(index) - 1] = float(value)
    nearest = [int(np.square(x - row).sum(axis=1).argmin()) for row in rows]
    assert np.allclose(x[nearest], rows, rtol=1e-6, atol=1e-9)
    v = np.array([float(line[0]) for line in words])
    w = v @ x[nearest]
    return np.abs(v).sum() - w @ w / 2


def libsvm(data, folder, x, C, options):
    model = folder / "libsvm.model"
    text = run("svm-train", "-s", 0, "-t", 0, "-c", C, "-e", TOLERANCE, *options, data, model)
    printed = re.search(r"^obj = (-?[0-9.]+),", text, re.MULTILINE).group(1)
    return -float(printed), dual_objective(model, x)


def liblinear(data, folder, columns, C, options):
    """w and b, which separate the label 1 from the other; its dual value; whether it converged."""
    model = folder / "liblinear.model"
    text = run("liblinear-train", "-s", 3, "-B", 1, "-c", C, "-e", 1e-5, *options, data, model)
    dual = -float(re.search(r"^Objective value = (\S+)", text, re.MULTILINE).group(1))
    lines = model.read_text(encoding="utf-8").splitlines()
    first = float(next(line for line in lines if line.startswith("label")).split()[1])
    values = np.array([float(line) for line in lines[lines.index("w") + 1:]])
    values = values if first == 1 else -values
    return values[:columns], values[-1], dual, "max number of iterations" not in text


def rampart(data, folder, C, options):
    report, model = train(data, folder / "model.json", "--loss", "hinge", "--band-folds", 0,
                          "--kernel", "linear", "--solver", "linear", "-c", C, "-e", TOLERANCE,
                          "--scale", "none", "--unfamiliar", 0, *options)
    return report, model


def check(name, data, folder, C, weights, failures):
    x, labels = read_libsvm(data)
    title = " ".join([name, f"C={C}", *(f"w{label}={weight}" for label, weight in weights.items())])
    theirs = [word for label, weight in weights.items() for word in (f"-w{label}", weight)]
    ours = [word for label, weight in weights.items()
            for word in ("--class-weight", f"{label}={weight}")]
    report, model = rampart(data, folder, C, ours)
    y = signs(model, labels)
    row_weights = np.ones(len(labels))
    for label, weight in weights.items():
        row_weights[labels == float(label)] = weight

    w, b = np.array(model["weights"]), model["b"]
    R = hinge_objective(x, y, row_weights, C, w, b)
    failures.require(report["status"] == "converged", title, f"status {report['status']}")
    failures.require(abs(report["objective"] - R) <= 1e-9 * R, title,
                     f"reported R {report['objective']!r}, recomputed {R!r}")

    printed, recomputed = libsvm(data, folder, x, C, theirs)
    apart = (R - printed) / R, (R - recomputed) / R
    # Theirs are dual values, which lie below: ours may be above by what both leave open.
    failures.require(abs(apart[1]) <= SAME, title, f"R differs from LIBSVM's by {apart[1]:.2e}")
    failures.require(abs(apart[0]) <= SAME, title, f"R differs from the printed by {apart[0]:.2e}")

    w_linear, b_linear, dual, converged = liblinear(data, folder, x.shape[1], C, theirs)
    if y[labels == 1][0] < 0:
        w_linear, b_linear = -w_linear, -b_linear
    R_linear = hinge_objective(x, y, row_weights, C, w_linear, b_linear)
    below = (R - R_linear) / R
    L, L_linear = R + b * b / 2, R_linear + b_linear * b_linear / 2
    above = (L_linear - L) / L
    failures.require(below <= SAME, title, f"R is above that of LIBLINEAR's point by {below:.2e}")
    failures.require(dual <= L * (1 + SAME), title,
                     f"LIBLINEAR's dual value {dual} is above its objective at our point, {L}")
    failures.require(above <= LIBLINEAR_SAME or not converged, title,
                     f"LIBLINEAR's objective is above that of our point by {above:.2e}")
    print(f"{title:28} R {R:14.7f}  LIBSVM {apart[0]:9.1e} {apart[1]:9.1e}  LIBLINEAR: R {below:9.1e}"
          f", R + ½b² {above:9.1e}{'' if converged else ' (did not converge)'}", flush=True)


def data_sets(folder):
    for name in ("synthetic1", "synthetic2"):
        path = folder / f"{name}.svm"
        run(RAMPART, "generate", name, "-n", 400, "-o", path, "--quiet")
        yield name, path
    for name in ("heart", "german", "ionosphere"):
        path = real_data(name)
        if path is None:
            print(f"skipped: {name} (no RAMPART_DATA, or not there)")
            continue
        x, labels = read_libsvm(path)
        path = folder / f"{name}.svm"
        write_libsvm(path, standardised(x), labels)
        yield name, path


def main():
    for tool in ("svm-train", "liblinear-train"):
        if shutil.which(tool) is None:
            print(f"skipped: no {tool}; Debian has it in libsvm-tools or liblinear-tools")
            sys.exit(SKIPPED)
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in data_sets(Path(folder)):
            for C, weights in ((1, {}), (0.05, {}), (1, {"1": 3, "-1": 0.5})):
                check(name, path, Path(folder), C, weights, failures)
    print(f"{failures.count} failures")
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
