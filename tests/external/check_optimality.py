#!/usr/bin/env python3
"""Is a model as good as it says? Recomputed from the model file and the data alone.

For every case R(Θ), the flat sets β of the model's own Θ [eq:sets], the convex problem that they
define [eq:upbound], and its optimum by cvxopt, an interior-point solver that shares nothing with
Rampart's. What must hold:

  reported R = recomputed R        to 1e-6; to 1e-9 with -e 1e-7 or --precision double
  (R − optimum)/R                  at most 1e-3; at most 1e-6 with -e 1e-7
  the reported gap                 is no smaller than the true one
  R in the history                 falls with every round
  the coefficients                 are those of the paper's table of γ [table:behav_gamma]

Real data are below the folder named by RAMPART_DATA. RAMPART_SLOW=1 runs every case.
"""

import hashlib
import itertools
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from outside import (RAMPART, SKIPPED, SLOW, Failures, kernel_matrix, np, objective, read_csv,
                     read_libsvm, real_data, run, scaled, scaling_of, score, signs,
                     support_vectors, train)

try:
    from cvxopt import lapack, matrix, solvers
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

COSTS = (0.05, 0.1, 0.2, 0.3, 0.45)


# ------------------------------------------------------------------ the convex problem


@dataclass
class Ramps:
    """One ramp per row: cap·([margin − s]₊ − [floor − s]₊), s = y(u + b) + side·ρ."""

    margin: float
    side: int  # −1, +1; 0 where ρ is not learnt
    cap: np.ndarray
    floor: float = -np.inf


def ramps_of(model, y, row_weights):
    """The loss as ramps: the paper's two [eq:Rwbrho1], or hinges, which are ramps without floor."""
    C, mu, costs = model["C"], model["mu"], model["costs"]
    d = costs["reject_positive"]
    if model["loss"] == "hinge":
        parts = [(1, C)]
    elif model["loss"] == "generalized-hinge":
        parts = [(1, C), (0, C * (1 - 2 * d) / d)]
    elif model["loss"] == "double-hinge":
        h = -d * np.log(d) - (1 - d) * np.log(1 - d)
        parts = [(h / d, C * d), (0, C * (1 - 2 * d))]
    else:
        declined = np.where(y > 0, costs["reject_positive"], costs["reject_negative"])
        wrong = np.where(y > 0, costs["false_negative"], costs["false_positive"])
        return [Ramps(mu, -1, C / mu * row_weights * declined, -mu**2),
                Ramps(mu, +1, C / mu * row_weights * (wrong - declined), -mu**2)]
    return [Ramps(margin, 0, cap * row_weights) for margin, cap in parts]


@dataclass
class ConvexProblem:
    """minimise ½‖w‖² + Σ (cap·[margin − s]₊ + β·(s − floor)) over w, b and, for ramps, ρ.

    Its dual [eq:dual] with the constants: for γ in [−β, cap − β], Σ y(γ′+γ″) = 0 and
    Σ(γ″−γ′) = 0, maximise −½ gᵀQg + Σ margin·γ + Σ β(margin − floor), where g = γ′+γ″ and
    Q = y yᵀ∘K. Each of its values at a feasible γ is a lower bound of the optimum.
    """

    K: np.ndarray
    y: np.ndarray
    ramps: list
    beta: list  # one array per ramp

    def primal(self, u, half_norm, b, rho):
        value = half_norm
        for ramp, beta in zip(self.ramps, self.beta):
            s = self.y * (u + b) + ramp.side * rho
            value += (ramp.cap * np.maximum(0, ramp.margin - s)).sum()
            flat = beta > 0
            value += (beta[flat] * (s[flat] - ramp.floor)).sum()
        return value

    def dual(self, gamma):
        v = self.y * sum(gamma)
        value = -(v @ self.K @ v) / 2
        for ramp, beta, of_ramp in zip(self.ramps, self.beta, gamma):
            flat = beta > 0
            value += ramp.margin * of_ramp.sum() + (beta[flat] * (ramp.margin - ramp.floor)).sum()
        return value

    def box(self):
        low = np.concatenate([-beta for beta in self.beta])
        return low, low + np.concatenate([ramp.cap for ramp in self.ramps])

    def surfaces(self):
        """The equality constraints, as rows over the γ of all ramps in turn.

        Not the paper's two but half their sum and half their difference, which share no variable:
        one for the surface f = −ρ, whose multiplier is b + ρ, and one for f = +ρ with b − ρ.
        """
        y = np.concatenate([self.y for _ in self.ramps])
        side = np.concatenate([np.full(len(self.y), ramp.side) for ramp in self.ramps])
        return np.array([(y + side) / 2, (y - side) / 2] if side.any() else [y])

    def feasible(self, gamma):
        """Clipped into the box; the sums brought back to 0 by the variables with room."""
        low, high = self.box()
        rows = self.surfaces()
        gamma = np.clip(gamma, low, high)
        for _ in range(4):  # once would do but for rounding
            for row in rows:
                excess = row @ gamma
                room = np.where(row * excess > 0, gamma - low, high - gamma) * np.abs(row)
                share = min(1, abs(excess) / max(room.sum(), 1e-300))
                gamma = np.clip(gamma - np.sign(excess) * row * room * share, low, high)
        assert np.abs(rows @ gamma).max() <= 1e-12 * (1 + np.abs(gamma).sum())
        return np.split(gamma, len(self.ramps))

    def best_band(self, u, offsets):
        """b and ρ from the offsets of the surfaces, where unknown (NaN) the best for this u.

        An offset is unknown if nothing holds its surface: then the value is constant beyond the
        last of its kinks, on one side.
        """
        def band(offsets):
            return ((offsets[0] + offsets[1]) / 2, (offsets[0] - offsets[1]) / 2) \
                if len(offsets) > 1 else (offsets[0], 0.0)

        kinks = [self.y * ramp.margin - u for ramp in self.ramps]
        ends = (np.min(kinks) - 1, np.max(kinks) + 1)
        choices = itertools.product(*(ends if np.isnan(tau) else (tau,) for tau in offsets))
        return min((band(choice) for choice in choices), key=lambda at: self.primal(u, 0, *at))


def solve_once(problem, known={}):
    """solve(), or what it said of the very same problem before: flat sets come again."""
    numbers = [problem.K, problem.y, *problem.beta]
    for ramp in problem.ramps:
        numbers += [np.array([ramp.margin, ramp.side, ramp.floor]), ramp.cap]
    digest = hashlib.sha256(b"".join(array.tobytes() for array in numbers)).hexdigest()
    if digest not in known:
        known[digest] = solve(problem)
    return known[digest]


def solve(problem):
    """cvxopt's optimum of the dual: (a feasible γ, b, ρ)."""
    low, high = problem.box()
    surfaces = problem.surfaces()
    # An interior-point method needs an interior. Where the boxes of a surface allow its sum to be 0
    # at their very ends only, its variables stay there, which is at 0.
    most = np.maximum(surfaces * low, surfaces * high).sum(axis=1)
    least = np.minimum(surfaces * low, surfaces * high).sum(axis=1)
    held = (most > 0) & (least < 0)
    offsets = np.full(len(surfaces), np.nan)
    gamma = np.zeros_like(low)
    free = np.any(surfaces[held] != 0, axis=0)
    if free.any():
        gamma[free], offsets[held] = solve_free(problem, free, surfaces[held])
    gamma = problem.feasible(gamma)
    return gamma, *problem.best_band(problem.K @ (problem.y * sum(gamma)), offsets)


def solve_free(problem, free, surfaces):
    """The free variables and the multipliers of the sums; all other variables are 0.

    Its Newton systems (E Q Eᵀ + D) γ + Aᵀτ = r, with E the repetition of the rows for every ramp
    and D diagonal, are solved through one for g = γ′+γ″: what γ′ and γ″ share out for a given g
    has a closed form.
    """
    y, layers = problem.y, len(problem.ramps)
    size = len(y)
    seen = free.reshape(layers, size).any(axis=0)
    Q = np.where(seen[:, None] & seen, y[:, None] * problem.K * y, 0)
    low, high = (end[free] for end in problem.box())
    sums = surfaces[:, free]
    margins = np.concatenate([np.full(size, float(ramp.margin)) for ramp in problem.ramps])[free]

    def array(column):
        return np.array(column).ravel()

    def by_ramp(values):
        """As [ramp, row], with 0 for variables that are not free."""
        table = np.zeros(layers * size)
        table[free] = values
        return table.reshape(layers, size)

    def by_variable(table):
        return np.broadcast_to(table, (layers, size)).ravel()[free]

    def quadratic(x, out, alpha=1.0, beta=0.0):
        product = by_variable(Q @ by_ramp(array(x)).sum(axis=0))
        out[:] = matrix(alpha * product) + beta * out

    def inequalities(x, out, alpha=1.0, beta=0.0, trans="N"):
        x = array(x)
        product = np.concatenate([x, -x]) if trans == "N" else x[: len(low)] - x[len(low):]
        out[:] = matrix(alpha * product) + beta * out

    def equalities(x, out, alpha=1.0, beta=0.0, trans="N"):
        product = sums @ array(x) if trans == "N" else sums.T @ array(x)
        out[:] = matrix(alpha * product) + beta * out

    def newton(scaling):
        d = array(scaling["d"])
        inverse = by_ramp(1 / (1 / d**2).reshape(2, -1).sum(axis=0))  # of D
        together = np.where(seen, inverse.sum(axis=0), 1)
        share = inverse / together  # of g, where r is the same for all ramps
        factor = matrix(Q + np.diag(1 / together))
        lapack.potrf(factor)

        def without_sums(right):
            """(E Q Eᵀ + D)⁻¹ right."""
            right = by_ramp(right)
            g = matrix((share * right).sum(axis=0))
            lapack.potrs(factor, g)
            apart = sum(share[r] * (right - right[r]) for r in range(layers))
            return by_variable(share * array(g) + apart * inverse)

        answers = np.array([without_sums(row) for row in sums])
        between = sums @ answers.T
        if np.linalg.cond(between) > 1e14:
            raise ArithmeticError  # nothing more to gain: cvxopt ends with the point it has

        def apply(x, multipliers, z):
            bx, by, bz = array(x), array(multipliers), array(z)
            weighted = bz / d**2
            particular = without_sums(bx + weighted[: len(low)] - weighted[len(low):])
            tau = np.linalg.solve(between, sums @ particular - by)
            solution = particular - tau @ answers
            x[:] = matrix(solution)
            multipliers[:] = matrix(tau)
            z[:] = matrix((np.concatenate([solution, -solution]) - bz) / d)

        return apply

    solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11,
                           maxiters=60, refinement=2)
    answer = solvers.coneqp(quadratic, matrix(-margins), inequalities,
                            matrix(np.concatenate([high, -low])), None, equalities,
                            matrix(0.0, (len(sums), 1)), kktsolver=newton)
    return array(answer["x"]), array(answer["y"])


# ------------------------------------------------------------------ what must hold


@dataclass
class Case:
    name: str
    path: Path
    options: list
    tolerance: float = 1e-3
    same: float = 1e-6  # relative difference of reported and recomputed R
    class_weights: dict = field(default_factory=dict)  # by label
    weight_column: str = None  # of a CSV file


@dataclass
class Figures:
    """The worst of a data set."""

    cases: int = 0
    same: float = 0
    gap: dict = field(default_factory=dict)  # by tolerance
    sharp: float = 0  # the check's own: cvxopt's primal less its dual
    seconds: float = 0


def check_table(case, model, problem, t, x, failures):
    """The coefficients of a kernel model against the paper's table of γ [table:behav_gamma].

    Of a ramp, with s = t ∓ ρ:  γ = 0 for s > margin and for s < floor, cap between, and anything
    from 0 to cap at s = margin. Training places rows to its tolerance, so rows that near to a kink
    may have either. Equal rows are taken together: the model cannot tell them apart.

    Returns how many rows the table leaves no choice.
    """
    low, high = np.zeros_like(t), np.zeros_like(t)
    slack = case.tolerance
    for ramp in problem.ramps:
        s = t + ramp.side * model["rho"]
        low += np.where((s < ramp.margin - slack) & (s > ramp.floor + slack), ramp.cap, 0)
        high += np.where((s <= ramp.margin + slack) & (s >= ramp.floor - slack), ramp.cap, 0)
    ends = np.sort([problem.y * low, problem.y * high], axis=0)

    def by_vector(vectors):
        return [row.tobytes() for row in vectors + 0.0]  # + 0.0: no negative zeros

    groups = {}
    for n, key in enumerate(by_vector(x)):
        groups.setdefault(key, []).append(n)
    found = {}
    for key, v in zip(by_vector(support_vectors(model)), model["coefficients"]):
        failures.require(v != 0, case.name, "a coefficient is 0")
        found[key] = found.get(key, 0) + v
    strangers = len(set(found) - set(groups))
    failures.require(strangers == 0, case.name, f"{strangers} support vectors are no training rows")
    for key, rows in groups.items():
        least, most = ends[:, rows].sum(axis=1)
        error = 1e-12 * high[rows].sum()
        v = found.get(key, 0)
        nothing = not high[rows].any() and key in found
        if nothing or not least - error <= v <= most + error:
            failures.require(False, case.name, f"rows {rows} with t = {t[rows]} have the"
                             f" coefficient {v}, outside [{least}, {most}]")
    return int((low == high).sum())


def check_features(case, model, raw, x, counts, failures):
    """The scaling and gamma that the model holds are those of the data."""
    kind = model["scaling"]["type"]
    if kind != "none":
        offset, factor = scaling_of(kind, raw, counts)
        near = (np.allclose(model["scaling"]["offset"], offset, rtol=1e-12, atol=1e-12)
                and np.allclose(model["scaling"]["factor"], factor, rtol=1e-10, atol=0))
        failures.require(near, case.name, "the scaling is not that of the data")
    if model["kernel"]["type"] == "rbf" and "-g" not in case.options:
        squares = (x - np.average(x, weights=np.broadcast_to(counts[:, None], x.shape))) ** 2
        variance = np.average(squares, weights=np.broadcast_to(counts[:, None], x.shape))
        scale = 1 / (x.shape[1] * variance)
        failures.require(np.isclose(model["kernel"]["gamma"], scale, rtol=1e-10), case.name,
                         f"gamma is {model['kernel']['gamma']}, not {scale}")


def check_report(case, report, model, failures):
    def same(key, value):
        failures.require(report[key] == value, case.name,
                         f"train reports {key} {report[key]}, the model has {value}")

    same("b", model["b"])
    same("rho", model["rho"])
    for key in ("objective", "gap", "rounds", "status"):
        same(key, model["training"][key])
    if "coefficients" in model:
        same("support_vectors", len(model["coefficients"]))
    failures.require(report["status"] == "converged", case.name, f"status {report['status']}")
    failures.require(report["rounds"] == len(report["history"]), case.name,
                     "as many rounds as entries in the history")
    failures.require(report["history"][-1]["objective"] == report["objective"], case.name,
                     "the history ends with the model's R")
    values = [entry["objective"] for entry in report["history"]]
    for before, after in zip(values, values[1:]):
        failures.require(after <= before, case.name, f"R rises from {before!r} to {after!r}")


def check_threshold(case, model, failures):
    """The band of the losses that do not learn it."""
    d = model["costs"]["reject_positive"]
    known = {"hinge": 0, "generalized-hinge": 0.5, "double-hinge": np.log((1 - d) / d)}
    rho = known.get(model["loss"], model["rho"])
    failures.require(np.isclose(model["rho"], rho, rtol=1e-12), case.name,
                     f"rho is {model['rho']}, not {rho}")


def check(case, folder, figures, failures):
    started = time.monotonic()
    options = [*case.options, "-e", f"{case.tolerance:g}"]
    if case.weight_column:
        options += ["--weight", case.weight_column]
    for label, weight in case.class_weights.items():
        options += ["--class-weight", f"{label}={weight}"]
    report, model = train(case.path, folder / "model.json", *options)

    row_weights = 1.0
    if case.path.suffix == ".csv":
        raw, labels, columns = read_csv(case.path, "label", ignore=[case.weight_column])
        row_weights = columns.get(case.weight_column, 1.0)
    else:
        raw, labels = read_libsvm(case.path)
    counts = np.ones(len(labels)) * row_weights  # of each row, without the weight of its class
    row_weights = counts.copy()
    for label, weight in case.class_weights.items():
        row_weights[labels == float(label)] *= weight
    y = signs(model, labels)
    x = scaled(model, raw)
    f, half_norm = score(model, x)
    t = y * f
    R = objective(model, y, f, half_norm, row_weights)

    ramps = ramps_of(model, y, row_weights)
    beta = [np.where(t + ramp.side * model["rho"] < ramp.floor, ramp.cap, 0) for ramp in ramps]
    problem = ConvexProblem(kernel_matrix(model["kernel"], x, x), y, ramps, beta)
    gamma, b, rho = solve_once(problem)
    bound = problem.dual(gamma)
    v = y * sum(gamma)
    u = problem.K @ v
    sharp = (problem.primal(u, v @ u / 2, b, rho) - bound) / R
    gap = (R - bound) / R
    difference = abs(report["objective"] - R) / R
    most = 1e-6 if case.tolerance <= 1e-7 else 1e-3

    # Of this script itself: ub touches R at Θ, and the bound is the optimum.
    at_model = problem.primal(f - model["b"], half_norm, model["b"], model["rho"])
    failures.require(abs(at_model - R) <= 1e-12 * R, case.name, f"R = {R!r}, but ub = {at_model!r}")
    failures.require(-1e-13 <= sharp <= 1e-9, case.name, f"cvxopt leaves a gap of {sharp:.1e}")

    failures.require(model["training"]["rows"] == len(y), case.name, "the number of rows")
    failures.require(difference <= case.same, case.name,
                     f"reported R {report['objective']!r}, recomputed {R!r}")
    failures.require(gap <= most, case.name, f"gap {gap:.2e} above {most:g}")
    failures.require(gap <= report["gap"] + 1e-9, case.name,
                     f"gap {gap:.3e} above the reported {report['gap']:.3e}")
    failures.require(report["gap"] <= most, case.name, f"reported gap {report['gap']:.2e}")
    check_report(case, report, model, failures)
    check_threshold(case, model, failures)
    check_features(case, model, raw, x, counts, failures)
    decided = "-"
    if "coefficients" in model:
        decided = f"{check_table(case, model, problem, t, x, failures)}/{len(y)}"

    seconds = time.monotonic() - started
    flat = sum(int((of_ramp > 0).sum()) for of_ramp in beta)
    print(f"{case.name:58} R {R:13.7f} same {difference:.0e} gap {gap:8.1e} reported "
          f"{report['gap']:8.1e} sharp {sharp:8.1e} rounds {report['rounds']:2} flat {flat:3} "
          f"table {decided:>9} {seconds:5.2f} s", flush=True)
    figures.cases += 1
    figures.same = max(figures.same, difference)
    figures.gap[case.tolerance] = max(figures.gap.get(case.tolerance, 0), gap)
    figures.sharp = max(figures.sharp, sharp)
    figures.seconds += seconds


# ------------------------------------------------------------------ cases


def generate(folder):
    """The paper's artificial sets, and one with a column of row weights."""
    sets = {"synthetic1": folder / "synthetic1.svm", "synthetic2": folder / "synthetic2.csv"}
    for name, path in sets.items():
        run(RAMPART, "generate", name, "-o", path, "--quiet")
    weighted = folder / "weighted.csv"
    header, *lines = sets["synthetic2"].read_text(encoding="utf-8").splitlines()
    heavier = [f"{line},{(0.25, 1, 2.5)[n % 3]}" for n, line in enumerate(lines)]
    weighted.write_text("\n".join([f"{header},weight", *heavier]) + "\n", encoding="utf-8")
    return {**sets, "weighted": weighted}


def cases_of(name, path, options):
    """Every d, at two tolerances, and once in each precision."""
    for d in COSTS:
        at = [*options, "--d", d]
        yield Case(f"{name} d={d}", path, at)
        yield Case(f"{name} d={d} -e 1e-7", path, at, tolerance=1e-7, same=1e-9)
    for precision, same in (("single", 1e-6), ("double", 1e-9)):
        yield Case(f"{name} d=0.2 {precision}", path,
                   [*options, "--d", 0.2, "--precision", precision], same=same)


def variations(name, path, options):
    """What the paper's own experiments leave out."""
    def both(title, more, path=path, **rest):
        yield Case(f"{name} {title}", path, [*options, *more], **rest)
        yield Case(f"{name} {title} -e 1e-7", path, [*options, *more], tolerance=1e-7, same=1e-9,
                   **rest)

    for d in (0.1, 0.3):
        yield from both(f"mu=0.5 d={d}", ["--mu", 0.5, "--d", d])
        for loss in ("double-hinge", "generalized-hinge"):
            yield from both(f"{loss} d={d}", ["--loss", loss, "--d", d])
    yield from both("hinge", ["--loss", "hinge", "--band-folds", "0"])
    yield from both("mu=0.1", ["--mu", 0.1])
    yield from both("costs 1,3,0.2,0.4", ["--costs", "1,3,0.2,0.4"])
    yield from both("costs 5,1,0.1,0.5 mu=0.5", ["--costs", "5,1,0.1,0.5", "--mu", 0.5])
    yield from both("class weight", [], class_weights={"1": 3, "-1": 0.5})
    yield from both("class weight double-hinge", ["--loss", "double-hinge"],
                    class_weights={"1": 3, "-1": 0.5})


def all_cases(folder):
    made = generate(folder)
    real = {name: real_data(name) for name in ("ionosphere", "parkinsons", "heart", "german")}
    linear = ["--kernel", "linear"]
    as_kernel = ["--kernel", "polynomial", "--degree", 1, "-g", 1]  # linear, but with coefficients
    standard = ["--scale", "standard"]
    parkinsons = ["--scale", "minmax", "-c", 32]
    yield from cases_of("synthetic1", made["synthetic1"], [*linear, "-c", 2])
    yield from cases_of("synthetic1 as kernel", made["synthetic1"], [*as_kernel, "-c", 2])
    yield from cases_of("synthetic2", made["synthetic2"], ["-g", 0.25, "-c", 64])
    yield from variations("synthetic2", made["synthetic2"], ["-g", 0.25, "-c", 64])
    for tolerance, same in ((1e-3, 1e-6), (1e-7, 1e-9)):
        yield Case(f"synthetic2 row weights -e {tolerance:g}", made["weighted"],
                   ["-g", 0.25, "-c", 4, "--label", "label"], tolerance=tolerance, same=same,
                   weight_column="weight")
    if real["ionosphere"]:
        yield from cases_of("ionosphere", real["ionosphere"], ["-g", 0.125, "-c", 2])
    if real["parkinsons"]:
        yield from cases_of("parkinsons", real["parkinsons"], [*linear, *parkinsons])
        yield from cases_of("parkinsons as kernel", real["parkinsons"], [*as_kernel, *parkinsons])
    if real["heart"]:
        yield from cases_of("heart", real["heart"], standard)
        yield from variations("heart", real["heart"], standard)
    if real["german"]:
        yield from cases_of("german", real["german"], standard)
        if SLOW:
            yield from variations("german", real["german"], standard)
    for name, path in real.items():
        if path is None:
            print(f"skipped: {name} (no RAMPART_DATA, or not there)")


def main():
    failures, table = Failures(), {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in all_cases(folder):
            figures = table.setdefault(case.name.split()[0], Figures())
            check(case, folder, figures, failures)
    print(f"\n{'worst of':12} cases  R differs  gap 1e-3  gap 1e-7  cvxopt's  seconds")
    for name, worst in table.items():
        print(f"{name:12} {worst.cases:5}  {worst.same:9.1e}  {worst.gap[1e-3]:8.1e}  "
              f"{worst.gap[1e-7]:8.1e}  {worst.sharp:8.1e}  {worst.seconds:7.1f}")
    print(f"{failures.count} failures")
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
