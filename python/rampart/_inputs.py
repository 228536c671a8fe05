"""Checks of what users pass to metrics and displays: labels, answers, scores, weights.

Messages follow scikit-learn's wording, so that those who know its errors know these.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
LabelArray = npt.NDArray[Any]

#: (false positive, false negative, reject positive, reject negative)
Costs = tuple[float, float, float, float]


@dataclass(frozen=True)
class Decisions:
    """Answers to labelled rows: what they are, and which rows have none."""

    y_true: LabelArray
    y_pred: LabelArray
    rejected: BoolArray
    correct: BoolArray  # False where rejected
    weight: FloatArray

    def positive(self, pos_label: Any) -> BoolArray:
        """Which rows are truly of the positive class."""
        return is_positive(self.y_true, pos_label, self.y_pred[~self.rejected])


def decisions(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    reject_label: Any,
    sample_weight: npt.ArrayLike | None,
) -> Decisions:
    truth, answer = labels(y_true, "y_true"), labels(y_pred, "y_pred")
    weight = weights(sample_weight, truth, answer)
    if np.any(equal_to(truth, reject_label)):
        raise ValueError(
            f"y_true contains reject_label={reject_label!r}: the label of a rejection must not be "
            "a class."
        )
    refuse_missing(truth, "y_true")

    rejected = equal_to(answer, reject_label)
    accepted = ~rejected
    refuse_missing(answer[accepted], "y_pred")
    require_same_kind(truth, answer[accepted])
    if not np.any(rejected):
        warn_of_unknown_answers(truth, answer, reject_label)
    correct = np.zeros(len(truth), dtype=bool)
    if np.any(accepted):  # numpy cannot compare texts with numbers, not even none of them
        correct[accepted] = truth[accepted] == answer[accepted]
    return Decisions(truth, answer, rejected, correct, weight)


def warn_of_unknown_answers(truth: LabelArray, answer: LabelArray, reject_label: Any) -> None:
    """Whoever forgets reject_label gets numbers that look right: rejections counted as errors."""
    known = distinct(truth)
    unknown = [label for label in distinct(answer) if label not in known]
    if unknown and len(known) > 1:
        warnings.warn(
            f"y_pred contains {unknown}, which y_true does not, and no {reject_label!r}: if "
            f"{unknown[0]!r} stands for a rejection, pass reject_label={unknown[0]!r}",
            UserWarning,
            stacklevel=4,
        )


def column(values: npt.ArrayLike, name: str, dtype: Any = None) -> npt.NDArray[Any]:
    """A one-dimensional array. One column counts as such, as in scikit-learn."""
    array = np.asarray(values, dtype=dtype)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(
            f"{name} should be a 1d array, got an array of shape {array.shape} instead."
        )
    return array


def labels(values: npt.ArrayLike, name: str) -> LabelArray:
    # numpy would turn the list [0, 1, "reject"] into texts, and 0 would no longer equal "0".
    dtype = None if hasattr(values, "dtype") else object
    return column(values, name, dtype)


def weights(sample_weight: npt.ArrayLike | None, *columns: npt.NDArray[Any]) -> FloatArray:
    """One weight per row, 1 unless given. All columns must have the same length, not 0."""
    given = [] if sample_weight is None else [column(sample_weight, "sample_weight", np.float64)]
    require_same_length(*columns, *given)
    if not given:
        return np.ones(len(columns[0]))
    weight = given[0]
    refuse_infinite(weight, "sample_weight")
    refuse_missing(weight, "sample_weight")
    if np.any(weight < 0):
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not np.any(weight > 0):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weight


def require_same_length(*columns: npt.NDArray[Any]) -> None:
    lengths = [len(values) for values in columns]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")
    if lengths[0] == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")


def scores(y_score: npt.ArrayLike) -> FloatArray:
    """f(x) of every row, where NaN (f cannot be computed) counts as 0: not certain at all."""
    array = column(y_score, "y_score", np.float64)
    refuse_infinite(array, "y_score")
    return np.where(np.isnan(array), 0.0, array)


def refuse_infinite(values: FloatArray, name: str) -> None:
    if np.any(np.isinf(values)):
        raise ValueError(f"Input {name} contains infinity.")


def refuse_missing(values: npt.NDArray[Any], name: str) -> None:
    if np.any(missing(values)):
        raise ValueError(f"Input {name} contains NaN.")


def missing(values: npt.NDArray[Any]) -> BoolArray:
    """Where a value is None, NaN or pandas.NA. pandas turns one into another, so all are one."""
    if values.dtype == object:
        return mask(is_missing(value) for value in values)
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values), dtype=bool)
    return np.zeros(len(values), dtype=bool)


def is_missing(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ == "NAType"


def equal_to(values: LabelArray, label: Any) -> BoolArray:
    """Where a value is the label. Any missing value equals a label that is missing."""
    if is_missing(label):
        return missing(values)
    if values.dtype == object:
        return mask(not is_missing(value) and bool(value == label) for value in values)
    texts = {"U": str, "S": bytes}
    has_text = isinstance(label, (str, bytes)) or values.dtype.kind in texts
    if has_text and not isinstance(label, texts.get(values.dtype.kind, ())):
        return np.zeros(len(values), dtype=bool)  # numpy compares texts with texts only
    return np.asarray(values == label, dtype=bool)


def mask(flags: Iterable[bool]) -> BoolArray:
    return np.fromiter(flags, dtype=bool)


def kind(values: npt.NDArray[Any]) -> str:
    """What sort of labels these are: labels of different kinds are never equal."""
    if values.dtype != object:
        return "number" if values.dtype.kind in "biuf" else "text"
    texts = {issubclass(type_of_value, str) for type_of_value in set(map(type, values))}
    return "mixture" if len(texts) > 1 else "text" if texts == {True} else "number"


def require_same_kind(truth: LabelArray, answers: LabelArray) -> None:
    if len(answers) and (kind(truth) != kind(answers) or kind(truth) == "mixture"):
        raise ValueError(
            "Labels in y_true and y_pred should be of the same type. "
            f"Got y_true={distinct(truth)} and y_pred={distinct(answers)}. "
            "Is reject_label right? Note that np.array([0, 1, 'reject']) holds texts only; "
            "np.array([0, 1, 'reject'], dtype=object) does not."
        )


def distinct(*columns: LabelArray) -> list[Any]:
    """The labels that occur, sorted. Mixtures, which occur in messages only, by their text."""
    found = {value for values in columns for value in values.tolist()}
    try:
        return sorted(found)
    except TypeError:
        return sorted(found, key=str)


def is_positive(y_true: LabelArray, pos_label: Any, *others: LabelArray) -> BoolArray:
    """Which rows are of the positive class; `others` may hold a label that y_true lacks."""
    present = distinct(y_true, *others)
    if len(present) > 2:
        raise ValueError(
            f"Two classes are needed, but the labels are {present}. Is reject_label right?"
        )
    return equal_to(y_true, positive_label(present, pos_label))


def positive_label(present: list[Any], pos_label: Any) -> Any:
    """The label of the positive class: by default the second of two, as in `classes_[1]`."""
    if pos_label is None:
        if len(present) == 2:
            return present[1]
        if present[0] in (-1, 0, 1):
            return 1
        raise ValueError(
            f"y_true has the single label {present[0]!r} and pos_label is not specified: either "
            "make y_true take values in {0, 1} or {-1, 1} or pass pos_label explicitly."
        )
    if len(present) == 2 and pos_label not in present:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label: It should be one of {present}"
        )
    return pos_label


def cost_table(reject_cost: float, costs: Costs | None) -> Costs:
    """Costs of the four ways to be charged; `costs` wins where it is given."""
    if costs is None:
        require_cost("reject_cost", reject_cost)
        return (1.0, 1.0, float(reject_cost), float(reject_cost))
    names = ("false positive", "false negative", "reject positive", "reject negative")
    if len(costs) != len(names):
        raise ValueError(f"costs must be four numbers ({', '.join(names)}), got {costs!r}.")
    for name, cost in zip(names, costs):
        require_cost(f"costs ({name})", cost)
    return (float(costs[0]), float(costs[1]), float(costs[2]), float(costs[3]))


def require_cost(name: str, cost: float) -> None:
    # 0 and more than 1/2 are no costs to train with, but may be charged.
    if isinstance(cost, complex) or not (np.isfinite(float(cost)) and cost >= 0):
        raise ValueError(f"{name} must be a finite number >= 0, got {cost!r}.")
