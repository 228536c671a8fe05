#!/usr/bin/env python3
"""Compares what two builds of the command compute: same_results.py OLD NEW.

Trains many settings (every loss, kernel, precision, form of data, with and without weights, class
weights and tables of costs) and runs cv, tune and reproduce with both. R, b, ρ, weights and
coefficients must be equal to the last bit; --tolerance allows a relative difference. For changes
that must not change results: OLD is the command before, NEW after.
"""

import argparse
import itertools
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LOSSES = ["double-ramp", "double-hinge", "generalized-hinge", "hinge"]
KERNELS = {
    "linear": [],
    "rbf": ["--gamma", "0.7"],
    "polynomial": ["--gamma", "0.5", "--coef0", "1", "--degree", "2"],
    "sigmoid": ["--gamma", "0.1", "--coef0", "0.5"],
}
TABLE = ["--costs", "1", "3", "0.4", "0.2"]


def rows(count, features, seed):
    """Two overlapping classes, with row weights; as lists of numbers."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        label = draw.choice([-1, 1])
        x = [draw.gauss(0.5 * label if j < 3 else 0, 1) for j in range(features)]
        x = [0.0 if draw.random() < 0.2 else round(value, 3) for value in x]
        found.append((label, draw.choice([0.5, 1.0, 2.0]), x))
    return found


def write_csv(path, data, weighted):
    with open(path, "w", encoding="utf-8") as out:
        names = [f"x{j}" for j in range(len(data[0][2]))]
        out.write(",".join(names + (["weight"] if weighted else []) + ["label"]) + "\n")
        for label, weight, x in data:
            fields = [repr(v) for v in x] + ([str(weight)] if weighted else []) + [str(label)]
            out.write(",".join(fields) + "\n")


def write_libsvm(path, data, step=1):
    with open(path, "w", encoding="utf-8") as out:
        for label, _, x in data:
            stored = [f"{1 + j * step}:{value!r}" for j, value in enumerate(x) if value != 0]
            out.write(" ".join([str(label)] + stored) + "\n")


def write_precomputed(path, data):
    with open(path, "w", encoding="utf-8") as out:
        for n, (label, _, x) in enumerate(data):
            values = [math.exp(-0.3 * math.dist(x, z) ** 2) for _, _, z in data]
            stored = [f"{m + 1}:{value!r}" for m, value in enumerate(values)]
            out.write(" ".join([str(label), f"0:{n + 1}"] + stored) + "\n")


def settings(folder):
    """(name, arguments of train) of every setting."""
    small, large = rows(150, 6, 1), rows(2300, 6, 2)  # above 2048 rows float is the default
    write_csv(folder / "dense.csv", small, False)
    write_csv(folder / "weighted.csv", small, True)
    write_csv(folder / "large.csv", large, False)
    write_libsvm(folder / "sparse.svm", small)
    write_libsvm(folder / "wide.svm", small, step=400)
    write_precomputed(folder / "matrix.svm", small)
    found = []
    for loss, (kernel, parameters) in itertools.product(LOSSES, KERNELS.items()):
        common = ["--loss", loss, "--kernel", kernel, *parameters, "-c", "2"]
        for precision, (form, data) in itertools.product(
                ["single", "double"],
                {"dense": "dense.csv", "sparse": "sparse.svm", "wide": "wide.svm"}.items()):
            found.append((f"{loss} {kernel} {precision} {form}",
                          [data, *common, "--precision", precision]))
        label = ["--label", "label", "--weight", "weight"]
        found.append((f"{loss} {kernel} weighted", ["weighted.csv", *label, *common]))
        found.append((f"{loss} {kernel} class weights",
                      ["dense.csv", *common, "--class-weight", "1=2"]))
        found.append((f"{loss} {kernel} scaled", ["dense.csv", *common, "--scale", "standard"]))
    for loss, precision in itertools.product(LOSSES, ["single", "double"]):
        found.append((f"{loss} precomputed {precision}",
                      ["matrix.svm", "--loss", loss, "--kernel", "precomputed", "--precision", precision]))
    for kernel, parameters in KERNELS.items():
        found.append((f"costs {kernel}", ["dense.csv", "--kernel", kernel, *parameters, *TABLE]))
        found.append((f"mu {kernel}", ["dense.csv", "--kernel", kernel, *parameters, "--mu", "0.3"]))
    for kernel in ["linear", "rbf"]:
        found.append((f"large {kernel}", ["large.csv", "--kernel", kernel, "--scale", "minmax"]))
        found.append((f"large tight {kernel}",
                      ["large.csv", "--kernel", kernel, "-e", "1e-6", "-c", "0.5"]))
    return found


def runs():
    """Commands whose whole output must be the same."""
    folds = ["--folds", "4", "--repeats", "2", "--json"]
    yield "cv", ["cv", "dense.csv", "--loss", ",".join(LOSSES), "--reject-cost", "0.1,0.3", *folds]
    yield "cv scaled", ["cv", "dense.csv", "--scale", "standard", *folds]
    yield "cv linear", ["cv", "large.csv", "--kernel", "linear", "--folds", "3", "--repeats", "1", "--json"]
    yield "cv precomputed", ["cv", "matrix.svm", "--kernel", "precomputed", "--loss",
                             "double-ramp,hinge", *folds]
    yield "tune", ["tune", "dense.csv", "-o", "tuned.json", "--C", "0.5,2", "--gamma", "0.2,1",
                   "--folds", "3", "--repeats", "1", "--json"]
    yield "tune nested", ["tune", "sparse.svm", "-o", "tuned2.json", "--C", "0.5,2", "--gamma",
                          "0.2,1", "--folds", "3", "--repeats", "1", "--nested", "--json"]
    yield "several d", ["train", "dense.csv", "-o", "d{d}.json", "--reject-cost", "0.1,0.2,0.4", "--json"]
    yield "reproduce", ["reproduce", "--repeats", "1", "--no-page", "--json"]


def run(binary, arguments, folder):
    done = subprocess.run([binary, *arguments], cwd=folder, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def unscaled(options):
    """The default of --scale was once none."""
    return options if "--scale" in options else [*options, "--scale", "none"]


def numbers(text):
    """What is compared of a model file of any version."""
    model = json.loads(text)
    if "surfaces" not in model:
        training = model["training"]
        return {"R": training["objective"], "b": model["b"], "rho": model["rho"],
                "weights": model.get("weights"), "coefficients": model.get("coefficients")}
    surface = model["surfaces"][0]
    band = surface["band"]
    return {"R": surface["certificate"]["objective"], "b": band["b"], "rho": band["rho"],
            "weights": surface.get("weights"), "coefficients": surface.get("coefficients")}


def difference(one, other):
    """The largest relative difference; infinite where the shapes differ."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max([difference(a, b) for a, b in zip(one, other)], default=0.0)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return 0.0 if one == other else abs(one - other) / max(abs(one), abs(other))
    return 0.0 if one == other else math.inf


def compare(arguments):
    failures, largest, count = [], 0.0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, options in settings(folder):
            texts = []
            for binary in (arguments.old, arguments.new):
                code, _, error = run(binary, ["train", *unscaled(options), "-o", "model.json", "--quiet"],
                                     folder)
                if code != 0:
                    sys.exit(f"{title}: {binary} failed: {error}")
                texts.append((folder / "model.json").read_text(encoding="utf-8"))
            old, new = map(numbers, texts)
            apart = max(difference(old[key], new[key]) for key in old)
            largest, count = max(largest, apart), count + 1
            if not apart <= arguments.tolerance:
                failures.append(f"{title}: relative difference {apart:.2g}")
        for title, options in runs():
            if title != "reproduce":
                options = unscaled(options)
            more = arguments.only_new if title != "reproduce" else []
            found = [run(arguments.old, options, folder)[:2],
                     run(arguments.new, [*options, *more], folder)[:2]]
            count += 1
            if found[0] != found[1]:
                failures.append(f"{title}: the output differs")
                if arguments.keep:
                    for which, (_, text) in zip(("old", "new"), found):
                        Path(arguments.keep, f"{title}.{which}".replace(" ", "_")).write_text(
                            text, encoding="utf-8")
    for failure in failures:
        print(failure)
    print(f"{count} settings, {len(failures)} differ; largest relative difference {largest:.2g}")
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("new", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--only-new", default=[], type=str.split,
                        help="options for NEW alone, such as '--unfamiliar 0'")
    parser.add_argument("--tolerance", type=float, default=0.0)
    parser.add_argument("--keep", help="a folder for outputs that differ")
    sys.exit(compare(parser.parse_args()))
