"""What the checks of this folder share: the project's files, and its Markdown."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = (".cpp", ".hpp")
LEFT_OUT = re.compile(r"^(\.git|build(-.*)?|__pycache__)$")


def files(root, folders=(".",), endings=None):
    """The project's files below these folders, without what git or a build put there."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root)
            if any(LEFT_OUT.match(part) for part in inside.parts):
                continue
            if path.is_file() and (endings is None or path.suffix in endings):
                yield path


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blocks(markdown, language):
    """The fenced blocks in this language: [(line of the first line, text)]."""
    fenced = re.compile(r"^```" + re.escape(language) + r"\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [(line_of(markdown, m.start(1)), m.group(1)) for m in fenced.finditer(markdown)]


def report(complaints):
    """Prints them, and ends the process: 0 if there are none, 1 otherwise."""
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)
