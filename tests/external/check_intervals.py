#!/usr/bin/env python3
"""The intervals of `evaluate` are those of R's binom.test.

The model is f(x) = x with the band |x| <= 1, so that the data decide every count. Each case is drawn at
random, the counts are taken here from the data, and the ends of every interval that the report and the
curve hold are compared with those that R computes from these counts: all of them in one process.
Half errors (rows at f = 0) are rounded down for the lower end of an interval, up for the upper.
"""

import csv
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

from outside import RAMPART, SKIPPED, Failures, np, run, train

SAME = 1e-9  # relative, of an end to 0 or to 1, whichever is nearer
CONFIDENCES = (0.5, 0.8, 0.95, 0.99, 0.9999)

R_SCRIPT = """
pairs <- read.csv(commandArgs(trailingOnly = TRUE)[1])
ends <- mapply(function(k, n, level) binom.test(k, n, conf.level = level)$conf.int,
               pairs$successes, pairs$trials, pairs$confidence)
cat(sprintf("%.17g,%.17g\\n", ends[1, ], ends[2, ]), sep = "")
"""


def identity_model(folder):
    """A model file with f(x) = x and rho = 1."""
    data = folder / "two.csv"
    data.write_text("x,label\n-1,-1\n1,1\n", encoding="utf-8")
    path = folder / "model.json"
    train(data, path, "--kernel", "linear")
    model = json.loads(path.read_text(encoding="utf-8"))
    model["surfaces"][0].update(weights=[1.0], band={"b": 0.0, "rho": 1.0})
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


def draw(random, rows):
    """Scores and labels: some tied, some at 0, some far out, right more often than not."""
    x = random.normal(0, random.choice([0.3, 1, 3]), rows)
    tied = random.random(rows) < 0.3
    x[tied] = np.round(x[tied])
    right = random.random(rows) < random.choice([0.5, 0.8, 0.95])
    y = np.where(right, np.sign(x), -np.sign(x))
    y[y == 0] = random.choice([-1, 1], int((y == 0).sum()))
    return x, y


class Pairs:
    """Intervals as reported, each beside the counts it should come from."""

    def __init__(self):
        self.rows = []

    def add(self, where, counts, trials, confidence, interval):
        """counts: successes for the lower and for the upper end."""
        for end, (successes, value) in enumerate(zip(counts, interval)):
            self.rows.append((where, end, int(successes), int(trials), confidence, value))

    def by_r(self, folder):
        """What R has for every row."""
        questions, script = folder / "pairs.csv", folder / "intervals.R"
        lines = [f"{k},{n},{confidence!r}" for _, _, k, n, confidence, _ in self.rows]
        questions.write_text("\n".join(["successes,trials,confidence", *lines]) + "\n",
                             encoding="utf-8")
        script.write_text(R_SCRIPT, encoding="utf-8")
        answers = run("Rscript", "--vanilla", script, questions).splitlines()
        assert len(answers) == len(self.rows)
        return [float(answer.split(",")[row[1]]) for answer, row in zip(answers, self.rows)]


def check(name, model, folder, x, y, confidence, pairs, failures):
    data, curve = folder / "data.csv", folder / "curve.csv"
    rows = [f"{float(value)!r},{int(label)}" for value, label in zip(x, y)]
    data.write_text("\n".join(["x,label", *rows]) + "\n", encoding="utf-8")
    report = json.loads(run(RAMPART, "evaluate", model, data, "--json", "--quiet", "--confidence",
                            confidence, "--curve", curve))
    intervals = report["intervals"]
    failures.require(report["confidence"] == confidence, name, "the confidence")

    def proportion(what, chosen, among, rate, interval):
        """The rate of the chosen rows, and its interval; both null among no rows."""
        k, n = int((chosen & among).sum()), int(among.sum())
        if n == 0:
            failures.require(rate is None and interval is None, name, f"{what} of no rows")
            return
        failures.require(math.isclose(rate, k / n, rel_tol=1e-15), name, f"{what}: {rate}")
        pairs.add(f"{name} {what}", (k, k), n, confidence, interval)

    rejected, everything = np.abs(x) <= 1, np.ones(len(x), bool)
    proportion("rejected", rejected, everything, report["rejection_rate"],
               intervals["rejection_rate"])
    proportion("right", x * y > 0, ~rejected, report["accepted_accuracy"],
               intervals["accepted_accuracy"])
    for c, label in enumerate((-1, 1)):
        proportion(f"rejected of {label}", rejected, y == label, report["class_rejection"][c],
                   intervals["class_rejection"][c])

    with open(curve, encoding="utf-8", newline="") as file:
        points = [{key: float(value) for key, value in line.items()} for line in csv.DictReader(file)]
    thresholds = sorted(set(np.abs(x)), reverse=True)
    failures.require([point["threshold"] for point in points] == thresholds, name, "thresholds")
    for point in points:
        accepted = np.abs(x) >= point["threshold"]
        errors = (accepted & (x * y < 0)).sum() + (accepted & (x == 0)).sum() / 2
        n = int(accepted.sum())
        failures.require(point["accepted"] == n and point["errors"] == errors, name,
                         f"counts at the threshold {point['threshold']}")
        failures.require(math.isclose(point["coverage"], n / len(x), rel_tol=1e-15)
                         and math.isclose(point["risk"], errors / n, rel_tol=1e-15), name,
                         f"coverage and risk at the threshold {point['threshold']}")
        pairs.add(f"{name} curve", (math.floor(errors), math.ceil(errors)), n, confidence,
                  (point["low"], point["high"]))


def main():
    if shutil.which("Rscript") is None:
        print("skipped: no Rscript; Debian has it in r-base-core")
        sys.exit(SKIPPED)
    failures, pairs = Failures(), Pairs()
    random = np.random.default_rng(1934)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = identity_model(folder)
        for rows in (1, 2, 3, 10, 50, 300, 3000):
            for confidence in CONFIDENCES:
                check(f"{rows} rows at {confidence}", model, folder, *draw(random, rows), confidence,
                      pairs, failures)
        far = np.full(20, 5.0)
        check("all right", model, folder, far, np.ones(20), 0.95, pairs, failures)
        check("all wrong", model, folder, far, -np.ones(20), 0.95, pairs, failures)
        check("all rejected", model, folder, far / 10, np.ones(20), 0.95, pairs, failures)
        check("all at 0", model, folder, 0 * far, np.ones(20), 0.95, pairs, failures)
        expected = pairs.by_r(folder)
    worst = 0
    for (where, end, k, n, confidence, got), value in zip(pairs.rows, expected):
        scale = min(value, 1 - value) or 1
        worst = max(worst, abs(got - value) / scale)
        failures.require(abs(got - value) <= SAME * scale, where,
                         f"{('lower', 'upper')[end]} end of {k} of {n} at {confidence}: {got!r}, "
                         f"R has {value!r}")
    print(f"{len(pairs.rows)} ends of intervals, largest relative difference {worst:.1e}, "
          f"{failures.count} failures")
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
