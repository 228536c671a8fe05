#!/usr/bin/env python3
"""Includes run one way: util <- data <- kernel <- {solver, model} <- linear <- train <- evaluate <- faces <- c.

A layer includes itself and what is below it. Two sharper rules: the solver sees util and kernel only
(no loss, data set or model), and programs (tool, examples) see the public headers and their own
folder only. Tests and benchmarks may look inside. Public headers belong to the layer that implements them.
"""

import re

from project import CODE, ROOT, files, line_of, report

MAY_INCLUDE = {
    "util": {"util"},
    "data": {"util", "data"},
    "kernel": {"util", "data", "kernel"},
    "solver": {"util", "kernel", "solver"},
    "model": {"util", "data", "kernel", "model"},
    "linear": {"util", "data", "model", "linear"},
    "train": {"util", "data", "kernel", "solver", "model", "linear", "train"},
    "evaluate": {"util", "data", "kernel", "solver", "model", "linear", "train", "evaluate"},
    "faces": {"util", "data", "kernel", "model", "train", "evaluate", "faces"},
    "c": {"util", "data", "kernel", "model", "train", "evaluate", "faces", "c"},
}
PUBLIC = {
    "errors.hpp": "util",
    "names.hpp": "util",
    "version.hpp": "util",
    "dataset.hpp": "data",
    "encoding.hpp": "data",
    "rows.hpp": "data",
    "rows_file.hpp": "data",
    "io.hpp": "data",
    "kernel.hpp": "kernel",
    "familiar.hpp": "model",
    "model.hpp": "model",
    "options.hpp": "model",
    "train.hpp": "train",
    "metrics.hpp": "evaluate",
    "c.h": "c",
}
UMBRELLA = "rampart.hpp"  # includes every public header; for users, never for the library
PROGRAMS = ("tool", "examples")
# Not installed: for the library and the command alone.
FOR_THE_COMMAND = {
    "data/column_warnings.hpp", "data/convert_rows.hpp", "data/describe.hpp", "data/digest.hpp",
    "data/generate.hpp",
    "data/output_file.hpp", "data/read_lines.hpp", "data/rows_file_stream.hpp", "data/split_file.hpp",
    "evaluate/cross_validation.hpp", "evaluate/importance.hpp", "evaluate/intervals.hpp",
    "evaluate/original_columns.hpp", "evaluate/paired_costs.hpp", "evaluate/report.hpp",
    "evaluate/risk_coverage.hpp", "evaluate/trivial_rules.hpp", "evaluate/tune.hpp",
    "evaluate/worklist.hpp", "model/fingerprint.hpp", "model/loss.hpp", "train/first_reading.hpp",
    "train/folds.hpp", "train/zone.hpp", "util/ahead.hpp", "util/number.hpp", "util/parallel.hpp",
    "util/text.hpp",
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def complaint_about(root, path, quote, target):
    """Why this file may not include this target; None if it may, or if it is not of the project."""
    inside = path.relative_to(root).parts
    public = target.removeprefix("rampart/") if target.startswith("rampart/") else None
    if public is not None and public != UMBRELLA and public not in PUBLIC:
        return "is in no layer: name it in tests/docs/check_includes.py"

    if inside[0] in PROGRAMS:
        if "src/" in target:
            return "is private to the library"
        if inside[0] == "tool" and (target in FOR_THE_COMMAND or target.startswith("faces/")):
            return None
        own = (path.parent / target).exists() or (root / inside[0] / target).exists()
        private = not own and public is None and (root / "src" / target).exists()
        return "is private to the library" if private else None

    if inside[0] == "include":
        if inside[-1] == UMBRELLA:
            return None
        layer = PUBLIC.get(inside[-1])
        if layer is None:
            return "comes from a public header without a layer"
        if public is None and quote == '"':
            return "is not a public header"
    else:
        layer = inside[1]

    if public == UMBRELLA:
        return "is for users of the library only"
    if public is not None:
        below = PUBLIC[public]
    elif quote == "<":
        return None
    elif (path.parent / target).exists():
        below = (path.parent / target).resolve().relative_to(root.resolve()).parts[1]
    else:
        below = target.split("/")[0]
        if below not in MAY_INCLUDE:
            return None  # another library's header
    return None if below in MAY_INCLUDE[layer] else f"is {below}, which {layer} must not know"


def complaints(root):
    found = []
    sources = list(files(root, ["include", "src", *PROGRAMS], CODE))
    for path in sources:
        inside = path.relative_to(root)
        if inside.parts[0] == "src" and inside.parts[1] not in MAY_INCLUDE:
            found.append(f"{inside}: not in a layer")
            continue
        text = path.read_text(encoding="utf-8")
        for include in INCLUDE.finditer(text):
            why = complaint_about(root, path, include.group(1), include.group(2))
            if why:
                found.append(f"{inside}:{line_of(text, include.start())}: {include.group(2)} {why}")
    if not sources:
        found.append("no source files found")
    return found


if __name__ == "__main__":
    report(complaints(ROOT))
