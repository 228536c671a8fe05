#!/usr/bin/env python3
"""Every ```sh block of the README runs, in a fresh folder, with the command on PATH.

Lines that call ./dev are not run (they would run these tests again): their verbs must exist.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from project import ROOT, blocks, report


def verbs(root):
    listing = subprocess.run([root / "dev", "help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^ {2}([a-z]+)\b", listing.stdout, re.MULTILINE))


def complaints(readme, known_verbs, tool):
    found = []
    scripts = blocks(readme, "sh")
    if not scripts:
        found.append("README.md: no sh block")
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(folder, "bin")
        work = Path(folder, "work")
        programs.mkdir()
        work.mkdir()
        (programs / "rampart").symlink_to(tool)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for line, script in scripts:
            kept = []
            for offset, text in enumerate(script.splitlines()):
                call = re.match(r"\./dev\s+(\S+)", text)
                if call is None:
                    kept.append(text)
                elif call.group(1) not in known_verbs:
                    found.append(f"README.md:{line + offset}: ./dev has no verb {call.group(1)}")
            run = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(kept)], cwd=work,
                                 env=environment, capture_output=True, text=True, check=False)
            if run.returncode != 0:
                found.append(f"README.md:{line}: exit code {run.returncode}\n"
                             f"{script}{run.stdout}{run.stderr}")
    return found


if __name__ == "__main__":
    report(complaints((ROOT / "README.md").read_text(encoding="utf-8"), verbs(ROOT),
                      Path(os.environ["RAMPART"]).resolve()))
