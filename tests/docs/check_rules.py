#!/usr/bin/env python3
"""The library is silent and reproducible: what src/ and include/ must not use, and why."""

import re

from project import CODE, ROOT, files, line_of, report

RULES = [
    (r"\bstd::c(out|err|log)\b|#\s*include\s*<iostream>|\b(f?printf|f?puts|putchar)\s*\(",
     "the library never prints"),
    (r"\b(std::|::)?(exit|_exit|quick_exit|abort)\s*\(", "the library never ends the process"),
    (r"\b(secure_)?getenv\s*\(", "the library never reads the environment"),
    (r"\bsetlocale\s*\(|\bstd::(stod|stof|stold|strtod|strtof|atof)\b",
     "numbers do not depend on the locale"),
    (r"\bstd::(shuffle|sample|random_device|(\w+_)distribution)\b|\b(srand|rand)\s*\(",
     "random numbers are the same with every standard library (Boost.Random)"),
    # (a steady clock may pace an observer)
    (r"\b(system|high_resolution)_clock\b|\bstd::time\s*\(", "no clock in any result"),
    (r'"(?:[^"\\\n]|\\.)*(?<![\w-])--[a-z](?:[^"\\\n]|\\.)*"',
     "messages of the library name no option of the command: Setting tells which one is meant"),
    (r"\bshared_ptr\b", "values and unique ownership, no shared_ptr"),
]
MAY = {
    # path: the rules it is free of, by their text
    "src/util/assert.hpp": {"the library never ends the process", "the library never prints"},
}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def complaints(root):
    found = []
    for path in files(root, ["include", "src"], CODE):
        inside = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
        for pattern, why in RULES:
            if why in MAY.get(inside, ()):
                continue
            for use in re.finditer(pattern, code):
                found.append(f"{inside}:{line_of(code, use.start())}: {use.group().strip()}: {why}")
    return found


if __name__ == "__main__":
    report(complaints(ROOT))
