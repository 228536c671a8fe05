"""What the two estimators have in common: a fitted model, and all that is asked of it."""

from __future__ import annotations

import html
import json
import os
import re
import secrets
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rampart import _native, metrics
from rampart._errors import ModelError
from rampart._native import REASONS, ZONES, Data, Model, Run
from rampart._options import CHOICES, LENIENCY, LENIENT, label_text, texts_of, threads_of
from rampart._sklearn import (
    HAS_CALLBACKS,
    BaseEstimator,
    CallbackSupportMixin,
    ClassifierMixin,
    ConvergenceWarning,
    NotFittedError,
    callbacks_around,
)
from rampart._tables import (
    Table,
    frame_of,
    is_frame,
    labels_of,
    refuse_width,
    require_columns_of,
    require_finite,
    require_same_length,
    table_of,
    two_classes,
    weights_of,
)
from rampart._waiting import Look, Talk, wait_for


class FittedClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """Prediction, measures and files of an estimator that holds a model of the library."""

    # Learnt attributes that a model file does not have.
    _of_training = frozenset(("support_", "n_support_", "zones_"))

    # Parameters of both estimators; __init__ of each lists them.
    reject_cost: float
    costs: Any
    loss: str
    kernel: str
    categorical: Any
    max_categories: int
    missing: str
    on_incomplete: str
    on_unseen: str
    reject_label: Any
    n_jobs: Any
    verbose: int

    # What a fit learns; `coef_` and others below are made of the model when they are asked for.
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    intercept_: NDArray[np.float64]
    rho_: float
    objective_: float
    history_: NDArray[np.float64]
    n_iter_: int
    support_: NDArray[np.int64]
    n_support_: NDArray[np.int32]
    _model: Model

    # ---- training --------------------------------------------------------------------------------

    def _training_table(self, X: Any) -> Table:
        if self.missing not in CHOICES["missing"]:
            raise ValueError(
                f"missing = {self.missing!r}: must be one of {', '.join(CHOICES['missing'])}"
            )
        table = table_of(
            frame_of(X), self, categorical=self.categorical, max_categories=self.max_categories
        )
        self._require_finite(table)
        if self.kernel == "precomputed" and table.rows != table.columns:
            raise ValueError(
                f"Precomputed matrix must be a square matrix. Input is a {table.rows}x"
                f"{table.columns} matrix."
            )
        return table

    def _accepts_missing(self, is_frame: bool) -> bool:
        return self.missing != "refuse" and (self.missing != "auto" or is_frame)

    @staticmethod
    def _training_data(
        table: Table, classes: NDArray[Any], y: NDArray[np.int8], weights: Any
    ) -> Data:
        data = table.data()
        data.set_labels(y, [label_text(label) for label in classes])
        if weights is not None:
            data.set_weights(weights)
        if table.names is not None:
            data.set_names(table.names)
        for column, names in table.categories.items():
            data.set_categories(column, names)
        return data

    def _parameter_texts(
        self, names: tuple[str, ...], classes: NDArray[Any]
    ) -> list[tuple[str, str]]:
        options = []
        for name in names:
            value = getattr(self, name)
            if name == "missing" and value == "auto":
                continue  # the library's own default; arrays that miss values got no further
            if name == "reject_cost" and self.costs is not None:
                continue
            options += texts_of(name, value, classes.tolist())
        return options

    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        names: tuple[str, ...],
        *,
        groups: Optional[NDArray[np.int64]] = None,
        more: Optional[list[tuple[str, str]]] = None,
        tuning: bool = False,
        before: Optional[Callable[..., None]] = None,
        results: Optional[Callable[[dict[str, Any]], dict[str, Any]]] = None,
    ) -> None:
        """Trains or searches.

        ``before`` is called with all that goes into it, first; ``results`` makes more attributes of
        the report.
        """
        self._leniency()  # a wrong word shows now, not when rows are asked about
        table = self._training_table(X)
        labels = labels_of(y, self)
        require_same_length(table.rows, len(labels))
        weights = weights_of(sample_weight, table.rows)
        if weights is not None:
            _require_both_classes(labels, weights)
        classes, signs = two_classes(labels, self)
        _require_own_label(self.reject_label, classes)
        data = self._training_data(table, classes, signs, weights)
        if groups is not None:
            data.set_groups(groups)
        options = self._parameter_texts(names, classes) + (more or [])
        if before is not None:
            before(table, classes, signs, weights, options)
        run = self._watched(X, y, lambda watch: _native.run(data, options, watch, tuning=tuning))
        learnt = {"classes_": classes, **self._learnt_from(run, table, signs)}
        if results is not None:
            learnt.update(results(run.about))
        self._become(learnt)
        about = run.about.get("training", run.about)
        if about["status"] != "converged":
            _warn_of(about)

    def _become(self, learnt: dict[str, Any]) -> None:
        """All of a fit or nothing of it: Ctrl-C cannot come between."""
        kept = {name: value for name, value in vars(self).items() if not _is_learnt(name)}
        self.__dict__ = {**kept, **learnt}

    def _watched(self, X: Any, y: Any, work: Any) -> Run:
        """Runs it with progress and with scikit-learn's callbacks."""
        talk = Talk(self.verbose)
        with callbacks_around(self):
            rounds = _CallbackRounds(self, X, y)

            def on_look(look: Look) -> bool:
                talk.show(look)
                return rounds.reach(look.round)

            run: Run = wait_for(work, on_look=on_look)
            rounds.end()
        about = run.about.get("training", run.about)
        talk.end(
            f"{about['status']} after {about['rounds']} rounds: R = {about['objective']:.6g}, "
            f"rho = {about['rho']:.4g}, {about['support_vectors']} support vectors"
        )
        return run

    def _learnt_from(self, run: Run, table: Table, signs: NDArray[np.int8]) -> dict[str, Any]:
        about = run.about.get("training", run.about)
        model = run.model(threads_of(self.n_jobs))
        learnt = self._learnt_in(model, table.names)
        learnt["_zones"] = run.zones()
        learnt["n_iter_"] = max(int(about["rounds"]), 1)
        if not _is_linear(model):
            support = run.support()
            positive = int(np.sum(signs[support] > 0))
            learnt["support_"] = support
            learnt["n_support_"] = np.array([len(support) - positive, positive], np.int32)
        return learnt

    @staticmethod
    def _learnt_in(model: Model, names: Optional[list[str]]) -> dict[str, Any]:
        """The learnt attributes that a model file has too."""
        about = model.about
        learnt = {
            "_model": model,
            "n_features_in_": int(about["features"]),
            "intercept_": np.array([_intercept(model)]),
            "rho_": float(about["rho"]),
            "objective_": float(about["objective"]),
            "history_": np.asarray(about["history"], dtype=np.float64),
            "n_iter_": max(int(about["rounds"]), 1),
        }
        if names is not None:
            learnt["feature_names_in_"] = np.asarray(names, dtype=object)
        return learnt

    # ---- what was learnt -------------------------------------------------------------------------

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of a linear model, of shape (1, n_features): f(x) = coef_ · x + intercept_.

        Columns with categories or missing values became several features each, in their order.
        """
        model = self._fitted_model()
        if not _is_linear(model):
            raise AttributeError("coef_ is only available when using a linear kernel")
        weights, factor = model.numbers("weights"), model.numbers("factor")
        return (weights * factor if len(factor) else weights).reshape(1, -1)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the features that the columns became, in the order of ``coef_``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns, if training saw none. None: x0, x1, ...

        Returns
        -------
        names : ndarray of str objects of shape (n_features,)
            The column's own name for a number, ``ward = A`` for a category and ``age is missing``
            where a value was missing, as ``rampart inspect`` writes them.
        """
        model = self._fitted_model()
        columns = self._column_names(model, input_features)
        if not model.about["encoded"]:
            return np.asarray(columns, dtype=object)
        encoding = json.loads(model.content())["encoding"]
        unseen = {
            (entry["column"], code) for entry in encoding["unseen"] for code in entry["codes"]
        }
        known = self._known_categories(model)
        names: list[str] = []
        for j, column in enumerate(columns):
            categories = enumerate(known.get(j, ()))
            of_column = [f"{column} = {name}" for k, name in categories if (j, k) not in unseen]
            names += of_column or [column]
            if j in encoding["indicators"]:
                names.append(f"{column} is missing")
        return np.asarray(names, dtype=object)

    def _column_names(self, model: Model, given: Any) -> list[str]:
        known: list[str] = model.about["columns"]["names"]
        if given is None:
            return known or [f"x{j}" for j in range(self.n_features_in_)]
        names = [str(name) for name in given]
        if known and names != known:
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features "
                f"({self.n_features_in_}), got {len(names)}"
            )
        return names

    @property
    def dual_coef_(self) -> NDArray[np.float64]:
        """Coefficients of the support vectors, of shape (1, n_vectors)."""
        model = self._fitted_model()
        if _is_linear(model):
            raise AttributeError("dual_coef_ is not available when using a linear kernel")
        return model.numbers("coefficients").reshape(1, -1)

    @property
    def support_vectors_(self) -> Any:
        """The support vectors in the features as they are given, up to rounding of the scaling."""
        model = self._fitted_model()
        if _is_linear(model):
            raise AttributeError("support_vectors_ is not available when using a linear kernel")
        values, columns = model.numbers("vectors"), int(model.about["vector_columns"])
        if model.about["sparse_vectors"]:
            from scipy import sparse

            starts, indices = model.whole_numbers("starts"), model.whole_numbers("indices")
            return sparse.csr_matrix((values, indices, starts), shape=(len(starts) - 1, columns))
        vectors = values.reshape(-1, columns) if columns else values.reshape(0, 0)
        offset, factor = model.numbers("offset"), model.numbers("factor")
        if not len(offset):
            return vectors
        constant = factor == 0
        return np.where(constant, offset, vectors / np.where(constant, 1, factor) + offset)

    @property
    def zones_(self) -> NDArray[np.str_]:
        """The part of the double ramp loss that each training row lies on.

        ``safe``, ``margin``, ``plateau``, ``near_miss``, ``ignored_outlier``; ``dropped`` for rows
        that were left out.
        """
        self._fitted_model()
        zones: NDArray[np.int8] = vars(self).get("_zones", np.empty(0, np.int8))
        if not len(zones):
            raise AttributeError("zones_ belong to a training with the double ramp loss")
        return np.asarray(ZONES)[zones]

    if not TYPE_CHECKING:  # mypy would let every attribute pass

        def __getattr__(self, name: str) -> Any:
            """Says why a loaded estimator lacks what belongs to its training."""
            own = vars(self)
            if name in self._of_training and "_model" in own and "_zones" not in own:
                raise AttributeError(
                    f"{name} belongs to the training and is not kept in model files; pickle and "
                    "joblib keep it"
                )
            # Raises as if this method were not here, with the words of a property if it is one.
            return object.__getattribute__(self, name)

    def _fitted_model(self) -> Model:
        model: Optional[Model] = self.__dict__.get("_model")
        if model is None:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    # ---- answers ---------------------------------------------------------------------------------

    def _rows(self, X: Any) -> tuple[Model, Table]:
        """The model for n_jobs threads, and rows in its columns."""
        model = self._fitted_model().with_threads(threads_of(self.n_jobs))
        X = frame_of(X)
        names: Optional[NDArray[Any]] = self.__dict__.get("feature_names_in_")
        # Columns are looked at before what is in them. One row of numbers, the commonest case of a
        # service, goes the shortest way.
        if names is not None or is_frame(X):
            require_columns_of(
                X, self.n_features_in_, None if names is None else names.tolist(), self
            )
        table = table_of(X, self, known=self._known_categories(model))
        if table.columns != self.n_features_in_:
            refuse_width(table.columns, self.n_features_in_, self)
        return model, table

    @staticmethod
    def _known_categories(model: Model) -> dict[int, list[str]]:
        columns = model.about["columns"]["categories"]
        return {j: names for j, names in enumerate(columns) if names}

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """f(x) of each row: positive for ``classes_[1]``, rejected where ``|f(x)| <= rho_``.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.

        Returns
        -------
        scores : ndarray of shape (n_samples,)

        Raises
        ------
        ValueError
            If there is a row that f is not computed for: a value is missing that no training row
            missed, a category is unseen, or a cell of a data frame cannot be read.
            ``on_incomplete`` and ``on_unseen`` say what else may become of the first two.
        """
        model, table = self._rows(X)
        if not table.unreadable and not self._leniency():
            with suppress(ValueError, ModelError):  # of rows, which are looked at one by one below
                return model.scores(table.data(), table.rows)
        _, reasons, columns, scores = self._answers(model, table)
        unknown = np.flatnonzero(np.isnan(scores))
        if len(unknown):
            row = int(unknown[0])
            reason = self._reason(model, table, table.data(), row, int(reasons[row]), columns[row])
            advice = {
                "incomplete": ", and on_incomplete='impute' would answer it",
                "unseen": ", and on_unseen='ignore' would answer it",
            }
            raise ValueError(
                f"{len(unknown)} of {table.rows} rows get no score, the first of them row {row} "
                f"({reason}): predict_with_reject(X) rejects such a row, reasons(X) tells "
                f"why{advice.get(REASONS[reasons[row]], '')}"
            )
        return scores

    def _scores_or_nan(self, X: Any) -> NDArray[np.float64]:
        """f(x), NaN where it is not computed: of rows that are rejected whatever the band."""
        return self._answers(*self._rows(X))[3]

    def _leniency(self) -> int:
        """What the library calls the choices for incomplete and unseen rows."""
        flags = 0
        for name in ("on_incomplete", "on_unseen"):
            value, lenient = getattr(self, name), LENIENT[name]
            if value not in ("reject", lenient):
                raise ValueError(f"{name} = {value!r}: must be 'reject' or '{lenient}'")
            if value == lenient:
                flags |= LENIENCY[name]
        return flags

    def _require_finite(self, table: Table) -> None:
        require_finite(table, missing=self._accepts_missing(table.is_frame), estimator=self)

    def _answers(
        self, model: Model, table: Table
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], NDArray[np.float64]]:
        self._require_finite(table)
        found = model.answers(table.data(), table.rows, self._leniency())
        decisions, reasons, columns, scores = found
        rejected = (reasons == REASONS.index("incomplete")) | (reasons == REASONS.index("unseen"))
        scores[rejected] = np.nan
        for row in table.unreadable:
            decisions[row], reasons[row], columns[row] = 0, REASONS.index("unreadable"), -1
            scores[row] = np.nan
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """A class for each row.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            With ``reject_label=None`` every row is answered by the sign of f, also where the model
            would rather decline: see `reject`. Otherwise rejected rows get ``reject_label``.

        Raises
        ------
        ValueError
            With ``reject_label=None``, if there is a row of which f is not computed: see
            `decision_function`.
        """
        if self.reject_label is not None:
            return self.predict_with_reject(X)
        positive = self.decision_function(X) > 0
        answers: NDArray[Any] = self.classes_[positive.astype(np.intp)]
        return answers

    def predict_with_reject(self, X: Any) -> NDArray[Any]:
        """A class for each row, or no answer.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Rejected rows hold ``reject_label``, or the text "reject" if that is None.
        """
        model, table = self._rows(X)
        _require_own_label(self.reject_label, self.classes_)
        decisions, _, _, _ = self._answers(model, table)
        label = "reject" if self.reject_label is None else self.reject_label
        answers: NDArray[Any] = self.classes_[(decisions > 0).astype(np.intp)]
        return _with_label(answers, decisions == 0, label)

    def reject(self, X: Any) -> NDArray[np.bool_]:
        """Which rows the model declines to answer.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.

        Returns
        -------
        mask : ndarray of bool of shape (n_samples,)
        """
        model, table = self._rows(X)
        decisions, _, _, _ = self._answers(model, table)
        return np.asarray(decisions == 0)

    def reasons(self, X: Any) -> NDArray[Any]:
        """Why rows are rejected, in words.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.

        Returns
        -------
        reasons : ndarray of str objects of shape (n_samples,)
            Empty for an answer. Otherwise ``ambiguous`` (f(x) lies in the band), ``unfamiliar``
            (unlike the training rows), ``incomplete`` (a value is missing that no training row
            missed), ``unseen`` (a category that no training row had) or ``unreadable`` (text where
            training had numbers), followed by the column and its value, if it is about one.
        """
        model, table = self._rows(X)
        _, reasons, columns, _ = self._answers(model, table)
        words = np.array(REASONS, dtype=object)[reasons]
        data = table.data()
        for row in np.flatnonzero(reasons > REASONS.index("ambiguous")).tolist():
            words[row] = self._reason(model, table, data, row, int(reasons[row]), columns[row])
        return words

    def _reason(
        self, model: Model, table: Table, data: Data, row: int, reason: int, column: int
    ) -> str:
        """Why a row is rejected, with the text of the cell and the name of the column."""
        if row in table.unreadable:
            return f"unreadable: {table.unreadable[row]}"
        if REASONS[reason] == "ambiguous" or column < 0:
            return REASONS[reason]
        text = model.reason(data, row, self._leniency())
        if not model.about["columns"]["names"]:  # the library counts columns from 1
            text = re.sub(r"column \d+ ", f"column {table.column_name(column)} ", text, count=1)
        unseen = table.unseen.get((row, int(column)))
        if unseen is not None:
            text = text.replace(
                "holds a category that training never met",
                f"is {unseen!r}, which training never met",
            )
        return text

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """One minus the 0-d-1 risk: a wrong answer costs 1, declining costs ``reject_cost``.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of training.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.

        Returns
        -------
        score : float
            With ``costs`` it is one minus the mean cost, which may be negative.
        """
        answers = self.predict_with_reject(X)
        label = "reject" if self.reject_label is None else self.reject_label
        risk = metrics.zero_d_one_risk(
            y,
            answers,
            reject_cost=self.reject_cost,
            costs=self.costs,
            pos_label=self.classes_[1],
            reject_label=label,
            sample_weight=sample_weight,
        )
        return 1.0 - float(risk)

    # ---- files -----------------------------------------------------------------------------------

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the model file of the command: ``rampart predict`` and `load` read it.

        The file appears whole or not at all.

        Parameters
        ----------
        path : str or path
            Where it goes. A file of that name is replaced.
        """
        content = self._fitted_model().content()
        target = Path(path)
        if target.is_dir():
            raise IsADirectoryError(f"{target} is a folder: name a file in it")
        if not target.parent.is_dir():
            raise FileNotFoundError(f"{target}: there is no folder {target.parent}")
        aside = target.parent / f".{target.name}.{secrets.token_hex(8)}"
        # The mode that the process gives its files, as open() would.
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, target)
        except BaseException:
            os.unlink(aside)
            raise

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]], **params: Any) -> Any:
        """An estimator from a model file, written by `save` or by ``rampart train``.

        Parameters
        ----------
        path : str or path
            The model file.
        **params
            Parameters of the estimator that are not in the file: ``reject_label``, ``n_jobs``.

        Returns
        -------
        estimator : a fitted estimator of this class
            ``classes_`` are booleans, whole numbers or floats if both labels in the file are, else
            text.
            Attributes of a training that the file lacks (``support_``, ``zones_``) are missing.
        """
        estimator: Any = cls(**params)
        try:
            model = Model.load(Path(path).read_bytes(), threads_of(estimator.n_jobs))
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error
        estimator._adopt(model)
        return estimator

    def _adopt(self, model: Model) -> None:
        about = model.about
        learnt = self._learnt_in(model, about["columns"]["names"] or None)
        self._become({"classes_": _labels_in(about["classes"]), **learnt})
        self.loss = about["loss"].replace("-", "_")
        self.kernel = about["kernel"]
        if about["reject_cost"] is not None:
            self.reject_cost = about["reject_cost"]
        else:
            self.costs = tuple(about["costs"].values())
        self.missing = "indicator" if any(about["columns"]["misses"]) else "auto"
        # What a refit or a clone would need; the search has lists instead of some.
        known = self.get_params()
        learnt = {name: about[name] for name in ("C", "mu")} | about["kernel_options"]
        learnt["scale"] = "none" if about["scaling"] == "centre" else about["scaling"]
        self.set_params(**{name: value for name, value in learnt.items() if name in known})

    # ---- scikit-learn ----------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._accepts_missing(is_frame=False)
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {
            "binary_only": True,
            "allow_nan": self._accepts_missing(is_frame=False),
            "pairwise": self.kernel == "precomputed",
        }

    def _repr_html_(self) -> str:
        name = html.escape(type(self).__name__)
        if "_model" not in self.__dict__:
            return f"<pre>{html.escape(repr(self))}</pre><p>{name}, not fitted</p>"
        about = self._model.about
        facts = [
            ("loss", about["loss"]),
            ("kernel", about["kernel"]),
            ("reject cost d", about["reject_cost"]),
            ("classes", ", ".join(map(str, self.classes_))),
            ("features", self.n_features_in_),
            ("training rows", about["rows"]),
            ("objective R", f"{self.objective_:.6g} ({about['status']})"),
            ("rejects where |f(x)| &le;", f"{self.rho_:.4g}"),
        ]
        rows = "".join(
            f"<tr><th style='text-align:left'>{key}</th>"
            f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
            for key, value in facts
            if value is not None
        )
        return f"<table><caption>{name}</caption>{rows}</table>"


def _is_learnt(name: str) -> bool:
    """Whether an attribute is of a fit, by its name."""
    return name in ("_model", "_zones") or (name.endswith("_") and not name.startswith("_"))


def _is_linear(model: Model) -> bool:
    return bool(model.about["kernel"] == "linear")


def _intercept(model: Model) -> float:
    """b of f(x) = w·x + b in the features as they are given; of kernels, b itself."""
    b = float(model.about["b"])
    offset, factor = model.numbers("offset"), model.numbers("factor")
    if not _is_linear(model) or not len(offset):
        return b
    return b - float(np.dot(model.numbers("weights"), offset * factor))


class _CallbackRounds:
    """Tells scikit-learn's callbacks of the rounds of a training."""

    def __init__(self, estimator: Any, X: Any, y: Any) -> None:
        self._estimator = estimator
        self._rows = {"X": X, "y": y}
        self._context: Any = None
        self._round: Any = None
        self._reached = 0
        if HAS_CALLBACKS and hasattr(estimator, "_skl_callbacks"):
            self._context = estimator._init_callback_context(max_subtasks=None)
            self._context.call_on_fit_task_begin(estimator=estimator, **self._rows)

    def reach(self, number: int) -> bool:
        """Begins and ends rounds up to this one; whether a callback wants to stop."""
        stop = False
        while self._context is not None and self._reached < number:
            stop = self._end_round() or stop
            self._reached += 1
            self._round = self._context.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(estimator=self._estimator, **self._rows)
        return stop

    def _end_round(self) -> bool:
        if self._round is None:
            return False
        ended = self._round
        self._round = None
        return bool(ended.call_on_fit_task_end(estimator=self._estimator, **self._rows))

    def end(self) -> None:
        if self._context is not None:
            self._end_round()
            self._context.call_on_fit_task_end(estimator=self._estimator, **self._rows)


def _with_label(answers: NDArray[Any], rejected: NDArray[np.bool_], label: Any) -> NDArray[Any]:
    """The answers with a label of its own for rejected rows, in a type that holds both."""
    found = answers.astype(_type_of_both(answers, np.asarray(label)))
    found[rejected] = label
    return found


def _type_of_both(one: NDArray[Any], other: NDArray[Any]) -> Any:
    """The type of text or of numbers that holds the values of both as they are, else object."""
    kinds = {one.dtype.kind, other.dtype.kind}
    if not (kinds == {"U"} or kinds <= set("fiu")):
        return object
    both = np.promote_types(one.dtype, other.dtype)
    whole = [values for values in (one, other) if values.dtype.kind in "iu"]
    if both.kind == "f" and any(np.any(np.abs(v.astype(float)) >= 2**53) for v in whole):
        return object  # floats skip numbers there
    return both


def _require_own_label(label: Any, classes: NDArray[Any]) -> None:
    """A rejection must not look like an answer."""
    wanted = "reject" if label is None else label
    if np.ndim(wanted) != 0 or isinstance(wanted, (np.ndarray, set, dict)):
        raise ValueError(
            f"reject_label = {wanted!r}: must be one value, such as a text or a number"
        )
    if isinstance(wanted, str):
        wanted = wanted.rstrip("\0")  # as numpy does
    if any(bool(wanted == known) for known in classes.tolist()):
        raise ValueError(
            f"{wanted!r} is a class, and would stand for a rejection too: reject_label must be "
            "something else"
        )


def _require_both_classes(labels: NDArray[Any], weights: NDArray[np.float64]) -> None:
    present = np.unique(labels[weights > 0])
    if len(present) < 2 <= len(np.unique(labels)):
        raise ValueError(
            "only one class is present in the rows whose sample_weight is not zero: "
            f"{present.tolist()}"
        )


def _labels_in(names: list[str]) -> NDArray[Any]:
    """The classes of a file: booleans or numbers if both are written as such."""
    if [name.lower() for name in names] == ["false", "true"]:
        return np.array([False, True])
    for read, dtype in ((int, np.int64), (int, np.uint64), (float, np.float64)):
        try:
            values = [read(name) for name in names]
            found = np.array(values, dtype)
        except (ValueError, OverflowError):
            continue
        if np.isfinite(found).all() and [label_text(value) for value in values] == names:
            return found
    return np.array(names)


def _warn_of(about: dict[str, Any]) -> None:
    advice = {
        "round_limit": "a larger max_iter allows more rounds",
        "step_limit": "a larger max_steps, scaled features or a smaller C often help",
        "time_limit": "a larger max_seconds allows more",
        "cancelled": "it was stopped",
        "stationary": "the kernel is not known to be positive semidefinite, so that nothing bounds "
        "how much lower the objective could be",
        "stalled": "scaled features or a smaller C often help",
    }
    status = about["status"].replace("-", "_").replace(" ", "_")
    warnings.warn(
        f"training did not converge: {about['status']} after {about['rounds']} rounds, violation "
        f"{about['violation']:.2g}; {advice.get(status, 'the best model so far is kept')}",
        ConvergenceWarning,
        stacklevel=5,
    )
