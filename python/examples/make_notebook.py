#!/usr/bin/env python3
"""Makes docs/python-tour.ipynb from the scripts beside this one, and runs it.

pip install nbformat nbclient ipykernel; python make_notebook.py. The tests check that the notebook
has the cells of the scripts.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent
NOTEBOOK = FOLDER.parents[1] / "docs" / "python-tour.ipynb"
SCRIPTS = ("triage.py", "pipeline.py", "mixed_table.py", "comparison.py")
INTRODUCTION = """\
# A tour of the Python package

Made from the scripts in `python/examples/` by `make_notebook.py`, and run as it is.
[python.md](python.md) is the manual."""


class Cell(NamedTuple):
    """A cell of a script: "code" or "markdown", and its text."""

    kind: str
    text: str


def cells_of(script: Path) -> list[Cell]:
    """The cells of a script in the percent format; what comes before the first is no cell."""
    parts = re.split(r"^# %%(.*)\n", script.read_text(encoding="utf-8"), flags=re.MULTILINE)
    cells = []
    for mark, text in zip(parts[1::2], parts[2::2]):
        if "[markdown]" in mark:
            prose = re.sub(r"^# ?", "", text.strip(), flags=re.MULTILINE)
            cells.append(Cell("markdown", re.sub(r"^#", "##", prose, flags=re.MULTILINE)))
        else:
            cells.append(Cell("code", text.strip()))
    return cells


def cells_of_notebook() -> list[Cell]:
    """What the notebook is made of."""
    cells = [Cell("markdown", INTRODUCTION)]
    return cells + [cell for script in SCRIPTS for cell in cells_of(FOLDER / script)]


def stable(notebook: Any) -> Any:
    """The notebook without what differs from run to run."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        for output in cell.get("outputs", []):
            output.pop("metadata", None)
            if output.output_type in ("display_data", "execute_result"):
                output.metadata = {}
    return notebook


def main() -> None:
    """Runs the cells in one kernel, and writes the notebook."""
    import nbformat
    from nbclient import NotebookClient

    os.environ.pop("MPLBACKEND", None)  # the kernel chooses the one that draws into the notebook
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    notebook = nbformat.v4.new_notebook(cells=[make[c.kind](c.text) for c in cells_of_notebook()])
    NotebookClient(notebook, kernel_name="python3", record_timing=False).execute()
    nbformat.write(stable(notebook), NOTEBOOK)
    print(f"{NOTEBOOK.name}: {len(notebook.cells)} cells, {NOTEBOOK.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
