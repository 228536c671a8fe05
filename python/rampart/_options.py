"""How the parameters of the estimators become options of the library.

The table of options is the library's: ``rampart._native.option_table()``. The tests check that
every option of a training is a parameter here, with the same default.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# Names that scikit-learn's users know, where they differ from the command's.
_RENAMED = {
    "tol": "tolerance",
    "max_iter": "max-rounds",
    "cache_size": "cache-mb",
    "n_jobs": "threads",
    "fourier_features": "features",
}

# Parameters of a training, in the order of the signature.
TRAINING = (
    *("reject_cost", "loss", "C", "kernel", "gamma", "degree", "coef0", "mu", "costs"),
    *("class_weight", "scale", "missing", "unfamiliar", "band_folds", "landmarks"),
    *("fourier_features", "solver", "precision", "tol", "max_iter", "max_steps", "max_seconds"),
    *("cache_size", "n_jobs"),
)


def option_of(parameter: str) -> str:
    """The option of the library that a parameter sets."""
    return _RENAMED.get(parameter, parameter.replace("_", "-"))


PARAMETER_OF = {option_of(name): name for name in TRAINING} | {"categorical": "categorical"}

# Parameters whose values are words; the tests compare them with the library's table.
CHOICES = {
    "loss": ("double_ramp", "double_hinge", "generalized_hinge", "hinge"),
    "kernel": ("rbf", "linear", "polynomial", "poly", "sigmoid", "precomputed"),
    "scale": ("auto", "standard", "minmax", "none"),
    "missing": ("auto", "indicator", "median", "drop", "refuse"),
    "solver": ("auto", "linear", "smo"),
    "precision": ("auto", "single", "double"),
}
_SHORT = {"poly": "polynomial"}

# Parameters whose default is None: the library decides.
_MAY_BE_NONE = frozenset(("costs", "class_weight", "band_folds", "landmarks")) | frozenset(
    ("fourier_features", "max_steps", "max_seconds", "cache_size")
)

# What may become of rows that are incomplete or unseen, other than "reject", and the flag of C.
LENIENT = {"on_incomplete": "impute", "on_unseen": "ignore"}
LENIENCY = {"on_incomplete": 1, "on_unseen": 2}

# What messages of the library call a parameter, where that is another name.
_WORDS = {
    **{option_of(name): name for name in TRAINING},
    **{option_of(name).replace("-", " "): name for name in TRAINING},
    "folds": "cv",
    "repeats": "n_repeats",
    "seed": "random_state",
}
_WORD = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True)) + r")(?= = )"
)


def in_words_of_python(message: str) -> str:
    """A message of the library with the names that parameters have here."""
    message = _WORD.sub(lambda found: _WORDS[found[1]], message)
    return re.sub(r"\blandmarks (and|or) features\b", r"landmarks \1 fourier_features", message)


def number_text(value: Any, name: str) -> str:
    """A number in the shortest form that reads back to the same bits."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    try:
        return str(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{name} is a number that is too large: {error}") from error


def _list_text(values: Any, name: str) -> str:
    return ",".join(number_text(value, name) for value in values)


def threads_of(n_jobs: Any) -> int:
    """Threads as joblib counts them: None is 1, -1 all, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs = {n_jobs!r}: must be None or a whole number other than 0")
    if int(n_jobs) > 0:
        return min(int(n_jobs), 1024)
    import os

    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (there or 1) + 1 + int(n_jobs))


def label_text(label: Any) -> str:
    """How a class is called in a model file."""
    if isinstance(label, (bool, np.bool_)):
        return str(bool(label))
    if isinstance(label, numbers.Integral):
        return str(int(label))
    if isinstance(label, numbers.Real):
        return repr(float(label))
    return str(label)


def _class_weights(value: Any, classes: Sequence[Any]) -> list[str]:
    if isinstance(value, str):
        if value == "balanced":
            return [value]
        raise ValueError(f"class_weight = {value!r}: must be 'balanced', a dict or None")
    if not isinstance(value, Mapping):
        raise TypeError(f"class_weight = {value!r}: must be 'balanced', a dict or None")
    known = {label: label_text(label) for label in classes}  # where False is 0, as in a dict
    for label in value:
        if label not in known:
            raise ValueError(
                f"The classes, {list(classes)}, are not in class_weight: {label!r} is none of them"
            )
    return [
        f"{known[label]}={number_text(weight, 'class_weight')}"
        for label, weight in value.items()
        if weight != 1
    ]


def _choice_text(name: str, value: Any) -> str:
    if not isinstance(value, str) or value not in CHOICES[name]:
        wrong = ValueError if isinstance(value, str) else TypeError
        raise wrong(f"{name} = {value}: must be one of {', '.join(map(repr, CHOICES[name]))}")
    text = _SHORT.get(value, value)
    return text.replace("_", "-") if name == "loss" else text


def _gamma_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"gamma = {value!r}: must be a number, 'scale' or 'auto'")
    return number_text(value, "gamma")


def texts_of(name: str, value: Any, classes: Sequence[Any] = ()) -> list[tuple[str, str]]:
    """A parameter as options of the library; none where the default of the library holds."""
    option = option_of(name)
    if name == "n_jobs":
        return [(option, str(threads_of(value)))]
    if value is None:
        if name not in _MAY_BE_NONE:
            raise TypeError(f"{name} = None: must be {'a word' if name in CHOICES else 'a number'}")
        return []
    if name == "class_weight":
        return [(option, text) for text in _class_weights(value, classes)]
    if name == "costs":
        if len(value) != 4:
            raise ValueError(
                f"costs = {value!r}: must be four numbers, the cost of a false positive, of a "
                "false negative, of rejecting a positive and of rejecting a negative"
            )
        return [(option, _list_text(value, name))]
    if name in CHOICES:
        return [(option, _choice_text(name, value))]
    if name == "gamma":
        return [(option, _gamma_text(value))]
    if name == "max_iter" and value == -1:
        raise ValueError(
            "max_iter = -1: must be a whole number >= 1; SVC's -1 for no limit does not exist "
            "here, and a large number, such as 10000, does the same"
        )
    return [(option, number_text(value, name))]
