#!/usr/bin/env python3
"""Installs the build, builds the README's C++ example against the installation alone, and runs it.

usage: check_consumer.py CMAKE BUILD_FOLDER CXX_COMPILER
"""

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
        risk = float(run(work / "app", cwd=work))
        if not 0 < risk < 0.5:
            sys.exit(f"the example prints a risk of {risk}")
        run(rampart, "predict", "model.json", "train.csv", cwd=work)


if __name__ == "__main__":
    main(*sys.argv[1:])
