"""How long does the whole double ramp training take, all rounds, against one C-SVC of svm-train?

Both read the same file and write a model, one thread each, taking turns; CPU seconds, medians.
The result counts only if training converged with a certified gap of at most 1e-3.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import data

REPEATS = 5
SETTINGS = ["-c", "2", "-g", "0.125"]


def cpu_seconds(command):
    """CPU seconds of one run, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), output


def main():
    rampart = os.environ["RAMPART"]
    print(f"{'rows':>6} {'p':>4} {'d':>5} {'rampart s':>10} {'svm-train s':>12} {'ratio':>7}"
          f" {'rounds':>7} {'R':>12} {'gap':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for rows, features in ((1000, 20), (5000, 20), (5000, 100)):
            path = os.path.join(folder, "train.svm")
            model = os.path.join(folder, "model")
            data.write_libsvm(path, data.dense(rows, features, seed=7))
            for d in ("0.2", "0.4"):
                ours, theirs = [], []
                for _ in range(REPEATS):
                    seconds, output = cpu_seconds(
                        [rampart, "train", path, "-o", model, *SETTINGS, "--reject-cost", d,
                         "--threads", "1", "--json"])
                    ours.append(seconds)
                    theirs.append(cpu_seconds(["svm-train", "-q", *SETTINGS, path, model])[0])
                report = json.loads(output)
                if report["status"] != "converged" or report["gap"] > 1e-3:
                    sys.exit(f"not converged: {report['status']}, gap {report['gap']}")
                one, other = statistics.median(ours), statistics.median(theirs)
                print(f"{rows:>6} {features:>4} {d:>5} {one:>10.3f} {other:>12.3f}"
                      f" {one / other:>7.2f} {report['rounds']:>7} {report['objective']:>12.6g}"
                      f" {report['gap']:>8.1e}")


if __name__ == "__main__":
    main()
