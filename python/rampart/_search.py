"""RejectOptionClassifierCV."""

from __future__ import annotations

import numbers
import warnings
from functools import partial
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from rampart import _native, metrics
from rampart._cells import is_missing
from rampart._classifier import FittedClassifier
from rampart._options import TRAINING, number_text, threads_of
from rampart._tables import Table, labels_of, require_same_length
from rampart._waiting import wait_for

Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]

# What the grid has lists for, by the parameter that holds the list.
_GRID = {"Cs": "C", "gammas": "gamma", "mus": "mu", "training_costs": "training-cost"}
_PLAIN = tuple(name for name in TRAINING if name not in _GRID.values())


class RejectOptionClassifierCV(FittedClassifier):
    """A classifier that may decline to answer, with C, gamma and more chosen by cross-validation.

    Every point of a grid is cross-validated on the same folds. The point of least 0-d-1 risk is
    trained on all rows. All points of one kernel share its values, which saves time over
    `sklearn.model_selection.GridSearchCV` with `RejectOptionClassifier`; that class in turn takes
    any splitter and any scorer.

    Parameters
    ----------
    reject_cost : float, default=0.2
        Cost d of declining, where a wrong answer costs 1; 0 < d <= 0.5. Larger: fewer rows are
        rejected.
    loss : {'double_ramp', 'double_hinge', 'generalized_hinge', 'hinge'}, default='double_ramp'
        What is minimised.
    Cs : list of floats, default=None
        Weights of the loss to choose from; each larger one fits the training rows more closely.
        None: 2^-3, 2^-1, ..., 2^9, and further where the best lies at an end.
    gammas : list of floats, 'scale' or 'auto', default=None
        Widths of the kernel to choose from. None: 2^-9, 2^-7, ..., 2^3, and further likewise.
    mus : list of floats, default=None
        Widths of the ramps to choose from. None: 1.
    training_costs : list of floats, default=None
        Reject costs d' to train with, while answers cost d. None: d.
    kernel : {'rbf', 'linear', 'polynomial', 'poly', 'sigmoid', 'precomputed'}, default='rbf'
        How rows are compared.
    degree : int, default=3
        Of the polynomial kernel. Larger: a more wiggly surface.
    coef0 : float, default=0.0
        Of the polynomial and sigmoid kernels. Larger: lower degrees count more.
    costs : tuple of four floats, default=None
        Cost of a false positive, of a false negative, of rejecting a positive and of rejecting a
        negative, instead of ``reject_cost``. Larger: that outcome becomes rarer.
    class_weight : dict or 'balanced', default=None
        Rows of a class count so many times; 'balanced': both classes count the same. Larger: fewer
        errors in that class.
    scale : {'auto', 'standard', 'minmax', 'none'}, default='auto'
        Scale the features, and remember how in the model. 'auto': standard for data of which at
        least half of the values are not 0, none for others.
    missing : {'auto', 'indicator', 'median', 'drop', 'refuse'}, default='auto'
        What becomes of missing values: the median, with a 0/1 feature that says so ('indicator') or
        without ('median'); or their rows are dropped, or refused. 'auto': 'indicator' for data
        frames; NaN in an array is refused.
    categorical : list of column names or numbers, default=None
        Columns of numbers that are categories. Categorical and boolean columns of a data frame
        always are, and columns with a cell of text that is no number.
    max_categories : int, default=100
        A column of text with more different values is refused. Larger: more memory and features.
    unfamiliar : float, default=0.005
        Reject rows unlike the training rows: at most this share of rows like them; 0: none. Larger:
        more rows count as unlike.
    on_incomplete : {'reject', 'impute'}, default='reject'
        Rows to predict that miss a value which no training row missed: 'impute' fills in the median
        of training, and answers.
    on_unseen : {'reject', 'ignore'}, default='reject'
        Rows to predict with a category that no training row had: 'ignore' answers without it.
    reject_label : object, default=None
        What `predict` returns for rejected rows. None: `predict` answers every row.
    band_folds : int, default=None
        Choose the band on the scores of so many inner folds; 0: the band of the loss. None: 5 for
        the hinge loss, which has none of its own, 0 for the others. Larger: longer training.
    landmarks : int, default=None
        For many rows: the part of the RBF kernel that so many training rows span (Nyström). Larger:
        closer to the kernel, and longer training.
    fourier_features : int, default=None
        For many rows: so many random Fourier features instead of the RBF kernel. Larger: closer to
        the kernel, and longer training.
    solver : {'auto', 'linear', 'smo'}, default='auto'
        'smo' works on kernel rows, 'linear' on w itself. 'auto': linear where the kernel is.
    precision : {'auto', 'single', 'double'}, default='auto'
        Of kernel rows. 'auto': double up to 2048 rows or below ``tol=1e-5``.
    cv : int, splitter or list of (train, test), default=5
        Folds. A number (None: 5): stratified, or whole groups if `fit` gets groups. Otherwise
        splits whose test parts hold every row once, as those of KFold, StratifiedKFold and
        LeaveOneGroupOut do.
    n_repeats : int, default=1
        How often rows are dealt into folds anew, if ``cv`` is a number. Larger: steadier, longer.
    random_state : int, default=None
        Another number, other folds, if ``cv`` is a number. None is the same as 1.
    nested : bool, default=False
        Whether to estimate also what the whole choice gives on rows it has not seen: takes as many
        times longer as there are folds. If ``cv`` gives splits, each search inside has one fewer.
    tol : float, default=1e-3
        Largest violation of the optimality conditions that is left, in units of f. Larger: sooner
        done, and less exact.
    max_iter : int, default=100
        Convex rounds at most. Larger: hard problems get further.
    max_steps : int, default=None
        Steps of the solver at most. None: ten million, or 100 per row if that is more. Larger: hard
        problems get further.
    max_seconds : float, default=None
        Seconds of training, after which the best model so far is taken. None: no limit.
    cache_size : float, default=None
        Memory for kernel rows in MB, taken as it is needed. None: half of the memory there is.
        Larger: faster, up to the size of the kernel matrix. Does not change results.
    n_jobs : int, default=None
        Threads; None is 1, -1 all. Does not change results.
    verbose : int, default=0
        Whether to show progress: as a bar in a notebook that has tqdm, elsewhere on stderr, where
        a line is added every 5 s if that is no terminal.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted. The second is the positive class: f > 0.
    n_features_in_ : int
        Columns of the training rows.
    feature_names_in_ : ndarray of str objects
        Their names, if the training rows were a data frame with names of text.
    coef_ : ndarray of shape (1, n_features)
        Linear kernel: the weights of the features as they are given;
        `get_feature_names_out` has their names.
    intercept_ : ndarray of shape (1,)
        b of f(x) = coef_ · x + b, or of f(x) = dual_coef_ · k(support_vectors_, x) + b in scaled
        features.
    support_ : ndarray of shape (n_vectors,)
        Other kernels: which training rows are support vectors.
    n_support_ : ndarray of shape (2,)
        Other kernels: how many of them each class has.
    support_vectors_ : ndarray or sparse matrix of shape (n_vectors, n_features)
        Other kernels: these rows.
    dual_coef_ : ndarray of shape (1, n_vectors)
        Other kernels: their coefficients.
    rho_ : float
        Half width of the rejection band.
    n_iter_ : int
        Convex rounds.
    objective_ : float
        What training minimised, at the model.
    history_ : ndarray of shape (n_iter_,)
        The objective after each round.
    cv_results_ : dict of arrays
        The points and their results as `sklearn.model_selection.GridSearchCV` has them. A score is
        one minus the 0-d-1 risk; a mean counts every row once.
    best_index_, best_params_, best_score_ : int, dict, float
        The point that was chosen. Its score was the best of many and is therefore too good. A
        ``training_cost`` in it belongs to the search alone.
    nested_score_ : float
        An honest estimate of it, if ``nested``.
    n_splits_ : int
        Folds, times repetitions.
    zones_ : ndarray of str of shape (n_samples,)
        Double ramp loss: the part of the loss that each training row lies on.

    See Also
    --------
    RejectOptionClassifier : The same with parameters that are given.

    Examples
    --------
    >>> import numpy as np
    >>> from rampart import RejectOptionClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 2))
    >>> y = X[:, 0] + rng.normal(scale=0.5, size=100) > 0
    >>> model = RejectOptionClassifierCV(Cs=[0.5, 1, 2], kernel="linear").fit(X, y)
    >>> len(model.cv_results_["params"])
    3
    """

    _of_training = FittedClassifier._of_training | frozenset(
        ("cv_results_", "best_index_", "best_params_", "best_score_", "nested_score_", "n_splits_")
    )

    cv_results_: dict[str, Any]
    best_index_: int
    best_params_: dict[str, Any]
    best_score_: float
    nested_score_: float
    n_splits_: int

    def __init__(
        self,
        *,
        reject_cost: float = 0.2,
        loss: str = "double_ramp",
        Cs: Any = None,
        gammas: Any = None,
        mus: Any = None,
        training_costs: Any = None,
        kernel: str = "rbf",
        degree: int = 3,
        coef0: float = 0.0,
        costs: Optional[tuple[float, float, float, float]] = None,
        class_weight: Any = None,
        scale: str = "auto",
        missing: str = "auto",
        categorical: Any = None,
        max_categories: int = 100,
        unfamiliar: float = 0.005,
        on_incomplete: str = "reject",
        on_unseen: str = "reject",
        reject_label: Any = None,
        band_folds: Optional[int] = None,
        landmarks: Optional[int] = None,
        fourier_features: Optional[int] = None,
        solver: str = "auto",
        precision: str = "auto",
        cv: Any = 5,
        n_repeats: int = 1,
        random_state: Optional[int] = None,
        nested: bool = False,
        tol: float = 1e-3,
        max_iter: int = 100,
        max_steps: Optional[int] = None,
        max_seconds: Optional[float] = None,
        cache_size: Optional[float] = None,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.reject_cost = reject_cost
        self.loss = loss
        self.Cs = Cs
        self.gammas = gammas
        self.mus = mus
        self.training_costs = training_costs
        self.kernel = kernel
        self.degree = degree
        self.coef0 = coef0
        self.costs = costs
        self.class_weight = class_weight
        self.scale = scale
        self.missing = missing
        self.categorical = categorical
        self.max_categories = max_categories
        self.unfamiliar = unfamiliar
        self.on_incomplete = on_incomplete
        self.on_unseen = on_unseen
        self.reject_label = reject_label
        self.band_folds = band_folds
        self.landmarks = landmarks
        self.fourier_features = fourier_features
        self.solver = solver
        self.precision = precision
        self.cv = cv
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.nested = nested
        self.tol = tol
        self.max_iter = max_iter
        self.max_steps = max_steps
        self.max_seconds = max_seconds
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> RejectOptionClassifierCV:
        """Chooses the parameters, and trains with them on all rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Labels, of two different values.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts; >= 0.
        groups : array-like of shape (n_samples,), default=None
            Who each row belongs to: rows of a group are never on both sides of a fold.

        Returns
        -------
        self : RejectOptionClassifierCV
        """
        more, numbered = self._folds(X, y, groups)
        nested: list[float] = []

        def before(*rows: Any) -> None:
            if self.nested and not self._has_number_of_folds():
                nested.append(self._nested_score(numbered, *rows))

        def results(about: dict[str, Any]) -> dict[str, Any]:
            return _results_in(about) | ({"nested_score_": nested[0]} if nested else {})

        self._fit(
            X,
            y,
            sample_weight,
            _PLAIN,
            groups=numbered,
            more=[*self._grid_texts(), *more],
            tuning=True,
            before=before,
            results=results,
        )
        return self

    def _has_number_of_folds(self) -> bool:
        is_number = isinstance(self.cv, numbers.Integral) and not isinstance(self.cv, bool)
        return self.cv is None or is_number

    def _nested_score(
        self,
        fold_of: Any,
        table: Table,
        classes: NDArray[Any],
        signs: NDArray[np.int8],
        weights: Optional[NDArray[np.float64]],
        options: list[tuple[str, str]],
    ) -> float:
        """What the whole choice gives, on each test part after a search on the other parts.

        The library would deal the rows of each search into as many folds as there are test parts,
        and one of these is missing then.
        """
        folds = int(fold_of.max()) + 1
        if folds < 3:
            raise ValueError(
                f"nested: cv has {folds} splits, and must have 3 at least: without one of them the "
                "search needs two"
            )
        inner = [pair for pair in options if pair[0] != "folds"] + [("folds", str(folds - 1))]
        decisions = np.empty(len(signs), np.int8)
        for k in range(folds):
            test = fold_of == k
            part = table.part(~test, self.kernel == "precomputed")
            data = self._training_data(
                part, classes, signs[~test], None if weights is None else weights[~test]
            )
            data.set_groups(np.ascontiguousarray(fold_of[~test]))
            run = wait_for(partial(_native.run, data, inner, tuning=True))
            model = run.model(threads_of(self.n_jobs))
            tested = table.part(test, False, ~test if self.kernel == "precomputed" else None)
            decisions[test] = model.answers(tested.data(), tested.rows)[0]
        return 1 - metrics.zero_d_one_risk(
            signs,
            decisions,
            reject_cost=self.reject_cost,
            costs=self.costs,
            pos_label=1,
            reject_label=0,
            sample_weight=weights,
        )

    def _grid_texts(self) -> list[tuple[str, str]]:
        texts = []
        for name, option in _GRID.items():
            values = getattr(self, name)
            if values is None:
                continue
            if name == "gammas" and isinstance(values, str) and values in ("scale", "auto"):
                texts.append((option, values))
                continue
            has_text = np.ndim(values) == 1 and any(isinstance(value, str) for value in values)
            if has_text or np.ndim(values) != 1 or len(values) == 0:
                # A number alone would be the number of points in LogisticRegressionCV.
                alone = ", or 'scale' or 'auto'" if name == "gammas" else ""
                raise ValueError(
                    f"{name} = {values!r}: must be a list of numbers, such as [0.5, 1, 2]{alone}"
                )
            texts.append((option, ",".join(number_text(value, name) for value in values)))
        return texts

    def _folds(
        self, X: Any, y: Any, groups: Any
    ) -> tuple[list[tuple[str, str]], Optional[NDArray[np.int64]]]:
        """Options for the folds, and the groups that make them."""
        if groups is not None:
            groups = _numbered(groups)
            require_same_length(len(labels_of(y, self)), len(groups))
        if self._has_number_of_folds():
            options = [
                ("nested", "yes" if self.nested else "no"),
                ("folds", str(_folds_for(y, 5 if self.cv is None else int(self.cv), self))),
                ("repeats", str(self.n_repeats)),
            ]
            if self.random_state is not None:
                options.append(("seed", number_text(self.random_state, "random_state")))
            return options, groups
        if self.n_repeats != 1:
            raise ValueError(
                f"n_repeats = {self.n_repeats!r}: repeats folds that cv = 5, or another number, "
                "deals; a splitter deals its own"
            )
        splits = self._splits(X, y, groups)
        # Each test part is a group of its own: then the library has no other way to make folds.
        options = [("folds", str(len(splits))), ("repeats", "1"), ("stratify", "no")]
        return options, _fold_of_each_row(splits, len(labels_of(y, self)))

    def _splits(self, X: Any, y: Any, groups: Any) -> Splits:
        if hasattr(self.cv, "get_n_splits"):
            return list(self.cv.split(X, y, groups))
        try:
            return [(np.asarray(train), np.asarray(test)) for train, test in self.cv]
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"cv = {self.cv!r}: must be a number, a splitter of scikit-learn or a list of "
                "(train, test)"
            ) from error


def _results_in(about: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a search, from its report."""
    points = about["points"]
    params = [_params(point) for point in points]
    names = list(dict.fromkeys(name for point in params for name in point))
    results: dict[str, Any] = {"params": params}
    for name in names:
        values = [point.get(name) for point in params]
        results[f"param_{name}"] = np.ma.MaskedArray(
            np.array(values, dtype=object), mask=[value is None for value in values]
        )
    scores = np.array([[1 - _risk(fold) for fold in point["results"]] for point in points])
    for k in range(scores.shape[1]):
        results[f"split{k}_test_score"] = scores[:, k]
    results["mean_test_score"] = np.array([1 - _risk(point) for point in points])
    results["std_test_score"] = scores.std(axis=1)
    results["rank_test_score"] = _ranks(results["mean_test_score"])
    for measure in ("rejection_rate", "accepted_accuracy", "aurc"):
        results[f"mean_test_{measure}"] = np.array(
            [_number(point[measure]["mean"]) for point in points]
        )
    best = int(about["best"])
    found = {
        "cv_results_": results,
        "n_splits_": int(scores.shape[1]),
        "best_index_": best,
        "best_params_": params[best],
        "best_score_": float(results["mean_test_score"][best]),
    }
    if about["nested"] is not None:
        found["nested_score_"] = 1 - _risk(about["nested"])
    return found


def _numbered(groups: Any) -> NDArray[np.int64]:
    """Groups of any names as numbers from 0."""
    found = np.asarray(groups.to_numpy() if hasattr(groups, "to_numpy") else groups)
    if found.ndim != 1:
        raise ValueError("groups should be a 1d array")
    if found.dtype.kind in "fO" and any(is_missing(group) for group in found):
        raise ValueError("Input groups contains NaN.")
    try:
        return np.unique(found, return_inverse=True)[1].astype(np.int64).ravel()
    except TypeError as error:
        raise ValueError("groups: must be all numbers or all text") from error


def _folds_for(y: Any, folds: int, estimator: Any) -> int:
    """So many folds, or fewer, with a warning, if a class has not enough rows for each."""
    classes, counts = np.unique(labels_of(y, estimator), return_counts=True)
    fewest = int(counts.min())
    if len(classes) != 2 or fewest >= folds:
        return folds
    if fewest < 2:
        raise ValueError(
            f"n_splits={folds} cannot be greater than the number of members in each class: the "
            f"least populated class in y has only {fewest} member."
        )
    warnings.warn(
        f"The least populated class in y has only {fewest} members, which is less than "
        f"n_splits={folds}: there are {fewest} folds.",
        UserWarning,
        stacklevel=4,
    )
    return fewest


def _params(point: dict[str, Any]) -> dict[str, Any]:
    return {name: point[name] for name in ("C", "gamma", "mu", "training_cost") if name in point}


def _risk(result: dict[str, Any]) -> float:
    """The risk of a point or a fold, by the weights of the rows if they have any."""
    risk = result.get("weighted_risk", result["risk"])
    return float(risk["mean"] if isinstance(risk, dict) else risk)


def _number(value: Optional[float]) -> float:
    return float("nan") if value is None else value


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.int32]:
    """1 for the best; equal scores share the best rank."""
    return np.array([1 + np.sum(scores > score) for score in scores], dtype=np.int32)


def _fold_of_each_row(splits: Splits, rows: int) -> NDArray[np.int64]:
    fold_of = np.full(rows, -1, dtype=np.int64)
    for k, (train, test) in enumerate(splits):
        part = np.zeros(rows, dtype=np.int8)
        try:
            np.add.at(part, train, 1)
            np.add.at(part, test, 1)
        except IndexError as error:
            raise ValueError(f"cv: split {k} names rows that X does not have") from error
        if (part != 1).any() or (fold_of[test] >= 0).any():
            raise ValueError(
                "cv: every row must be in the test part of exactly one split, and in the training "
                "part of all others; GridSearchCV takes other splits"
            )
        fold_of[test] = k
    if (fold_of < 0).any():
        raise ValueError("cv: some rows are in no test part")
    return fold_of
