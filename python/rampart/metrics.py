"""Measures of classifiers that may refuse to answer, and scorers for scikit-learn.

A *decision* is a class, or a refusal: the label ``reject_label`` in ``y_pred``. A row with an
answer is accepted, one without is rejected.

======================================  =========================================================
:func:`zero_d_one_risk`                 mean cost per row: 1 for an error, d for a rejection
:func:`rejection_rate`                  share of rejected rows
:func:`coverage`                        share of accepted rows
:func:`accepted_accuracy`               share of right answers among all answers
:func:`reject_confusion_matrix`         class x (negative, reject, positive)
:func:`risk_coverage_curve`             error rate among the most certain rows, for every share
:func:`aurc`                            the area under it
:func:`rejection_curve`                 what a band of any half width would do
======================================  =========================================================

Definitions are those of ``rampart evaluate``; without weights so are the numbers.

The scorers go into ``scoring=`` of ``GridSearchCV`` or ``cross_val_score``:
:data:`neg_zero_d_one_risk_scorer`, :data:`coverage_scorer`, :data:`accepted_accuracy_scorer`,
:data:`neg_aurc_scorer`, and what :func:`make_zero_d_one_risk_scorer` makes for a fixed cost.
Only numpy is needed to import this module.
"""

from __future__ import annotations

import copy
import importlib
import warnings
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import _inputs

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ._inputs import BoolArray, Costs, FloatArray, LabelArray

__all__ = [
    "accepted_accuracy",
    "accepted_accuracy_scorer",
    "aurc",
    "coverage",
    "coverage_scorer",
    "make_zero_d_one_risk_scorer",
    "neg_aurc_scorer",
    "neg_zero_d_one_risk_scorer",
    "reject_confusion_matrix",
    "rejection_curve",
    "rejection_rate",
    "risk_coverage_curve",
    "zero_d_one_risk",
]


# ---------------------------------------------------------------------------------------------
# Measures of decisions
# ---------------------------------------------------------------------------------------------


def zero_d_one_risk(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    reject_cost: float = 0.2,
    costs: Costs | None = None,
    pos_label: Any = None,
    reject_label: Any = "reject",
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Mean cost per row: 0 for a right answer, d for none, 1 for a wrong one.

    Compare it with d, the risk of rejecting everything: a classifier that costs more is useless.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Decisions: labels, or `reject_label`.
    reject_cost : float, default=0.2
        Cost d of a rejection. Not used if `costs` is given.
    costs : (float, float, float, float), default=None
        Cost of a false positive, of a false negative, of rejecting a positive row and of rejecting
        a negative one. None means ``(1, 1, reject_cost, reject_cost)``.
    pos_label : label, default=None
        The positive class; used only with `costs`. By default the second of the two labels in
        sorted order, which is ``classes_[1]`` of a classifier.
    reject_label : label, default="reject"
        What stands for a rejection in `y_pred`. None and NaN stand for any missing value.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    risk : float
        The mean cost; smaller is better.

    Examples
    --------
    >>> from rampart.metrics import zero_d_one_risk
    >>> y_true = [0, 0, 1, 1]
    >>> y_pred = [0, "reject", 1, 0]
    >>> zero_d_one_risk(y_true, y_pred)
    0.3
    >>> zero_d_one_risk(y_true, y_pred, costs=(1, 5, 0.5, 0.2))
    1.3
    """
    table = _inputs.cost_table(reject_cost, costs)
    made = _inputs.decisions(y_true, y_pred, reject_label, sample_weight)
    # Without a table of costs the classes are charged alike, and there may be more than two.
    classes_matter = costs is not None
    positive = made.positive(pos_label) if classes_matter else np.zeros_like(made.rejected)
    error_cost, rejection_cost = _charges(positive, table)
    charged = np.where(made.rejected, rejection_cost, np.where(made.correct, 0.0, error_cost))
    return _mean(charged, made.weight)


def rejection_rate(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    reject_label: Any = "reject",
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Share of rows that get no answer.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels. They are checked, but do not matter: all measures take the same arguments.
    y_pred : array-like of shape (n_samples,)
        Decisions: labels, or `reject_label`.
    reject_label : label, default="reject"
        What stands for a rejection in `y_pred`. None and NaN stand for any missing value.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    rate : float
        Between 0 and 1.

    Examples
    --------
    >>> from rampart.metrics import rejection_rate
    >>> rejection_rate([0, 0, 1, 1], [0, None, 1, 0], reject_label=None)
    0.25
    """
    made = _inputs.decisions(y_true, y_pred, reject_label, sample_weight)
    return _mean(made.rejected, made.weight)


def coverage(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    reject_label: Any = "reject",
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Share of rows that get an answer: 1 minus :func:`rejection_rate`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels. They are checked, but do not matter: all measures take the same arguments.
    y_pred : array-like of shape (n_samples,)
        Decisions: labels, or `reject_label`.
    reject_label : label, default="reject"
        What stands for a rejection in `y_pred`. None and NaN stand for any missing value.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    coverage : float
        Between 0 and 1.

    Examples
    --------
    >>> from rampart.metrics import coverage
    >>> coverage(["no", "no", "yes", "yes"], ["no", "reject", "yes", "no"])
    0.75
    """
    made = _inputs.decisions(y_true, y_pred, reject_label, sample_weight)
    return _mean(~made.rejected, made.weight)


def accepted_accuracy(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    reject_label: Any = "reject",
    sample_weight: npt.ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float:
    """Share of right answers among all answers.

    It says nothing about how many rows were answered: look at :func:`coverage` too.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Decisions: labels, or `reject_label`.
    reject_label : label, default="reject"
        What stands for a rejection in `y_pred`. None and NaN stand for any missing value.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    zero_division : "warn" or float, default="warn"
        What to return if no row was answered: a number such as 0.0, 1.0 or ``np.nan``. "warn"
        returns NaN and warns. NaN, because neither 0 nor 1 is true: whoever never answers is
        neither always wrong nor always right.

    Returns
    -------
    accuracy : float
        Between 0 and 1, or `zero_division`.

    Warns
    -----
    sklearn.exceptions.UndefinedMetricWarning
        If no row was answered and `zero_division` is "warn". It is a UserWarning, which takes its
        place where scikit-learn is not installed.

    Examples
    --------
    >>> from rampart.metrics import accepted_accuracy
    >>> accepted_accuracy([0, 0, 1, 1, 1], [0, "reject", 1, 0, 1])
    0.75
    >>> accepted_accuracy([0, 1], ["reject", "reject"], zero_division=0.0)
    0.0
    """
    made = _inputs.decisions(y_true, y_pred, reject_label, sample_weight)
    answered = np.where(made.rejected, 0.0, made.weight)
    if np.any(answered):
        return _mean(made.correct, answered)
    if zero_division != "warn":
        return float(zero_division)
    warnings.warn(
        "The accuracy among accepted rows is ill-defined and set to NaN: no row was accepted. "
        "Use the `zero_division` parameter to control this behavior.",
        _undefined_metric_warning(),
        stacklevel=2,
    )
    return float("nan")


def reject_confusion_matrix(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    pos_label: Any = None,
    reject_label: Any = "reject",
    sample_weight: npt.ArrayLike | None = None,
    normalize: str | None = None,
) -> npt.NDArray[Any]:
    """The table from which all measures of decisions follow: class x decision.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, of two classes.
    y_pred : array-like of shape (n_samples,)
        Decisions: labels, or `reject_label`.
    pos_label : label, default=None
        The positive class. By default the second of the two labels in sorted order.
    reject_label : label, default="reject"
        What stands for a rejection in `y_pred`. None and NaN stand for any missing value.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    normalize : {"true", "pred", "all"}, default=None
        Divide by the number of rows of each class, of each decision, or of all. 0/0 is 0.

    Returns
    -------
    table : ndarray of shape (2, 3)
        Rows: truly negative, truly positive. Columns: answered negative, rejected, answered
        positive. Counts are integers unless there are weights that are not.

    Examples
    --------
    >>> from rampart.metrics import reject_confusion_matrix
    >>> y_true = ["no", "no", "no", "yes", "yes"]
    >>> y_pred = ["no", "no", "reject", "yes", "no"]
    >>> reject_confusion_matrix(y_true, y_pred)
    array([[2, 1, 0],
           [1, 0, 1]])
    >>> reject_confusion_matrix(y_true, y_pred, normalize="all")
    array([[0.4, 0.2, 0. ],
           [0.2, 0. , 0.2]])
    """
    if normalize not in (None, "true", "pred", "all"):
        raise ValueError(
            f"normalize must be one of {{'true', 'pred', 'all', None}}, got {normalize!r}."
        )
    made = _inputs.decisions(y_true, y_pred, reject_label, sample_weight)
    positive = made.positive(pos_label)
    answered_positive = made.correct == positive
    decision = np.where(made.rejected, 1, np.where(answered_positive, 2, 0))
    table: FloatArray = np.zeros((2, 3))
    np.add.at(table, (positive.astype(int), decision), made.weight)

    if normalize is not None:
        axis = {"true": 1, "pred": 0, "all": None}[normalize]
        total: FloatArray = table.sum(axis=axis, keepdims=True)
        return np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    counted = sample_weight is None or np.asarray(sample_weight).dtype.kind in "iub"
    return table.astype(np.int64) if counted and table.max() < 2**53 else table


# ---------------------------------------------------------------------------------------------
# Measures of scores
# ---------------------------------------------------------------------------------------------


def risk_coverage_curve(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Error rate among the rows of largest ``|f|``, for every share of rows answered.

    There is one point for each value of ``|f|`` that occurs: what happens if exactly the rows with
    ``|f| >= threshold`` are answered. Rows of equal ``|f|`` enter together, since nothing tells
    which comes first. Forced to answer, a row at f = 0 is half an error: a coin would decide.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, of two classes.
    y_score : array-like of shape (n_samples,)
        f(x), positive for the positive class, as from `decision_function`. Not a probability p,
        for which ``p - 0.5`` would do. NaN (f cannot be computed) counts as 0. For the numbers
        of ``rampart evaluate``, also set f to 0 where a row is rejected for itself, not for the
        band; the scorers and displays do so.
    pos_label : label, default=None
        The positive class. By default the second of the two labels in sorted order.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows. Rows of weight 0 are left out.

    Returns
    -------
    coverage : ndarray of shape (n_thresholds,)
        Share of rows answered. It increases, up to 1.
    risk : ndarray of shape (n_thresholds,)
        Error rate among these.
    thresholds : ndarray of shape (n_thresholds,)
        Smallest ``|f|`` among these. It decreases.

    See Also
    --------
    aurc : The area under this curve.
    rejection_curve : Cost and accuracy for every band.

    Examples
    --------
    >>> from rampart.metrics import risk_coverage_curve
    >>> coverage, risk, thresholds = risk_coverage_curve([0, 1, 1, 0], [-2.0, 1.0, -0.5, 0.5])
    >>> coverage
    array([0.25, 0.5 , 1.  ])
    >>> risk
    array([0. , 0. , 0.5])
    >>> thresholds
    array([2. , 1. , 0.5])
    """
    blocks = _Blocks(*_scored_rows(y_true, y_score, pos_label, sample_weight))
    accepted, errors = np.cumsum(blocks.weight), np.cumsum(blocks.errors)
    return accepted / accepted[-1], errors / accepted, blocks.threshold


def aurc(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Area under the risk-coverage curve: how well ``|f|`` puts right answers before wrong ones.

    It is the error rate among the k most certain rows, averaged over k = 1 ... n_samples. Inside a
    block of equal ``|f|`` the errors grow linearly, as they do on average over all orders of its
    rows. 0 is best; a constant ``|f|`` gives the error rate.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, of two classes.
    y_score : array-like of shape (n_samples,)
        f(x), as in :func:`risk_coverage_curve`.
    pos_label : label, default=None
        The positive class. By default the second of the two labels in sorted order.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows. Each row counts in the mean, and in the error rates, as much as it
        weighs; rows of equal ``|f|`` count as that many rows of their mean weight. Only the
        proportions of weights matter, so a weight of 2 is not quite the same as two rows.

    Returns
    -------
    area : float
        Between 0 and 1; smaller is better.

    See Also
    --------
    risk_coverage_curve : The curve itself.

    Examples
    --------
    >>> from rampart.metrics import aurc
    >>> area = aurc([0, 1, 1, 0], [-2.0, 1.0, -0.5, 0.5])
    >>> round(area, 4)  # (0/1 + 0/2 + 1/3 + 2/4) / 4
    0.2083
    """
    blocks = _Blocks(*_scored_rows(y_true, y_score, pos_label, sample_weight))
    accepted, errors = blocks.row_by_row(blocks.weight), blocks.row_by_row(blocks.errors)
    row_weight = np.repeat(blocks.weight / blocks.size, blocks.size)
    return _mean(errors / accepted, row_weight)


def rejection_curve(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    reject_cost: float = 0.2,
    costs: Costs | None = None,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Risk, rejection rate and accuracy among accepted rows, for every half width of the band.

    A band of half width rho rejects where ``|f| <= rho``. So nothing changes between one value of
    ``|f|`` and the next, and all values hold from `rho` up to, but without, the next entry.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, of two classes.
    y_score : array-like of shape (n_samples,)
        f(x), as in :func:`risk_coverage_curve`.
    reject_cost : float, default=0.2
        Cost d of a rejection. Not used if `costs` is given.
    costs : (float, float, float, float), default=None
        Cost of a false positive, of a false negative, of rejecting a positive row and of rejecting
        a negative one. None means ``(1, 1, reject_cost, reject_cost)``.
    pos_label : label, default=None
        The positive class. By default the second of the two labels in sorted order.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows. Rows of weight 0 are left out.

    Returns
    -------
    rho : ndarray of shape (n_points,)
        0 and the other values of ``|f|`` that occur, increasing.
    risk : ndarray of shape (n_points,)
        Mean cost per row (:func:`zero_d_one_risk`).
    rejection_rate : ndarray of shape (n_points,)
        Share of rejected rows. It increases, up to 1.
    accepted_accuracy : ndarray of shape (n_points,)
        Share of right answers among all answers. NaN at the last point, where there are none.

    Examples
    --------
    >>> from rampart.metrics import rejection_curve
    >>> rho, risk, rate, accuracy = rejection_curve([0, 1, 1, 0], [-2.0, 1.0, -0.5, 0.5])
    >>> rho
    array([0. , 0.5, 1. , 2. ])
    >>> risk
    array([0.5 , 0.1 , 0.15, 0.2 ])
    >>> rate
    array([0.  , 0.5 , 0.75, 1.  ])
    >>> accuracy
    array([0.5, 1. , 1. , nan])
    """
    table = _inputs.cost_table(reject_cost, costs)
    positive, score, weight = _scored_rows(y_true, y_score, pos_label, sample_weight)
    blocks = _Blocks(positive, score, weight)
    error_cost, rejection_cost = _charges(positive, table)
    wrong = _margins(positive, score) < 0
    # Of all rows that are more certain than a threshold: 0 of them at the first, all at the last.
    answered = _from_zero(blocks.weight)
    right = _from_zero(blocks.sums(weight * ~wrong))
    error_charges = _from_zero(blocks.sums(weight * wrong * error_cost))
    rejection_charges = _from_zero(blocks.sums(weight * rejection_cost))

    total = answered[-1]
    risk = (error_charges + (rejection_charges[-1] - rejection_charges)) / total
    accuracy = np.divide(right, answered, out=np.full(len(right), np.nan), where=answered > 0)
    rho = np.append(blocks.threshold, 0.0)
    # A row at f = 0 is rejected by any band, also of no width: then the last point is not a band.
    used = slice(-2 if blocks.threshold[-1] == 0 else None, None, -1)
    return rho[used], risk[used], (1 - answered / total)[used], accuracy[used]


class _Blocks:
    """Rows in the order of falling |f|, those of equal |f| together; sums over each block."""

    def __init__(self, positive: BoolArray, score: FloatArray, weight: FloatArray) -> None:
        certainty = np.abs(score)
        self._order = np.argsort(-certainty, kind="stable")
        ranked = certainty[self._order]
        self._start = np.flatnonzero(np.append(True, ranked[1:] < ranked[:-1]))
        self.threshold: FloatArray = ranked[self._start]
        self.size = np.diff(np.append(self._start, len(score)))
        margin = _margins(positive, score)
        self.weight = self.sums(weight)
        self.errors = self.sums(weight * np.where(margin < 0, 1.0, np.where(margin == 0, 0.5, 0.0)))

    def sums(self, values: FloatArray) -> FloatArray:
        total: FloatArray = np.add.reduceat(values[self._order], self._start)
        return total

    def row_by_row(self, sums: FloatArray) -> FloatArray:
        """Running totals after each row, growing linearly inside a block."""
        before = np.cumsum(sums) - sums
        place = np.arange(1, self.size.sum() + 1) - np.repeat(self._start, self.size)
        inside = np.repeat(sums, self.size) * place / np.repeat(self.size, self.size)
        total: FloatArray = np.repeat(before, self.size) + inside
        return total


def _scored_rows(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any, sample_weight: Any
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Whether rows are positive, their f and their weight, without rows of no weight."""
    truth, score = _inputs.labels(y_true, "y_true"), _inputs.scores(y_score)
    weight = _inputs.weights(sample_weight, truth, score)
    _inputs.refuse_missing(truth, "y_true")
    positive = _inputs.is_positive(truth, pos_label)
    counts = weight > 0
    return positive[counts], score[counts], _near_one(weight[counts])


def _margins(positive: BoolArray, score: FloatArray) -> FloatArray:
    return np.where(positive, score, -score)


def _charges(positive: BoolArray, costs: Costs) -> tuple[FloatArray, FloatArray]:
    """What an error and what a rejection costs, for each row."""
    false_positive, false_negative, reject_positive, reject_negative = costs
    return (
        np.where(positive, false_negative, false_positive),
        np.where(positive, reject_positive, reject_negative),
    )


def _from_zero(values: FloatArray) -> FloatArray:
    return np.append(0.0, np.cumsum(values))


def _mean(values: npt.NDArray[Any], weight: FloatArray) -> float:
    return float(np.average(values, weights=_near_one(weight)))


def _near_one(weight: FloatArray) -> FloatArray:
    """Weights in the same proportions, to the bit, whose sums are neither infinite nor 0."""
    scaled: FloatArray = np.ldexp(weight, -int(np.frexp(weight.max())[1]))
    return scaled


def _undefined_metric_warning() -> type[Warning]:
    try:
        found: type[Warning] = importlib.import_module("sklearn.exceptions").UndefinedMetricWarning
    except ImportError:
        return UserWarning
    return found


# ---------------------------------------------------------------------------------------------
# Asking an estimator
# ---------------------------------------------------------------------------------------------


class _RejectOptionEstimator(Protocol):
    """What scorers and displays need of a fitted estimator, as of RejectOptionClassifier."""

    classes_: LabelArray
    rho_: float
    reject_cost: float
    costs: Costs | None
    reject_label: Any

    def decision_function(self, X: Any) -> FloatArray: ...
    def reject(self, X: Any) -> BoolArray: ...
    def reasons(self, X: Any) -> npt.NDArray[Any]: ...
    def predict_with_reject(self, X: Any) -> LabelArray: ...


def _final_estimator(estimator: Any, X: Any) -> tuple[_RejectOptionEstimator, Any]:
    """The estimator that decides, and X as it sees it.

    A pipeline does not forward ``reject``, nor does a search: what is inside is asked instead.
    """
    while not hasattr(estimator, "predict_with_reject"):
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps"):
            X = estimator[:-1].transform(X) if len(estimator.steps) > 1 else X
            estimator = estimator[-1]
        else:
            raise TypeError(
                "A classifier with a reject option is needed, such as RejectOptionClassifier, "
                "a pipeline that ends with one, or a fitted search over one: "
                f"{type(estimator).__name__} has no method 'predict_with_reject'."
            )
    return estimator, X


def _innermost(estimator: Any) -> Any:
    """The estimator that decides, inside of pipelines and searches."""
    while hasattr(estimator, "best_estimator_") or hasattr(estimator, "steps"):
        is_search = hasattr(estimator, "best_estimator_")
        estimator = estimator.best_estimator_ if is_search else estimator[-1]
    return estimator


def _is_plain(estimator: Any) -> bool:
    """Whether a classifier has scores, but neither a band nor reasons, as SVC."""
    may_reject = hasattr(_innermost(estimator), "predict_with_reject")
    return not may_reject and hasattr(estimator, "decision_function")


def _scores_of_any(estimator: Any, X: Any) -> tuple[FloatArray, LabelArray, float | None]:
    """Scores to measure, the two classes, and the half width of the band, if there is one."""
    if not _is_plain(estimator):
        final, seen = _final_estimator(estimator, X)
        return _scores_to_measure(final, seen), final.classes_, float(final.rho_)
    scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
    if scores.ndim != 1 or len(estimator.classes_) != 2:
        raise ValueError(
            f"Two classes are needed, but {type(estimator).__name__} was fitted with "
            f"{len(estimator.classes_)}."
        )
    return scores, np.asarray(estimator.classes_), None


def _scores_to_measure(estimator: _RejectOptionEstimator, X: Any) -> FloatArray:
    """f(x), but 0, which lies in every band, for rows that are rejected for another reason.

    Such a row (unfamiliar, incomplete, unseen) gets no answer whatever the band, so it comes last
    in the order by certainty, as in ``rampart evaluate``.
    """
    by_itself = [
        bool(reason) and not str(reason).startswith("ambiguous") for reason in estimator.reasons(X)
    ]
    return np.where(by_itself, 0.0, _scores_or_nan(estimator, X))


def _scores_or_nan(estimator: Any, X: Any) -> FloatArray:
    """f(x), also of rows that ours computes no f for."""
    scores: FloatArray = getattr(estimator, "_scores_or_nan", estimator.decision_function)(X)
    return scores


def _costs_of(
    estimator: _RejectOptionEstimator, reject_cost: float | None, costs: Costs | None
) -> Costs:
    """The costs that were asked for, or else those the estimator was trained with."""
    if reject_cost is not None:
        return _inputs.cost_table(reject_cost, costs)
    own = estimator.costs if costs is None else costs
    return _inputs.cost_table(estimator.reject_cost, own)


def _decisions_of(estimator: _RejectOptionEstimator, X: Any) -> tuple[LabelArray, Any]:
    """The decisions, and the label of a rejection among them."""
    y_pred = np.asarray(estimator.predict_with_reject(X))
    label = "reject" if estimator.reject_label is None else estimator.reject_label
    # An array of texts holds the label -1 as "-1".
    return y_pred, str(label) if y_pred.dtype.kind == "U" else label


# ---------------------------------------------------------------------------------------------
# Scorers
# ---------------------------------------------------------------------------------------------


class _Scorer:
    """A callable for ``scoring=``: larger values are better.

    `score` is called as score(estimator, X, y, sample_weight, **options) with the estimator that
    decides. `name` is how users write this scorer.
    """

    def __init__(self, score: Callable[..., float], name: str, **options: Any) -> None:
        self._score = score
        self._name = name
        self._options = options
        self._weight_request: bool | str | None = None

    def __call__(
        self, estimator: Any, X: Any, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Score of the fitted estimator on X and y; larger is better."""
        if self._score is _score_aurc:  # which asks for scores only
            return _score_aurc(estimator, X, y, sample_weight)
        final, seen = _final_estimator(estimator, X)
        return self._score(final, seen, y, sample_weight, **self._options)

    def __repr__(self) -> str:
        return self._name

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> _Scorer:
        """A copy that requests `sample_weight`, for scikit-learn's metadata routing.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether weights are to be passed, or under which name; None: an error if they are given.

        Returns
        -------
        scorer : scorer
            A copy: the scorers of this module are shared and stay as they are.
        """
        changed = copy.copy(self)
        changed._weight_request = sample_weight
        return changed

    def get_metadata_routing(self) -> Any:
        """What scikit-learn's metadata routing asks for."""
        routing = importlib.import_module("sklearn.utils.metadata_routing")
        requests = routing.MetadataRequest(owner=self._name)
        requests.score.add_request(param="sample_weight", alias=self._weight_request)
        return requests

    def _accept_sample_weight(self) -> bool:
        # GridSearchCV asks this of each of several scorers when it is fitted with weights.
        return True


def _score_risk(
    estimator: _RejectOptionEstimator,
    X: Any,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    *,
    reject_cost: float | None = None,
    costs: Costs | None = None,
) -> float:
    y_pred, reject_label = _decisions_of(estimator, X)
    return -zero_d_one_risk(
        y,
        y_pred,
        costs=_costs_of(estimator, reject_cost, costs),
        pos_label=estimator.classes_[1],
        reject_label=reject_label,
        sample_weight=sample_weight,
    )


def _score_coverage(
    estimator: _RejectOptionEstimator,
    X: Any,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
) -> float:
    y_pred, reject_label = _decisions_of(estimator, X)
    return coverage(y, y_pred, reject_label=reject_label, sample_weight=sample_weight)


def _score_accepted_accuracy(
    estimator: _RejectOptionEstimator,
    X: Any,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
) -> float:
    y_pred, reject_label = _decisions_of(estimator, X)
    return accepted_accuracy(
        y,
        y_pred,
        reject_label=reject_label,
        sample_weight=sample_weight,
        zero_division=np.nan,  # a search ranks NaN last and warns itself
    )


def _score_aurc(
    estimator: Any,
    X: Any,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
) -> float:
    score, classes, _ = _scores_of_any(estimator, X)
    return -aurc(y, score, pos_label=classes[1], sample_weight=sample_weight)


def make_zero_d_one_risk_scorer(
    *, reject_cost: float | None = None, costs: Costs | None = None
) -> _Scorer:
    """A scorer of the negative :func:`zero_d_one_risk` at a fixed cost.

    To compare estimators of different `reject_cost` the cost that is charged must be fixed. At its
    own cost, an estimator for which a rejection costs less always looks better.

    Parameters
    ----------
    reject_cost : float, default=None
        Cost of a rejection. None: that of the estimator.
    costs : (float, float, float, float), default=None
        Cost of a false positive, of a false negative, of rejecting a positive row and of rejecting
        a negative one. None: those of the estimator, unless `reject_cost` is given.

    Returns
    -------
    scorer : callable
        To be called as ``scorer(estimator, X, y, sample_weight=None)``; for ``scoring=``.

    Examples
    --------
    >>> from rampart.metrics import make_zero_d_one_risk_scorer
    >>> make_zero_d_one_risk_scorer(reject_cost=0.1)
    make_zero_d_one_risk_scorer(reject_cost=0.1)
    """
    if reject_cost is not None or costs is not None:
        _inputs.cost_table(0.0 if reject_cost is None else reject_cost, costs)
    options = {"reject_cost": reject_cost, "costs": costs}
    fixed = {name: value for name, value in options.items() if value is not None}
    arguments = ", ".join(f"{name}={value!r}" for name, value in fixed.items())
    return _Scorer(_score_risk, f"make_zero_d_one_risk_scorer({arguments})", **fixed)


#: Negative 0-d-1 risk at the estimator's own costs. To search over costs, see
#: :func:`make_zero_d_one_risk_scorer`.
neg_zero_d_one_risk_scorer = _Scorer(_score_risk, "neg_zero_d_one_risk_scorer")

#: Share of rows that the estimator answers. It is largest for one that never rejects: use it to
#: watch, not to choose.
coverage_scorer = _Scorer(_score_coverage, "coverage_scorer")

#: Accuracy among accepted rows; NaN if there are none, which a search ranks last.
accepted_accuracy_scorer = _Scorer(_score_accepted_accuracy, "accepted_accuracy_scorer")

#: Negative area under the risk-coverage curve. Neither costs nor the band matter to it, so that it
#: takes any classifier of two classes that has a ``decision_function``.
neg_aurc_scorer = _Scorer(_score_aurc, "neg_aurc_scorer")
