"""The estimators are scikit-learn's in every way that scikit-learn checks, and with its tools."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from conftest import make_rows

from rampart import RejectOptionClassifier, RejectOptionClassifierCV, metrics

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.ensemble import StackingClassifier  # noqa: E402
from sklearn.inspection import permutation_importance  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import (  # noqa: E402
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

LOSSES = ["double_ramp", "double_hinge", "generalized_hinge", "hinge"]
KERNELS = ["rbf", "linear"]

CHECKED = [
    cls(loss=loss, kernel=kernel)
    for cls in (RejectOptionClassifier, RejectOptionClassifierCV)
    for loss in LOSSES
    for kernel in KERNELS
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_three_classes_name_what_to_do():
    X, _ = make_rows(60)
    y = np.arange(60) % 3
    with pytest.raises(ValueError, match="Only binary classification is supported") as raised:
        RejectOptionClassifier().fit(X, y)
    assert "OneVsRestClassifier" in str(raised.value)
    several = OneVsRestClassifier(RejectOptionClassifier()).fit(X, y)
    assert set(several.predict(X)) <= {0, 1, 2}


def test_pipeline_and_grid_search(rows):
    X, y = rows
    pipeline = make_pipeline(StandardScaler(), RejectOptionClassifier())
    grid = {"rejectoptionclassifier__C": [0.5, 2], "rejectoptionclassifier__gamma": [0.1, 1]}
    search = GridSearchCV(pipeline, grid, cv=3, n_jobs=2).fit(X, y)
    alone = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_params_ == alone.best_params_
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"]
    )
    assert 0.5 < search.score(X, y) <= 1


@pytest.mark.parametrize(
    "scorer",
    [
        metrics.neg_zero_d_one_risk_scorer,
        metrics.coverage_scorer,
        metrics.accepted_accuracy_scorer,
        metrics.neg_aurc_scorer,
    ],
)
def test_scorers_of_this_package(rows, scorer):
    X, y = rows
    pipeline = make_pipeline(StandardScaler(), RejectOptionClassifier())
    scores = cross_val_score(pipeline, X, y, scoring=scorer, cv=3)
    assert np.isfinite(scores).all()
    bare = RejectOptionClassifier(scale="none").fit(StandardScaler().fit_transform(X), y)
    whole = make_pipeline(StandardScaler(), RejectOptionClassifier(scale="none")).fit(X, y)
    assert scorer(whole, X, y) == scorer(bare, StandardScaler().fit_transform(X), y)


def test_score_is_one_minus_the_risk(rows):
    X, y = rows
    model = RejectOptionClassifier(reject_cost=0.1).fit(X, y)
    risk = metrics.zero_d_one_risk(y, model.predict_with_reject(X), reject_cost=0.1)
    assert model.score(X, y) == 1 - risk
    assert metrics.neg_zero_d_one_risk_scorer(model, X, y) == -risk


def test_cross_validation_tools(rows):
    X, y = rows
    model = RejectOptionClassifier()
    assert cross_val_score(model, X, y, cv=3).shape == (3,)
    scores = cross_val_predict(model, X, y, cv=3, method="decision_function")
    assert np.isfinite(scores).all()
    with_label = RejectOptionClassifier(reject_label=-1)
    assert set(cross_val_predict(with_label, X, y, cv=3)) <= {-1, 0, 1}


def test_calibration_stacking_and_importance(rows):
    X, y = rows
    calibrated = CalibratedClassifierCV(RejectOptionClassifier(), cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (len(X), 2)
    stack = StackingClassifier(
        [("reject", RejectOptionClassifier()), ("plain", LogisticRegression())], cv=3
    ).fit(X, y)
    assert stack.score(X, y) > 0.6
    model = RejectOptionClassifier().fit(X, y)
    importance = permutation_importance(model, X, y, n_repeats=3, random_state=0)
    assert importance.importances_mean.argmax() == 0


def test_column_transformer_and_set_output():
    pandas = pytest.importorskip("pandas")
    X, y = make_rows(200)
    frame = pandas.DataFrame(X, columns=list("abcd"))
    frame["colour"] = np.where(np.arange(200) % 3 == 0, "red", "blue")
    columns = make_column_transformer(
        (StandardScaler(), list("abcd")), (OneHotEncoder(sparse_output=False), ["colour"])
    )
    pipeline = make_pipeline(columns, RejectOptionClassifier())
    pipeline.set_output(transform="pandas").fit(frame, y)
    assert pipeline.score(frame, y) > 0.6
    assert list(pipeline[-1].feature_names_in_)[0].endswith("a")


def test_clone_and_copy(rows):
    X, y = rows
    model = RejectOptionClassifier(C=3, reject_label="?").fit(X, y)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "rho_")
    for copied in (copy.copy(model), copy.deepcopy(model)):
        np.testing.assert_array_equal(copied.decision_function(X), model.decision_function(X))


def test_callbacks_hear_of_the_rounds(rows):
    pytest.importorskip("sklearn.callback")
    X, y = rows

    class Listener:
        def __init__(self):
            self.heard = []

        def setup(self, estimator, context):
            self.heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.heard.append(("begin", context.task_name))

        def on_fit_task_end(self, estimator, context):
            self.heard.append(("end", context.task_name))
            return False

        def teardown(self, estimator, context):
            self.heard.append("teardown")

    listener = Listener()
    RejectOptionClassifier().set_callbacks(listener).fit(X, y)
    assert listener.heard[:2] == ["setup", ("begin", "fit")]
    assert listener.heard[-2:] == [("end", "fit"), "teardown"]
    assert listener.heard.count(("begin", "round")) == listener.heard.count(("end", "round"))
