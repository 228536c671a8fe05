"""The command's page about a model on labelled rows, from Python."""

from __future__ import annotations

import csv
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from rampart import _command, metrics
from rampart._cells import is_missing_text
from rampart._tables import labels_of, require_same_length


def report(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    path: Union[str, os.PathLike[str]] = "report.html",
    title: Optional[str] = None,
) -> Path:
    """Writes the page of ``rampart report``: one file that loads nothing.

    It opens with a verdict: of 1000 cases like these, how many the model answers, how many of those
    answers are wrong, how many go to a person, and what that costs. Then come other bands, the
    cases for a person, and what drives the answers.

    Parameters
    ----------
    estimator : RejectOptionClassifier or RejectOptionClassifierCV
        A fitted one, or a pipeline or a search that ends in one.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Rows that the model was not trained on.
    y : array-like of shape (n_samples,)
        Their labels.
    path : str or path, default="report.html"
        Where the page goes. A file of that name is replaced.
    title : str, default=None
        Heading of the page.

    Returns
    -------
    path : pathlib.Path
        The page.

    Raises
    ------
    RuntimeError
        If the command of this package was built without pages.
    """
    estimator, X = metrics._final_estimator(estimator, X)
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no such folder")
    model, table = estimator._rows(X)
    labels = labels_of(y, estimator)
    require_same_length(table.rows, len(labels))
    unknown = set(labels.tolist()) - set(estimator.classes_.tolist())
    if unknown:
        raise ValueError(f"y contains previously unseen labels: {sorted(unknown, key=str)}")
    names = dict(zip(estimator.classes_.tolist(), model.about["classes"]))
    _require_readable(names.values())
    with tempfile.TemporaryDirectory(prefix="rampart-") as folder:
        model_file, rows_file = Path(folder, "model.json"), Path(folder, "rows.csv")
        model_file.write_bytes(model.content())
        label = _write_rows(rows_file, estimator, table, [names[y] for y in labels.tolist()])
        words = [
            *[_command.path(), "report", model_file, rows_file, "-o", Path(path).absolute()],
            *["--title", title or "A model on new rows", "--label", label, "--quiet"],
        ]
        done = subprocess.run(
            [str(word) for word in words], capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().removeprefix("rampart: "))
    return Path(path)


def _require_readable(names: Iterable[str]) -> None:
    """Raises ValueError for classes that a table could not hold: they would be read otherwise."""
    for name in names:
        if name.strip() != name or (is_missing_text(name) and name.lower() not in ("-", "none")):
            raise ValueError(
                f"the label {name!r} does not come back from a table, in which spaces around it do "
                "not count and NA is no label: train with other labels to get a page"
            )


def _write_rows(path: Path, estimator: Any, table: Any, labels: list[str]) -> str:
    """Rows as the command reads them: names, categories as text, numbers to the last bit.

    Returns the name of the column of labels.
    """
    known = estimator._known_categories(estimator._fitted_model())
    x = table.x if isinstance(table.x, np.ndarray) else table.x.toarray()
    names = table.names or [f"x{j}" for j in range(table.columns)]
    label = "label"
    while label in names:
        label += "_"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([*names, label])
        for n in range(table.rows):
            cells = []
            for j, value in enumerate(x[n].tolist()):
                if value != value:
                    cells.append("")
                elif j in known:
                    cells.append(
                        known[j][int(value)] if value >= 0 else table.unseen.get((n, j), "unseen")
                    )
                else:
                    cells.append(repr(value))
            out.writerow([*cells, labels[n]])
    return label
