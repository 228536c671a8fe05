"""The signature of the estimators and the library's table of options say the same."""

from __future__ import annotations

import inspect

import pytest

from rampart import RejectOptionClassifier, RejectOptionClassifierCV
from rampart._native import option_table
from rampart._options import CHOICES, TRAINING, option_of, texts_of, threads_of
from rampart._search import _GRID

TABLE = {row["name"]: row for row in option_table()}
# Where Python's users expect another default than the command's.
OWN_DEFAULTS = {"missing", "n_jobs"}
# Parameters that are no option of a training: they are about the form of X, or of the answers.
OWN_PARAMETERS = {
    *("categorical", "max_categories", "on_incomplete", "on_unseen", "reject_label", "verbose")
}
FOLDS = {"cv", "n_repeats", "random_state", "nested"}


def defaults(cls):
    return {name: p.default for name, p in inspect.signature(cls).parameters.items()}


def test_every_option_of_a_training_is_a_parameter():
    options = {name for name, row in TABLE.items() if row["use"] == "training"}
    assert options == {option_of(name) for name in TRAINING}
    assert set(defaults(RejectOptionClassifier)) == set(TRAINING) | OWN_PARAMETERS


def test_parameters_of_the_search():
    names = set(defaults(RejectOptionClassifierCV))
    assert names == (set(TRAINING) - set(_GRID.values())) | OWN_PARAMETERS | FOLDS | set(_GRID)
    tuning = {name for name, row in TABLE.items() if row["use"] == "tuning"}
    assert tuning == {"training-cost", "folds", "repeats", "seed", "stratify", "nested"}


@pytest.mark.parametrize("cls", [RejectOptionClassifier, RejectOptionClassifierCV])
def test_defaults_are_those_of_the_table(cls):
    for name, default in defaults(cls).items():
        if name in OWN_DEFAULTS | OWN_PARAMETERS | FOLDS | set(_GRID):
            continue
        expected = TABLE[option_of(name)]["default"]
        if expected == "":
            assert default is None, name
            continue
        ((_, text),) = texts_of(name, default)
        try:
            assert float(text) == float(expected), name
        except ValueError:
            assert text == expected, name


@pytest.mark.parametrize("cls", [RejectOptionClassifier, RejectOptionClassifierCV])
def test_every_parameter_is_documented(cls):
    documented = inspect.getdoc(cls)
    for name in defaults(cls):
        assert f"\n{name} : " in documented, name


@pytest.mark.parametrize("name", sorted(set(TRAINING)))
def test_docs_say_what_larger_values_do(name):
    row = TABLE[option_of(name)]
    if not row["larger"] or name in ("n_jobs", "max_seconds"):
        return
    text = inspect.getdoc(RejectOptionClassifier).split(f"\n{name} : ")[1]
    about = text.split("\n\n")[0].split(" : ")[0].lower()
    assert "larger" in about, name


def test_choices_are_those_of_the_table():
    documented = inspect.getdoc(RejectOptionClassifier)
    for name in ("loss", "kernel", "scale", "solver", "precision"):
        line = documented.split(f"\n{name} : ")[1].split("\n")[0]
        for choice in TABLE[option_of(name)]["value"].split("|"):
            assert f"'{choice.replace('-', '_')}'" in line, (name, choice)


def test_threads_are_counted_as_joblib_does():
    assert threads_of(None) == 1
    assert threads_of(3) == 3
    assert threads_of(-1) >= 1
    assert threads_of(-1000) == 1
    for wrong in (0, 1.5, True):
        with pytest.raises(ValueError, match="n_jobs"):
            threads_of(wrong)


def test_allowed_words_are_those_of_the_table():
    for name, choices in CHOICES.items():
        own = {"poly"} | ({"auto"} if name == "missing" else set())
        words = {choice.replace("_", "-") if name == "loss" else choice for choice in choices}
        assert words - own == set(TABLE[option_of(name)]["value"].split("|")) - own, name
