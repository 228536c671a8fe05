#!/usr/bin/env python3
"""The Python package beside scikit-learn's SVC in the same process, and its peak memory.

  bench/run python                 the speed of fit, predict and one row
  bench/run python --memory        also trains linearly on 2 GB: float64, float32, CSR
"""

import argparse
import statistics
import subprocess
import sys
import textwrap
import time
from functools import partial

import numpy as np


def medians_of(runs, *works):
    """The median time of each, run by turns, so that a noisy minute hits all."""
    times = [[] for _ in works]
    for _ in range(runs):
        for work, taken in zip(works, times):
            begin = time.perf_counter()
            work()
            taken.append(time.perf_counter() - begin)
    return [statistics.median(taken) for taken in times]


def speed(runs):
    from sklearn.svm import SVC

    from rampart import RejectOptionClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 20))
    y = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=5000) > 1
    new = rng.normal(size=(10_000, 20))
    ours, svc = RejectOptionClassifier(), SVC()
    print(f"{'':34}{'rampart':>10}{'SVC':>10}{'ratio':>8}")
    rows = [
        ("fit, 5000 x 20", lambda m: m.fit(X, y), runs),
        ("predict, 10 000 rows", lambda m: m.predict(new), runs),
        ("decision_function, one row", lambda m: m.decision_function(new[:1]), 200 * runs),
    ]
    for name, work, count in rows:
        work(ours), work(svc)
        a, b = medians_of(count, partial(work, ours), partial(work, svc))
        print(f"{name:34}{1e3 * a:>8.3f}ms{1e3 * b:>8.3f}ms{a / b:>8.3f}")
    linear = RejectOptionClassifier(kernel="linear").fit(X, y)
    row = new[:1]
    (overhead,) = medians_of(1000 * runs, lambda: linear.decision_function(row))
    print(f"call overhead of decision_function (linear, one row): {1e6 * overhead:.1f} us")


MEMORY = """
    import resource, sys, time
    import numpy as np
    from rampart import RejectOptionClassifier
    kind = sys.argv[1]
    rng = np.random.default_rng(0)
    gigabytes = float(sys.argv[2])
    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    bare = peak()
    if kind == "csr":
        from scipy import sparse
        columns, stored = 1000, 20
        rows = int(gigabytes * 1e9 / (12 * stored))
        indices = np.empty((rows, stored), np.int32)
        indices[:] = np.arange(0, columns, columns // stored)
        indices += np.int32(7)
        values = np.empty(rows * stored)
        for k in range(0, len(values), 1 << 22):
            values[k : k + (1 << 22)] = rng.random(len(values[k : k + (1 << 22)]))
        starts = np.arange(0, rows * stored + 1, stored, dtype=np.int32)
        X = sparse.csr_matrix((values, indices.ravel(), starts), shape=(rows, columns), copy=False)
        X.has_canonical_format = True
        size = values.nbytes + indices.nbytes + starts.nbytes
        score = values[::stored]
    else:
        dtype = np.dtype(kind)
        columns = 20
        rows = int(gigabytes * 1e9 / (columns * dtype.itemsize))
        X = np.empty((rows, columns), dtype)
        for k in range(0, rows, 1 << 18):
            X[k : k + (1 << 18)] = rng.random((len(X[k : k + (1 << 18)]), columns))
        size = X.nbytes
        score = X[:, 0]
    y = np.empty(rows, np.int8)
    for k in range(0, rows, 1 << 20):
        part = score[k : k + (1 << 20)]
        y[k : k + (1 << 20)] = part + rng.random(len(part)) > 1
    before = peak()
    begin = time.perf_counter()
    model = RejectOptionClassifier(kernel="linear", n_jobs=-1).fit(X, y)
    took = time.perf_counter() - begin
    print(f"{kind}: {rows} rows, {size / 1e9:.2f} GB, beside {bare / 1e9:.2f} GB of the interpreter; "
          f"before fit {before / size:.3f}, peak {peak() / size:.3f} of its size; "
          f"{took:.1f} s, {model.n_iter_} rounds")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--gigabytes", type=float, default=2.0)
    options = parser.parse_args()
    speed(options.runs)
    for kind in ("float64", "float32", "csr") if options.memory else ():
        subprocess.run([sys.executable, "-c", textwrap.dedent(MEMORY), kind,
                        str(options.gigabytes)], check=True)


if __name__ == "__main__":
    main()
