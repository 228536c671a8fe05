#!/usr/bin/env python3
"""The documents speak of what is there: paths, anchors, options; and of nothing outside."""

import os
import re
import subprocess

from project import CODE, ROOT, files, line_of, report

SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```(?:sh|console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])(--[A-Za-z][\w-]*)")
COMMAND = re.compile(r"(?<![\w/.-])rampart +([a-z]+)\b([^|;&\n]*)")
MADE = re.compile(r"^build(-\w+)?(/|$)")  # appears when something is built

# Absolute paths of one machine, and the tracker of those who happened to write this.
OUTSIDE = re.compile(r"(?<![\w.:/-])/(?:work|root|home|Users)/|\b[Ii]ssue +#?\d+|\b[Ss]ess[i]on\b")
TEXT = (".md", ".cpp", ".hpp", ".py", ".sh", ".txt", ".cmake", ".json", ".cff", "")


def documents(root):
    named = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [path for path in named if path.exists()] + sorted((root / "docs").glob("*.md"))


def without_fences(text):
    return FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", without_fences(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def names_nothing(root, page, span, names):
    """Whether this code span is meant as a path of the project, and there is no such file."""
    path = re.sub(r":\d+$", "", span.removeprefix("./"))
    if not re.fullmatch(r"[\w.*/-]+", path) or MADE.match(path):
        return False
    if "/" in path:
        top = path.split("/")[0]
        if top == "rampart":
            path = "include/" + path
        elif not (root / top).is_dir():
            return False  # 1/2, text/csv
    elif path.endswith((*CODE, ".md")):
        return path not in names
    elif not span.startswith("./"):
        return False
    return not any(base.glob(path.rstrip("/")) and list(base.glob(path.rstrip("/")))
                   for base in (root, page.parent))


def bad_paths(root):
    found = []
    names = {path.name for path in files(root)}
    for page in documents(root):
        text = page.read_text(encoding="utf-8")
        prose = without_fences(text)
        where = page.relative_to(root)
        for span in SPAN.finditer(prose):
            for word in span.group(1).split()[:1]:
                if names_nothing(root, page, word, names):
                    found.append(f"{where}:{line_of(prose, span.start())}: no such file: {word}")
        for link in LINK.finditer(prose):
            target, _, anchor = link.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            path = (page.parent / target) if target else page
            line = line_of(prose, link.start())
            if not path.exists():
                found.append(f"{where}:{line}: no such file: {target}")
            elif anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
                found.append(f"{where}:{line}: no such heading: {link.group(1)}")
    return found


def bad_options(root, help_of):
    """help_of(command) is the text of its --help (None: of the whole), or None if it is unknown."""
    found = []
    known = {}

    def options(command):
        if command not in known:
            text = help_of(command)
            known[command] = None if text is None else set(OPTION.findall(text)) | {"--help"}
        return known[command]

    commands = re.findall(r"^ {2}([a-z]+)\b", help_of(None) or "", re.MULTILINE)
    everywhere = set(options(None) or ()).union(*(options(c) or () for c in commands))
    for page in documents(root):
        text = page.read_text(encoding="utf-8")
        joined = text.replace("\\\n", "  ")  # a command on several lines; the line counts less
        where = page.relative_to(root)
        shell = [(m.start(1), m.group(1)) for m in SHELL.finditer(joined)]
        spans = [(m.start(1), m.group(1)) for m in SPAN.finditer(without_fences(joined))]
        for start, code in shell + spans:
            for use in COMMAND.finditer(code):
                command, arguments = use.groups()
                line = line_of(joined, start + use.start())
                if options(command) is None:
                    found.append(f"{where}:{line}: no such command: rampart {command}")
                    continue
                for option in OPTION.findall(arguments):
                    if option not in options(command):
                        found.append(f"{where}:{line}: rampart {command} has no option {option}")
        for start, code in spans:
            if code.startswith("--"):
                for option in OPTION.findall(code):
                    if option not in everywhere:
                        found.append(f"{where}:{line_of(joined, start)}: no such option: {option}")
    return found


def outside_words(root):
    found = []
    for path in files(root):
        if path.suffix not in TEXT or "corpus" in path.parts:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for word in OUTSIDE.finditer(text):
            where = f"{path.relative_to(root)}:{line_of(text, word.start())}"
            found.append(f"{where}: '{word.group()}' means nothing outside one workplace")
    return found


def help_of_tool(command):
    words = [os.environ["RAMPART"], *([command] if command else []), "--help"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


if __name__ == "__main__":
    report(bad_paths(ROOT) + bad_options(ROOT, help_of_tool) + outside_words(ROOT))
