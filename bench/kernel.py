"""kernel.py [TARGET…] [--quick] [--write-docs]: is training with kernels as fast as it should be?

Ten targets, each a ratio of two times (or memories) that are measured in the same run, taking turns: medians,
one thread on one core unless said. A fast wrong answer does not count: training must have converged,
and R must be within 1e-4 of what tolerance 1e-6 gives. Prints one table and keeps it in
build/bench-kernel.json, from which --write-docs fills docs/performance.md.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import data
import suite
from cv_against_ipop import upper_bound
from measure import Run, Side, best_peer, burn_a_core, peak_megabytes, program, take_turns
from suite import HERE, RAMPART, alone, memory_gigabytes, results, say, value

MATRIX = os.environ.get("RAMPART_BENCH_MATRIX", str(suite.BUILD / "bench_kernel_matrix"))

C, GAMMA = 2, 0.125
SAME_R = 1e-4  # relative to R at tolerance 1e-6
TEN_COSTS = "0.05:0.5:0.05"
REAL = ("ijcnn1", "cod-rna", "magic", "a9a", "w8a")
TITLES = {
    1: "whole training, generated data, against svm-train and SVC.fit",
    2: "whole training, real data, against svm-train",
    3: "ten reject costs at once against one svm-train",
    4: "one inner problem against kernlab's ipop",
    5: "a tuning grid against the same number of svm-train for each fold and C, gamma",
    6: "prediction of 10000 rows against svm-predict",
    7: "the whole kernel matrix against what the machine could do",
    8: "two threads against one, also beside a busy process",
    9: "a cache of one eighth of the matrix against all of it",
    10: "twice the rows",
}


class Bench(suite.Bench):
    """What the targets share: generated data, commands, and R to compare with."""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.most_rows = options.most_rows
        self.reference_seconds = options.reference_seconds
        self.references = {}

    def file(self, rows, features, seed=7):
        """Generated rows as LIBSVM text."""
        path = self.folder / f"dense-{rows}-{features}-{seed}.svm"
        if not path.exists():
            data.write_libsvm(path, *data.dense(rows, features, seed))
        return path

    def train(self, file, d=0.2, gamma=GAMMA, threads=1, more=(), output="model.json"):
        """The command; everything that is measured here says so in JSON."""
        return [RAMPART, "train", file, "-o", self.folder / output, "-c", C, "-g", gamma,
                "--reject-cost", d, "--threads", threads, "--json", "--timing", "--quiet", *more]

    def ours(self, name, file, cores=(0,), **how):
        return Side(name, lambda: program(self.train(file, **how), cores))

    def svm_train(self, file, gamma=GAMMA, caches=(100, 4000)):
        """Sides for svm-train with its own cache (100 MB) and a larger one."""
        sides = []
        for cache in caches:
            command = ["svm-train", "-q", "-c", C, "-g", gamma, "-m", cache, file,
                       self.folder / "libsvm.model"]
            sides.append(Side("svm-train" if cache == 100 else f"svm-train -m {cache}",
                              lambda command=command: program(command), "svm-train"))
        return sides

    def svc_fit(self, file, features, gamma=GAMMA, form="dense"):
        """Sides for SVC.fit with its own cache (200 MB) and a larger one; the time of fit alone."""
        def fit(cache):
            told = json.loads(program(["/usr/bin/python3", HERE / "svc_fit.py", file, features, form,
                                       C, gamma, cache]).output)
            return Run(told["cpu"], told["wall"])
        return [Side("SVC.fit" if cache == 200 else f"SVC.fit, cache {cache}",
                     lambda cache=cache: fit(cache), "SVC.fit") for cache in (200, 4000)]

    def reference(self, file, d, gamma):
        """R at tolerance 1e-6, for one d or a list; None if that takes too long."""
        key = (file, d, gamma)
        if key not in self.references:
            command = self.train(file, d, gamma, threads=2, output="reference-{d}.json",
                                 more=["-e", "1e-6", "--cache-mb", "6000"])
            say(f"  R at tolerance 1e-6, {Path(file).name}, d = {d}")
            run = program(command, (0, 1), seconds=self.reference_seconds)
            self.references[key] = run and [one["objective"] for one in results(run.output)]
        return self.references[key]

    def row(self, target, what, ours, peer, limit, by="cpu", check=None, **facts):
        """`check`: (what training printed, file, d, gamma), or None where there is no R."""
        if check is not None:
            facts.update(self.checked(*check))
        super().row(target, what, ours, peer, limit, by, **facts)

    def checked(self, output, file, d, gamma):
        """R, gap, and how far R is from the reference; a `problem` if that is too far."""
        told = results(output)
        facts = {"R": told[0]["objective"], "gap": max(one["gap"] for one in told)}
        if any(one["status"] != "converged" for one in told):
            return {**facts, "problem": "did not converge"}
        expected = self.reference(file, d, gamma)
        if expected is None:
            self.note(f"{Path(file).name}: no R at tolerance 1e-6 in {self.reference_seconds} s")
            return facts
        facts["difference"] = max((one["objective"] - other) / other
                                  for one, other in zip(told, expected))
        if facts["difference"] > SAME_R:  # below, it is another and better stationary point
            facts["problem"] = "R is above"
        return facts


# The targets


def whole_training(bench):
    sizes = [(200, 20), (500, 100)] if bench.quick else [
        (rows, features) for features in (20, 100) for rows in (1000, 5000, 20000)]
    have_svc = has_sklearn()
    if not have_svc:
        bench.note("python3-sklearn is missing: no comparison with SVC.fit")
    for rows, features in sizes:
        if rows > bench.most_rows:
            continue
        file = bench.file(rows, features)
        costs = {d: bench.ours("rampart", file, d=d) for d in (0.2, 0.4)}
        peers = bench.svm_train(file) + (bench.svc_fit(file, features) if have_svc else [])
        take_turns([*costs.values(), *peers], bench.counts)
        for d, ours in costs.items():
            check = (ours.output, file, d, GAMMA)
            what = f"N={rows} p={features} d={d}"
            bench.row(1, what, ours, best_peer(peers, "svm-train"),
                      0.10 if features == 20 else 0.03, check=check)
            if have_svc:
                bench.row(1, what + ", training alone", alone(ours), best_peer(peers, "SVC.fit"),
                          0.25 if features == 20 else 0.10, check=check)


def real_data(bench):
    if data.real_folder() is None:
        bench.note("RAMPART_DATA does not name a folder of data sets: no real data")
        return
    for name in REAL:
        features = data.REAL[name][-1]
        file = bench.folder / f"{name}.svm"
        try:
            data.write_real(name, file, 1000 if bench.quick else bench.most_rows)
        except OSError as error:
            bench.note(f"{name} is left out: {error}")
            continue
        costs = {d: bench.ours("rampart", file, d=d, gamma=1 / features) for d in (0.2, 0.4)}
        peers = bench.svm_train(file, 1 / features)
        take_turns([*costs.values(), *peers], bench.counts)
        for d, ours in costs.items():
            bench.row(2, f"{name}, gamma 1/{features}, d={d}", ours,
                      best_peer(peers, "svm-train"), 0.25,
                      check=(ours.output, file, d, 1 / features))


def ten_costs(bench):
    rows = 500 if bench.quick else 5000
    file = bench.file(rows, 20)
    ours = bench.ours("rampart", file, d=TEN_COSTS, output="model-{d}.json")
    peers = bench.svm_train(file)
    take_turns([ours, *peers], bench.counts)
    bench.row(3, f"N={rows} p=20 d={TEN_COSTS}", ours, best_peer(peers, "svm-train"), 0.5,
              check=(ours.output, file, TEN_COSTS, GAMMA))


def inner_problem(bench):
    if not has_kernlab():
        bench.note("r-base-core and r-cran-kernlab are missing: no comparison with ipop")
        return
    rows, d = (150 if bench.quick else 1000), 0.2
    y, x = data.dense(rows, 20, 7)
    file = bench.folder / "inner.csv"
    data.write_csv(file, y, x)
    command = bench.train(file, d, more=["--max-rounds", 1])
    ipop = ["Rscript", HERE / "ipop.R", file, GAMMA, C, d]

    def solve():
        run = program(ipop)
        _, bound, cpu, wall, verdict = run.output.split()
        if bound == "NA":
            raise RuntimeError(f"ipop: {verdict}")
        return Run(float(cpu), float(wall), bound)
    ours, theirs = Side("rampart", lambda: program(command)), Side("ipop", solve)
    take_turns([ours, theirs], bench.counts)
    model = data.read_model(bench.folder / "model.json")
    labels, features = x_and_y(file)
    bound, expected = upper_bound(model, features, labels, d), float(theirs.output)
    difference = (bound - expected) / expected
    facts = {"R": bound, "difference": difference,
             "gap": results(ours.output)[0]["gap"],
             "problem": "ipop found less" if difference > 1e-3 else None}
    bench.row(4, f"N={rows} p=20 d={d}, solving alone", alone(ours), theirs, 1 / 2500, **facts)
    bare = peak_megabytes(["Rscript", "-e", "suppressPackageStartupMessages(library(kernlab))"])
    memory, their_memory = peak_megabytes(command), peak_megabytes(ipop)
    bench.row(4, "peak memory, MB (not s)", value("rampart", memory),
              value(f"R with ipop (R alone: {bare:.0f})", their_memory), 1 / 20)


def x_and_y(file):
    import numpy as np
    whole = np.loadtxt(file, delimiter=",")
    return whole[:, -1], whole[:, :-1]


def tuning_grid(bench):
    rows = 200 if bench.quick else 1000
    weights, widths = ([1, 2], [0.125, 0.25]) if bench.quick else (
        [0.5, 1, 2, 4, 8], [0.03125, 0.0625, 0.125, 0.25, 0.5])
    file = bench.file(rows, 20)
    lines = file.read_text(encoding="ascii").splitlines(keepends=True)
    parts = []
    for fold in range(5):
        parts.append(bench.folder / f"without-{fold}.svm")
        parts[-1].write_text("".join(lines[n] for n in range(rows) if n % 5 != fold),
                             encoding="ascii")
    tune = [RAMPART, "tune", file, "-o", bench.folder / "tuned.json",
            "-c", ",".join(map(str, weights)), "-g", ",".join(map(str, widths)),
            "--training-cost", TEN_COSTS, "--d", "0.2", "-v", 5, "--repeats", 1, "--threads", 1,
            "--quiet", "--json"]

    def grid_of_svm_train():
        total = Run(0, 0)
        for weight in weights:
            for width in widths:
                for part in parts:
                    run = program(["svm-train", "-q", "-c", weight, "-g", width, part,
                                   bench.folder / "libsvm.model"])
                    total.cpu += run.cpu
                    total.wall += run.wall
        return total
    pairs = len(weights) * len(widths)
    ours = Side("rampart", lambda: program(tune))
    theirs = Side(f"{pairs * 5} svm-train", grid_of_svm_train)
    take_turns([ours, theirs], bench.counts)
    bench.row(5, f"N={rows} p=20, {pairs * 10} points x 5 folds", ours, theirs, 0.5)


def prediction(bench):
    rows, questions = (300, 1000) if bench.quick else (5000, 10000)
    for features in (20, 100):
        file, asked = bench.file(rows, features), bench.file(questions, features, seed=8)
        program(bench.train(file))
        model = data.read_model(bench.folder / "model.json")
        write_libsvm_model(bench.folder / "libsvm.model", model)
        answers, their_answers = bench.folder / "answers.csv", bench.folder / "answers.txt"
        ours = Side("rampart", lambda: program([RAMPART, "predict", bench.folder / "model.json", asked,
                                                "-o", answers, "--threads", 1, "--quiet"]))
        theirs = Side("svm-predict", lambda: program(
            ["svm-predict", asked, bench.folder / "libsvm.model", their_answers]))
        take_turns([ours, theirs], bench.counts)
        bench.row(6, f"{questions} rows, {len(model['coefficients'])} vectors, p={features}", ours,
                  theirs, 1 / 20, problem=data.disagreement(answers, their_answers))


def write_libsvm_model(path, model):
    """The same f as a C-SVC, for svm-predict."""
    vectors = list(zip(model["coefficients"], model["vectors"]))
    vectors.sort(key=lambda one: one[0] < 0)
    positive = sum(one > 0 for one, _ in vectors)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"svm_type c_svc\nkernel_type rbf\ngamma {model['kernel']['gamma']}\nnr_class 2\n"
                   f"total_sv {len(vectors)}\nrho {-model['b']!r}\nlabel 1 -1\n"
                   f"nr_sv {positive} {len(vectors) - positive}\nSV\n")
        for coefficient, vector in vectors:
            values = " ".join(f"{j}:{value:.8g}" for j, value in enumerate(vector, 1))
            file.write(f"{coefficient!r} {values}\n")


def kernel_matrix(bench):
    rows, features = (3000 if bench.quick else 20000), 100
    stated = {1: 0.31, 2: 0.15}  # seconds at N=20000, p=100, on two cores with AVX-512
    for threads, floor in stated.items():
        told = json.loads(program([MATRIX, rows, features, threads, bench.counts.runs],
                                  range(threads)).output)
        ours = value("rampart", told["matrix"]["cpu"], told["matrix"]["wall"])
        what = f"N={rows} p={features}, {threads} thread{'s' if threads > 1 else ''}"
        by = "cpu" if threads == 1 else "wall"
        if not bench.quick:
            bench.row(7, what, ours, value("floor of an AVX-512 machine", floor), 2, by)
        bench.row(7, what, ours, value(f"floor here: {told['gflops']:.0f} GFLOP/s, written in"
                                       f" {told['write']:.2g} s", told["floor"]), 2, by)


def two_threads(bench):
    if len(os.sched_getaffinity(0)) < 2:
        bench.note("one core only: no comparison of two threads with one")
        return
    for rows in (500, 3000) if bench.quick else (1000, 5000, 20000):
        if rows > bench.most_rows:
            continue
        file = bench.file(rows, 20)
        one = bench.ours("1 thread", file, (0, 1))
        two = bench.ours("2 threads", file, (0, 1), threads=2)

        def beside_a_busy_process():
            with burn_a_core(1):
                return program(bench.train(file, threads=2), (0, 1))
        busy = Side("2 threads beside a busy process", beside_a_busy_process)
        take_turns([one, two, busy], bench.counts)
        check = (two.output, file, 0.2, GAMMA)
        what = f"N={rows} p=20, training alone"
        bench.row(8, "2 threads, " + what, alone(two), alone(one), 1.05 if rows < 20000 else 0.6,
                  by="wall", check=check)
        bench.row(8, "2 threads, one core busy, " + what, alone(busy), alone(two), 2.2, by="wall",
                  check=check)


def small_cache(bench):
    rows = 3000 if bench.quick else min(50000, bench.most_rows)
    megabytes = rows * rows * 4 / 2**20
    if memory_gigabytes() < 1.3 * megabytes / 1024:
        bench.note(f"too little memory for a matrix of {megabytes:.0f} MB: target 9 is left out")
        return
    file = bench.file(rows, 20)
    eighth = bench.ours("eighth", file, more=["--cache-mb", f"{megabytes / 8:.0f}"],
                        output="eighth.json")
    whole = bench.ours("cache for all of K", file, more=["--cache-mb", f"{1.01 * megabytes:.0f}"],
                       output="whole.json")
    take_turns([eighth, whole], bench.counts)
    same = (bench.folder / "eighth.json").read_bytes() == (bench.folder / "whole.json").read_bytes()
    bench.row(9, f"N={rows} p=20, 1/8 of K = {megabytes / 8:.0f} MB, training alone", alone(eighth),
              alone(whole), 2.5, check=(eighth.output, file, 0.2, GAMMA),
              **({} if same else {"problem": "other model"}))


def growth(bench):
    rows = 1500 if bench.quick else min(20000, bench.most_rows // 2)
    small, large = bench.file(rows, 20), bench.file(2 * rows, 20)
    half, whole = bench.ours(f"N={rows}", small), bench.ours("twice", large)
    take_turns([half, whole], bench.counts)
    bench.row(10, f"N={2 * rows} p=20, training alone", alone(whole), alone(half), 4.5,
              check=(whole.output, large, 0.2, GAMMA))


TARGETS = {1: whole_training, 2: real_data, 3: ten_costs, 4: inner_problem, 5: tuning_grid,
           6: prediction, 7: kernel_matrix, 8: two_threads, 9: small_cache, 10: growth}


def has_sklearn():
    return subprocess.run(["/usr/bin/python3", "-c", "import sklearn"], capture_output=True,
                          check=False).returncode == 0


def has_kernlab():
    return shutil.which("Rscript") is not None and subprocess.run(
        ["Rscript", "-e", "library(kernlab)"], capture_output=True, check=False).returncode == 0


FOOT = """\
CPU and wall seconds are medians; ratios are of CPU seconds, those with a w of wall seconds. R vs ref.:
relative difference to R at tolerance 1e-6 (of several d: the largest; target 4: of the upper bound to ipop's)."""


def add_options(parser):
    parser.add_argument("--most-rows", type=int, default=10**6,
                        help="leave out what is larger, or make it smaller; then nothing is kept")
    parser.add_argument("--reference-seconds", type=int, default=1800,
                        help="for R at tolerance 1e-6, which is left out if it takes longer")


if __name__ == "__main__":
    suite.main(suite.Suite(
        name="kernel", description=__doc__.split("\n\n")[1], targets=TARGETS, titles=TITLES,
        bench=Bench, page=HERE.parent / "docs" / "performance.md", foot=FOOT, add_options=add_options,
        packages=("libsvm-tools", "python3-sklearn", "r-cran-kernlab"),
        needed={"svm-train": "libsvm-tools", "svm-predict": "libsvm-tools", MATRIX: "./dev bench",
                "/usr/bin/time": "time"}))
