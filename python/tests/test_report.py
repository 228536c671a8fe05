"""report() writes the command's page."""

from __future__ import annotations

import numpy as np
import pytest
from test_classifier import people

import rampart


def page_of(tmp_path, *arguments, **options):
    try:
        return rampart.report(*arguments, path=tmp_path / "page.html", **options).read_text()
    except RuntimeError as error:
        if "no page" in str(error):
            pytest.skip("the command was built without pages")
        raise


def test_page_of_arrays(command, tmp_path, rows):
    X, y = rows
    model = rampart.RejectOptionClassifier().fit(X[:200], y[:200])
    page = page_of(tmp_path, model, X[200:], y[200:], title="Cases of May")
    assert page.startswith("<!doctype html>") or page.lower().startswith("<!doctype html>")
    assert "Cases of May" in page


def test_page_of_frames(command, tmp_path):
    frame, y = people()
    model = rampart.RejectOptionClassifier().fit(frame[:160], y[:160])
    page = page_of(tmp_path, model, frame[160:], y[160:])
    assert "smoker" in page


def test_wrong_labels(command, tmp_path, rows):
    X, y = rows
    model = rampart.RejectOptionClassifier().fit(X, y)
    with pytest.raises(ValueError, match="previously unseen labels"):
        rampart.report(model, X, np.full(len(y), 7), path=tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("label", ["NA", " a"])
def test_labels_that_a_table_cannot_hold_are_named(command, tmp_path, rows, label):
    X, y = rows
    labels = np.array(["b", label])[y]
    model = rampart.RejectOptionClassifier().fit(X, labels)
    with pytest.raises(ValueError, match=f"the label '{label}' does not come back from a table"):
        rampart.report(model, X, labels, path=tmp_path / "page.html")


def test_page_of_a_model_with_booleans_of_another_program(command, tmp_path, rows):
    X, y = rows
    names = np.array(["FALSE", "TRUE"])
    model = rampart.RejectOptionClassifier().fit(X, names[y])
    model.save(tmp_path / "model.json")
    loaded = rampart.RejectOptionClassifier.load(tmp_path / "model.json")
    assert "TRUE" in page_of(tmp_path, loaded, X, y == 1)
