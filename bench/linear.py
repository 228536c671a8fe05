"""linear.py [TARGET…] [--quick] [--write-docs]: are linear models as fast as they should be?

Twelve targets, most a ratio of two times that are measured in the same run, taking turns: medians, one thread on
one core unless said, reading apart unless said. C = 1. A fast wrong answer does not count: training must have
converged to a certified gap of 5e-5, and R must not be above the kernel solver's by more than 1e-3 where
that can be run. Prints one table and keeps it in build/bench-linear.json, from which --write-docs fills
docs/performance.md.
"""

import json
import os

import beyond_memory
import data
import suite
from measure import Run, Side, program, take_turns
from suite import BUILD, HERE, RAMPART, alone, results, say, value

SOLVE = os.environ.get("RAMPART_BENCH_SOLVE", str(BUILD / "bench_liblinear_solve"))
GENERATE = os.environ.get("RAMPART_BENCH_GENERATE", str(BUILD / "bench_generate"))

GAP, SAME_R = 5e-5, 1e-3
COSTS = (0.2, 0.4)
TEN_COSTS = "0.05:0.5:0.05"
DRAWN = 29  # features of a sparse row, of which 27 are different
TITLES = {
    1: "dense, 1e6 x 20, against LIBLINEAR's solvers",
    2: "dense, 1e5 x 100, against LIBLINEAR's solvers",
    3: "sparse, 1e6 x 1e6, against LIBLINEAR's -s 3",
    4: "a9a, w8a against LIBLINEAR's -s 3",
    5: "cod-rna, skin, credit_default as they are, in one second",
    6: "text to model, two threads, against liblinear-train",
    7: "four times the rows",
    8: "more rows than memory",
    9: "text to predictions against liblinear-predict",
    10: "skin by landmarks against the exact kernel",
    11: "cross-validation of ten costs against one training by -s 3",
    12: "two threads against one",
}


class Bench(suite.Bench):
    """What the targets share: data, commands, and R of the kernel solver to compare with."""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.reference_seconds = options.reference_seconds
        self.exact_seconds = options.exact_seconds
        self.disk = (0.2, 0.1) if options.quick else (options.disk_gb, options.memory_gb)

    def size(self, rows):
        return rows // 100 if self.quick else rows

    def generate(self, path, *what):
        """Runs the generator; a file is there as a whole or not at all."""
        unfinished = path.with_suffix(".unfinished")
        program(["sh", "-c", 'exec "$@" >"$0"', unfinished, GENERATE, *what])
        unfinished.rename(path)

    def dense(self, rows, features, noise=0):
        path = self.folder / f"linear-{rows}-{features}-{noise}.svm"
        if not path.exists():
            self.generate(path, "dense", rows, features, noise, 1)
        return path

    def sparse(self, rows):
        path = self.folder / f"sparse-{rows}-{rows}.svm"
        if not path.exists():
            self.generate(path, "sparse", rows, rows, DRAWN, 1)
        return path

    def real(self, name):
        """A real set as it is, or None if it is not there."""
        path = self.folder / f"{name}{'-quick' if self.quick else ''}.svm"
        try:
            if data.real_folder() is None:
                raise FileNotFoundError("RAMPART_DATA does not name a folder of data sets")
            data.write_real(name, path, 3000 if self.quick else None, standardised=False)
        except OSError as error:
            self.note(f"{name} is left out: {error}")
            return None
        return path

    def train(self, file, d=0.2, threads=1, unfamiliar=(0,), more=(), output="model.json"):
        """The command. `unfamiliar` is empty for what it is by default."""
        return [RAMPART, "train", file, "-o", self.folder / output, "--kernel", "linear",
                "--scale", "none", "-c", 1, "--reject-cost", d, "--threads", threads, "--json",
                "--timing", "--quiet", *(("--unfamiliar", *unfamiliar) if unfamiliar else ()), *more]

    def ours(self, name, file, cores=(0,), **how):
        return Side(name, lambda: program(self.train(file, **how), cores))

    def solve(self, file, solver):
        """LIBLINEAR's solver without reading."""
        def run():
            told = json.loads(program([SOLVE, file, solver]).output)
            return Run(told["cpu"], told["wall"])
        return Side(f"-s {solver}", run)

    def liblinear_train(self, file):
        return Side("liblinear-train -s 3", lambda: program(
            ["liblinear-train", "-q", "-s", 3, "-c", 1, "-B", 1, file, self.folder / "liblinear.model"]))

    def reference(self, file, d):
        """R of the kernel solver, or None if it takes too long. Kept with the data."""
        path = self.folder / "references.json"
        known = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
        key = f"{file.name} {d}"
        if key not in known:
            say(f"  R of the kernel solver, {key}")
            run = program(self.train(file, d, threads=0, output="reference.json",
                                     more=["--solver", "smo", "--max-seconds", self.reference_seconds]),
                          os.sched_getaffinity(0), seconds=1.5 * self.reference_seconds)
            told = run and results(run.output)[0]
            known[key] = told["objective"] if told and told["status"] == "converged" else None
            path.write_text(json.dumps(known, indent=1) + "\n", encoding="ascii")
        return known[key]

    def checked(self, output, file=None, d=None):
        """R and gap; a `problem` if that is not certified, or above the kernel solver's R, which is
        asked for where a file is given."""
        told = results(output)
        facts = {"R": told[0]["objective"], "gap": max(one["gap"] for one in told)}
        if any(one["status"] != "converged" for one in told):
            return {**facts, "problem": "did not converge"}
        if facts["gap"] > GAP:
            return {**facts, "problem": "gap"}
        expected = self.reference(file, d) if file is not None else None
        if expected is not None:
            facts["difference"] = facts["R"] / expected - 1
            if facts["difference"] > SAME_R:
                facts["problem"] = "R is above"
        elif file is not None:
            self.note(f"{file.name}, d={d}: no R to compare with, the kernel solver did not converge"
                      f" (in at most {self.reference_seconds} s)")
        return facts


def against_solvers(bench, target, what, file, limits, compared):
    """Training alone against the solve phase of LIBLINEAR, and what --unfamiliar costs. `limits`: by
    solver, None where nothing is judged; `compared`: whether the kernel solver can be run."""
    costs = {d: bench.ours("rampart", file, d=d) for d in COSTS}
    familiar = bench.ours("rampart", file, unfamiliar=())
    peers = {solver: bench.solve(file, solver) for solver in limits}
    take_turns([*costs.values(), familiar, *peers.values()], bench.counts)
    for d, ours in costs.items():
        facts = bench.checked(ours.output, *((file, d) if compared else ()))
        for solver, limit in limits.items():
            bench.row(target, f"{what} d={d}", alone(ours), peers[solver], limit, **facts)
    bench.row(target, f"{what} d={COSTS[0]}, --unfamiliar by default", alone(familiar),
              Side("--unfamiliar 0", None, runs=alone(costs[COSTS[0]]).runs), None)


# The targets


def dense_20(bench):
    rows = bench.size(10**6)
    against_solvers(bench, 1, f"N={rows} p=20", bench.dense(rows, 20), {3: 0.06, 2: 0.8}, bench.quick)
    against_solvers(bench, 1, f"N={rows} p=20, noisy score", bench.dense(rows, 20, 0.5), {2: None}, False)


def dense_100(bench):
    rows = bench.size(10**5)
    against_solvers(bench, 2, f"N={rows} p=100", bench.dense(rows, 100), {3: 0.2, 2: 0.8}, True)
    against_solvers(bench, 2, f"N={rows} p=100, noisy score", bench.dense(rows, 100, 0.5), {2: None}, False)


def sparse(bench):
    rows = bench.size(10**6)
    against_solvers(bench, 3, f"sparse N={rows} p={rows}", bench.sparse(rows), {3: 1.0}, bench.quick)


def real_sparse(bench):
    for name in ("a9a", "w8a"):
        file = bench.real(name)
        if file:
            against_solvers(bench, 4, name, file, {3: 1.0}, True)


def unscaled(bench):
    for name in ("cod-rna", "skin", "credit_default"):
        file = bench.real(name)
        if not file:
            continue
        costs = {d: bench.ours("rampart", file, d=d) for d in COSTS}
        take_turns([*costs.values()], bench.counts)
        for d, ours in costs.items():
            bench.row(5, f"{name} d={d}", alone(ours), value("one second", 1), 1,
                      **bench.checked(ours.output, file, d))


def text_to_model(bench):
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        bench.note("one core only: target 6 with one thread")
    rows = bench.size(10**6)
    for what, file, limit in ((f"dense N={rows} p=20", bench.dense(rows, 20), 0.1),
                              (f"sparse N={rows} p={rows}", bench.sparse(rows), 0.3)):
        ours = bench.ours("rampart", file, cores, threads=2)
        familiar = bench.ours("rampart", file, cores, threads=2, unfamiliar=())
        theirs = bench.liblinear_train(file)
        take_turns([ours, familiar, theirs], bench.counts)
        bench.row(6, f"{what} d=0.2, 2 threads", ours, theirs, limit, by="wall",
                  **bench.checked(ours.output))
        bench.row(6, f"{what} d=0.2, 2 threads, --unfamiliar by default", familiar, theirs, None,
                  by="wall", **bench.checked(familiar.output))


def growth(bench):
    rows = bench.size(10**6)
    small, large = (bench.ours(f"N={n}", bench.dense(n, 20)) for n in (rows, 4 * rows))
    take_turns([small, large], bench.counts)
    bench.row(7, f"N={4 * rows} p=20 d=0.2", alone(large), alone(small), 4.4,
              **bench.checked(large.output))


def disk(bench):
    beyond_memory.measure(bench, 8, bench.generate, *bench.disk)


def prediction(bench):
    rows = bench.size(10**6)
    answers, their_answers = bench.folder / "answers.csv", bench.folder / "answers.txt"
    for what, file in ((f"dense N={rows} p=20", bench.dense(rows, 20)),
                       (f"sparse N={rows} p={rows}", bench.sparse(rows))):
        program(bench.train(file))
        write_liblinear_model(bench.folder / "liblinear.model",
                              data.read_model(bench.folder / "model.json"))
        command = [RAMPART, "predict", bench.folder / "model.json", file, "-o", answers, "--quiet"]
        one = Side("rampart", lambda: program([*command, "--threads", 1]))
        two = Side("rampart", lambda: program([*command, "--threads", 2], os.sched_getaffinity(0)))
        theirs = Side("liblinear-predict", lambda: program(
            ["liblinear-predict", file, bench.folder / "liblinear.model", their_answers]))
        take_turns([one, two, theirs], bench.counts)
        problem = data.disagreement(answers, their_answers)
        bench.row(9, f"{what}, 1 thread", one, theirs, 1 / 10, by="wall", problem=problem)
        bench.row(9, f"{what}, 2 threads", two, theirs, None, by="wall", problem=problem)


def write_liblinear_model(path, model):
    """The same f, for liblinear-predict."""
    weights = [*model["weights"], model["b"]]
    with open(path, "w", encoding="ascii") as file:
        file.write("solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\n"
                   f"nr_feature {len(weights) - 1}\nbias 1\nw\n")
        file.writelines(f"{weight!r} \n" for weight in weights)


def landmarks(bench):
    """Both risks on rows that nobody was trained on: the exact kernel's, trained on a sample, and that
    of landmarks, trained on all others. The exact kernel's time is that on all others too."""
    whole = bench.real("skin")
    if not whole:
        return
    lines = whole.read_text(encoding="ascii").splitlines(keepends=True)
    part = bench.size(20000) if bench.quick else 20000
    files = {}
    for name, rows in (("test", lines[:part]), ("train", lines[part:]),
                       ("sample", lines[part:2 * part])):
        files[name] = bench.folder / f"skin-{name}.svm"
        files[name].write_text("".join(rows), encoding="ascii")

    def train(name, *more):
        return [RAMPART, "train", files[name], "-o", bench.folder / "skin.json", "--scale", "standard",
                "-c", 1, "--reject-cost", 0.2, "--threads", 1, "--unfamiliar", 0, "--json", "--timing",
                "--quiet", *more]

    def risk():
        return json.loads(program([RAMPART, "evaluate", bench.folder / "skin.json", files["test"],
                                   "--json", "--quiet"]).output)["risk"]
    program(train("sample"))
    asked = risk()
    exact = Side("exact kernel", lambda: program(train("train", "--max-seconds", bench.exact_seconds)))
    exact.runs.append(exact.run())  # once: it takes minutes
    whole_risk = risk()
    if results(exact.output)[0]["status"] != "converged":
        exact.name = f"exact kernel, stopped after {bench.exact_seconds} s"
    for count in (25, 50, 100, 200, 500, 1000):
        ours = Side("landmarks", lambda: program(train("train", "--landmarks", count)))
        ours.runs.append(ours.run())
        found = risk()
        if found <= asked or count == 1000:
            take_turns([ours], bench.counts)
            facts = bench.checked(ours.output)
            if found > asked:
                facts["problem"] = "risk"
            bench.row(10, f"skin N={len(lines) - part}, {count} landmarks", alone(ours), alone(exact),
                      0.25, **facts)
            bench.note(f"skin: risk on {part} other rows {found:.5f} with {count} landmarks; exact"
                       f" kernel {asked:.5f} trained on {part} rows, {whole_risk:.5f} on all")
            return


def cross_validation(bench):
    rows = bench.size(10**5)
    file = bench.dense(rows, 20)
    ours = Side("rampart", lambda: program(
        [RAMPART, "cv", file, "--kernel", "linear", "--scale", "none", "-c", 1, "--reject-cost",
         TEN_COSTS, "-v", 10, "--repeats", 1, "--unfamiliar", 0, "--threads", 1, "--json", "--quiet"]))
    theirs = bench.solve(file, 3)
    take_turns([ours, theirs], bench.counts)
    bench.row(11, f"cv N={rows} p=20, 10 folds, d={TEN_COSTS}", ours, theirs, 3)


def two_threads(bench):
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        bench.note("one core only: no comparison of two threads with one")
        return
    cases = [(f"N={rows} p={p}", bench.dense(rows, p), limit)
             for rows, p, limit in ((bench.size(10**6), 20, 0.65), (bench.size(10**5), 100, 0.65),
                                    (1000, 20, 1.05))]
    cases += [(name, bench.real(name), 1.05) for name in ("a9a", "w8a", "cod-rna")]
    cases.append(("sparse", bench.sparse(bench.size(10**6)), 1.05))
    for what, file, limit in cases:
        if file is None:
            continue
        one = bench.ours("1 thread", file, cores, output="one.json")
        two = bench.ours("2 threads", file, cores, threads=2, output="two.json")
        take_turns([one, two], bench.counts)
        facts = bench.checked(two.output)
        if (bench.folder / "one.json").read_bytes() != (bench.folder / "two.json").read_bytes():
            facts["problem"] = "other model"
        bench.row(12, f"{what} d=0.2, 2 threads", alone(two), alone(one), limit, by="wall", **facts)


TARGETS = {1: dense_20, 2: dense_100, 3: sparse, 4: real_sparse, 5: unscaled, 6: text_to_model,
           7: growth, 8: disk, 9: prediction, 10: landmarks, 11: cross_validation, 12: two_threads}

FOOT = """\
CPU and wall seconds are medians; ratios are of CPU seconds, those with a w of wall seconds. Training alone,
without reading, in targets 1 to 5, 7, 10 and 12; -s 2 and -s 3 are LIBLINEAR's solvers, without reading. R vs
ref.: relative difference to R of the kernel solver, where that can be run."""


def add_options(parser):
    parser.add_argument("--reference-seconds", type=int, default=600,
                        help="for R of the kernel solver, which is left out if it takes longer")
    parser.add_argument("--exact-seconds", type=int, default=3600,
                        help="for the exact kernel of target 10, which is then stopped")
    parser.add_argument("--disk-gb", type=float, default=40, help="size of the rows of target 8; default: 40")
    parser.add_argument("--memory-gb", type=float, default=4, help="limit of memory there; default: 4")


if __name__ == "__main__":
    suite.main(suite.Suite(
        name="linear", description=__doc__.split("\n\n")[1], targets=TARGETS, titles=TITLES,
        bench=Bench, page=HERE.parent / "docs" / "performance.md", foot=FOOT, add_options=add_options,
        packages=("liblinear-tools",),
        needed={"liblinear-train": "liblinear-tools", "liblinear-predict": "liblinear-tools",
                SOLVE: "./dev bench", GENERATE: "./dev bench"}))
