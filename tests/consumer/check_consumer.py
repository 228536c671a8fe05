#!/usr/bin/env python3
"""Installs the build; builds the README's C++ example and those of examples/ against the installation
alone, and runs them. What links rampart::predict must need no library but the system's own.

usage: check_consumer.py CMAKE BUILD_FOLDER CXX_COMPILER
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs"))
from project import ROOT, blocks  # noqa: E402


def run(*words, **options):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def only_block(readme, language):
    found = blocks(readme, language)
    if len(found) != 1:
        sys.exit(f"README.md: {len(found)} blocks of {language}, expected one")
    return found[0][1]


# What a program that links rampart::predict may load; besides, the kernel's and the loader.
OF_THE_SYSTEM = {"libstdc++", "libm", "libgcc_s", "libc"}


def libraries_of(program):
    """The shared libraries that a program loads, without their versions."""
    lines = run("ldd", program).splitlines()
    names = {Path(line.split()[0]).name.split(".so")[0] for line in lines}
    return {name for name in names if not name.startswith(("linux-vdso", "ld-linux"))}


def scores_of(program, model, rows):
    """The answers of predict_in_a_loop: pairs of a label and a score."""
    text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    return [line.split() for line in run(program, model, input=text).splitlines()]


def check_examples(cmake, prefix, compiler, folder):
    work = folder / "examples"
    run(cmake, "-S", ROOT / "examples", "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}")
    run(cmake, "--build", work)
    model = work / "model.json"
    told = run(work / "train_and_save", model)
    if "converged" not in told:
        sys.exit(f"train_and_save says: {told}")

    rows = [(-3, 0), (0, 0), (3, 0)]
    answers = [label for label, _ in scores_of(work / "predict_in_a_loop", model, rows)]
    if answers != ["-1", "reject", "1"]:
        sys.exit(f"predict_in_a_loop answers {answers}")

    for rounds, status in (("1", "cancelled"), ("100", "converged")):
        told = run(work / "progress_and_cancel", rounds)
        if not told.startswith("round 1,") or status not in told:
            sys.exit(f"progress_and_cancel {rounds} says: {told}")

    alone = folder / "predict_only"
    run(cmake, "-S", HERE / "predict_only", "-B", alone, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DEXAMPLES={ROOT / 'examples'}")
    run(cmake, "--build", alone)
    for program in (alone / "predict_in_a_loop", work / "predict_in_a_loop"):
        others = libraries_of(program) - OF_THE_SYSTEM
        if others:
            sys.exit(f"rampart::predict needs {', '.join(sorted(others))}")
    if (scores_of(alone / "predict_in_a_loop", model, rows)
            != scores_of(work / "predict_in_a_loop", model, rows)):
        sys.exit("predict_in_a_loop answers otherwise when it is built alone")


def main(cmake, build, compiler):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        prefix, project, work = (Path(folder, name) for name in ("prefix", "project", "work"))
        run(cmake, "--install", build, "--prefix", prefix)
        shutil.copytree(HERE / "project", project)
        (project / "main.cpp").write_text(only_block(readme, "cpp"), encoding="utf-8")
        (project / "readme.cmake").write_text(only_block(readme, "cmake"), encoding="utf-8")
        run(cmake, "-S", project, "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}")
        run(cmake, "--build", work)

        rampart = prefix / "bin" / "rampart"
        run(rampart, "generate", "synthetic1", "-n", "300", "--seed", "1", "-o", "train.csv", cwd=work)
        printed = run(work / "app", cwd=work)
        found = re.fullmatch(r"rejects \|f\| <= (\S+)\n(\d+) rejected, risk (\S+)\n", printed)
        if not found:
            sys.exit(f"the example prints {printed}")
        rho, rejected, risk = float(found[1]), int(found[2]), float(found[3])
        if not (rho > 0 and 0 < risk < 0.5):
            sys.exit(f"the example prints a half width of {rho} and a risk of {risk}")
        answers = run(rampart, "predict", "model.json", "train.csv", cwd=work).splitlines()
        if sum(answer.split(",")[1] == "reject" for answer in answers) != rejected:
            sys.exit(f"the example rejects {rejected} rows, the command does not")
        check_examples(cmake, prefix, compiler, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
