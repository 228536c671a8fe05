#!/usr/bin/env python3
"""The shared library exports exactly the functions that include/rampart/c.h declares.

usage: check_symbols.py LIBRARY
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "docs"))
from project import ROOT, report  # noqa: E402


def declared():
    header = (ROOT / "include/rampart/c.h").read_text(encoding="utf-8")
    return set(re.findall(r"RAMPART_EXPORT[\w\s*]*?\b(rampart_\w+)\(", header))


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


if __name__ == "__main__":
    wanted, found = declared(), exported(sys.argv[1])
    report([f"not exported: {name}" for name in sorted(wanted - found)]
           + [f"exported, but not in c.h: {name}" for name in sorted(found - wanted)]
           + ([] if len(wanted) > 30 else ["c.h declares too little to be true"]))
