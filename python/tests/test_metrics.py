"""The metrics against their definitions, row by row, and the scorers inside scikit-learn."""

import json
import os
import pickle
import subprocess
import sys
import warnings
from itertools import permutations

import numpy as np
import pytest

from rampart import metrics
from rampart.metrics import (
    accepted_accuracy,
    accepted_accuracy_scorer,
    aurc,
    coverage,
    coverage_scorer,
    make_zero_d_one_risk_scorer,
    neg_aurc_scorer,
    neg_zero_d_one_risk_scorer,
    reject_confusion_matrix,
    rejection_curve,
    rejection_rate,
    risk_coverage_curve,
    zero_d_one_risk,
)

COSTS = (1.0, 5.0, 0.7, 0.3)
DECISION_METRICS = [
    zero_d_one_risk,
    rejection_rate,
    coverage,
    accepted_accuracy,
    reject_confusion_matrix,
]
SCORE_METRICS = [risk_coverage_curve, aurc, rejection_curve]
SCORERS = [
    neg_zero_d_one_risk_scorer,
    coverage_scorer,
    accepted_accuracy_scorer,
    neg_aurc_scorer,
    make_zero_d_one_risk_scorer(reject_cost=0.1),
]


@pytest.fixture(params=range(20))
def random(request):
    return np.random.default_rng(request.param)


def some_decisions(random, n_samples=30):
    y_true = np.append([0, 1], random.integers(0, 2, n_samples))
    y_pred = random.choice(np.array([0, 1, "reject"], dtype=object), n_samples + 2)
    y_pred[0] = 1  # at least one answer
    return y_true, y_pred, random.integers(1, 4, n_samples + 2)


def some_scores(random, n_samples=30):
    """Scores with ties, zeros and opposite pairs."""
    y_true = np.append([0, 1], random.integers(0, 2, n_samples))
    return y_true, random.integers(-4, 5, n_samples + 2) / 2.0


def repeated(weight, *columns):
    return [np.repeat(values, weight) for values in columns]


# Measures of decisions -----------------------------------------------------------------------


def cost_by_definition(truth, answer, costs):
    false_positive, false_negative, reject_positive, reject_negative = costs
    if answer == "reject":
        return reject_positive if truth == 1 else reject_negative
    if answer == truth:
        return 0
    return false_negative if truth == 1 else false_positive


def test_the_risk_is_the_mean_cost_of_the_rows(random):
    y_true, y_pred, _ = some_decisions(random)
    for given, table in [({}, (1, 1, 0.2, 0.2)), ({"costs": COSTS}, COSTS)]:
        by_definition = np.mean([cost_by_definition(t, p, table) for t, p in zip(y_true, y_pred)])
        assert zero_d_one_risk(y_true, y_pred, **given) == pytest.approx(by_definition)


def test_rejecting_all_costs_d_and_a_cost_of_one_each_is_the_symmetric_table(random):
    y_true, y_pred, _ = some_decisions(random)
    assert zero_d_one_risk(y_true, ["reject"] * len(y_true), reject_cost=0.3) == pytest.approx(0.3)
    assert zero_d_one_risk(y_true, y_pred, costs=(1, 1, 0.3, 0.3)) == pytest.approx(
        zero_d_one_risk(y_true, y_pred, reject_cost=0.3)
    )


def test_rates_are_counts_over_counts(random):
    y_true, y_pred, _ = some_decisions(random)
    answered = [(t, p) for t, p in zip(y_true, y_pred) if p != "reject"]
    right = sum(t == p for t, p in answered)
    assert coverage(y_true, y_pred) == pytest.approx(len(answered) / len(y_true))
    assert rejection_rate(y_true, y_pred) == pytest.approx(1 - len(answered) / len(y_true))
    assert accepted_accuracy(y_true, y_pred) == pytest.approx(right / len(answered))


def test_the_table_counts_each_row_once_and_the_measures_follow_from_it(random):
    y_true, y_pred, _ = some_decisions(random)
    table = reject_confusion_matrix(y_true, y_pred)
    for row, truth in enumerate([0, 1]):
        for col, answer in enumerate([0, "reject", 1]):
            pairs = zip(y_true, y_pred)
            assert table[row, col] == sum(t == truth and p == answer for t, p in pairs)
    assert table.dtype.kind == "i"
    assert rejection_rate(y_true, y_pred) == pytest.approx(table[:, 1].sum() / table.sum())
    charged = np.array([[0, COSTS[3], COSTS[0]], [COSTS[1], COSTS[2], 0]])
    assert zero_d_one_risk(y_true, y_pred, costs=COSTS) == pytest.approx(
        (table * charged).sum() / table.sum()
    )


@pytest.mark.parametrize("metric", DECISION_METRICS)
def test_a_weight_is_that_many_rows(random, metric):
    y_true, y_pred, weight = some_decisions(random)
    many_true, many_pred = repeated(weight, y_true, y_pred)
    np.testing.assert_allclose(
        metric(y_true, y_pred, sample_weight=weight), metric(many_true, many_pred)
    )


def test_the_table_normalises_as_confusion_matrix_does():
    y_true, y_pred = [0, 0, 0, 1], [0, 0, "reject", 0]
    normalised = [
        reject_confusion_matrix(y_true, y_pred, normalize=how) for how in ("true", "pred", "all")
    ]
    np.testing.assert_allclose(normalised[0], [[2 / 3, 1 / 3, 0], [1, 0, 0]])
    np.testing.assert_allclose(normalised[1], [[2 / 3, 1, 0], [1 / 3, 0, 0]])
    np.testing.assert_allclose(normalised[2], [[0.5, 0.25, 0], [0.25, 0, 0]])
    with pytest.raises(ValueError, match="normalize must be one of"):
        reject_confusion_matrix(y_true, y_pred, normalize="rows")


def test_pos_label_turns_the_table_round():
    y_true, y_pred = ["b", "a", "a", "b"], ["b", "reject", "b", "a"]
    table = reject_confusion_matrix(y_true, y_pred)
    np.testing.assert_array_equal(table, [[0, 1, 1], [1, 0, 1]])
    np.testing.assert_array_equal(
        reject_confusion_matrix(y_true, y_pred, pos_label="a"), table[::-1, ::-1]
    )
    a, b, c, d = COSTS
    assert zero_d_one_risk(y_true, y_pred, costs=COSTS) == pytest.approx(
        zero_d_one_risk(y_true, y_pred, costs=(b, a, d, c), pos_label="a")
    )


@pytest.mark.parametrize(
    "y_pred",
    [
        [0, None, 1, 0],
        [0, float("nan"), 1, 0],
        np.array([0, np.nan, 1, 0]),
        np.array([0, None, 1, 0], dtype=object),
        np.array([0, np.nan, 1, 0], dtype=np.float32),
    ],
    ids=["None", "NaN", "float array", "object array", "float32 array"],
)
@pytest.mark.parametrize("reject_label", [None, np.nan])
def test_none_and_nan_stand_for_any_missing_answer(y_pred, reject_label):
    y_true = [0, 0, 1, 1]
    assert rejection_rate(y_true, y_pred, reject_label=reject_label) == 0.25
    assert accepted_accuracy(y_true, y_pred, reject_label=reject_label) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="Input y_pred contains NaN"):
        rejection_rate(y_true, y_pred)


def test_pandas_columns_are_columns():
    pandas = pytest.importorskip("pandas")
    y_true = pandas.Series(["a", "b", "b", "a"], dtype="category", index=[3, 2, 1, 0])
    y_pred = pandas.Series(["a", "b", None, "b"], dtype="string")
    assert accepted_accuracy(y_true, y_pred, reject_label=None) == pytest.approx(2 / 3)
    assert accepted_accuracy(y_true, y_pred, reject_label=pandas.NA) == pytest.approx(2 / 3)
    numbers = pandas.Series([1, 0, None, 1], dtype="Int64")
    assert coverage(pandas.Series([1, 0, 0, 0]), numbers, reject_label=None) == 0.75


@pytest.mark.parametrize("reject_label", [0, -7, "unsure"])
def test_any_label_may_stand_for_a_rejection(reject_label):
    y_pred = np.array([1, reject_label, -1, reject_label], dtype=object)
    assert rejection_rate([1, 1, -1, -1], y_pred, reject_label=reject_label) == 0.5
    assert accepted_accuracy([1, 1, -1, -1], y_pred, reject_label=reject_label) == 1


def test_three_classes_have_a_risk_but_no_table():
    y_true, y_pred = ["a", "b", "c"], ["a", "c", "reject"]
    assert zero_d_one_risk(y_true, y_pred) == pytest.approx(0.4)
    with pytest.raises(ValueError, match=r"Two classes are needed.*\['a', 'b', 'c'\]"):
        reject_confusion_matrix(y_true, y_pred)


def test_the_accuracy_of_no_answers_is_what_zero_division_says():
    nothing = {"y_true": [0, 1], "y_pred": ["reject", "reject"]}
    with pytest.warns(UserWarning, match="no row was accepted"):
        assert np.isnan(accepted_accuracy(**nothing))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(accepted_accuracy(**nothing, zero_division=np.nan))
        assert accepted_accuracy(**nothing, zero_division=1.0) == 1.0
        assert accepted_accuracy([0, 1], [0, "reject"]) == 1.0
    with pytest.warns(UserWarning):  # the only answer has no weight
        assert np.isnan(accepted_accuracy([0, 1], [0, "reject"], sample_weight=[0, 1]))


# Measures of scores --------------------------------------------------------------------------


def is_wrong(truth, score):
    return 0.5 if score == 0 else float((score > 0) != (truth == 1))


def test_a_point_of_the_curve_is_the_error_rate_of_the_rows_above_its_threshold(random):
    y_true, y_score = some_scores(random)
    shares, risks, thresholds = risk_coverage_curve(y_true, y_score)
    np.testing.assert_array_equal(thresholds, np.unique(np.abs(y_score))[::-1])
    for share, risk, threshold in zip(shares, risks, thresholds):
        accepted = [is_wrong(t, f) for t, f in zip(y_true, y_score) if abs(f) >= threshold]
        assert share == pytest.approx(len(accepted) / len(y_true))
        assert risk == pytest.approx(np.mean(accepted))
    assert shares[-1] == 1


def test_aurc_is_the_mean_over_all_orders_of_rows_of_equal_certainty():
    random = np.random.default_rng(5)
    for _ in range(30):
        y_true = np.append([0, 1], random.integers(0, 2, 4))
        y_score = random.integers(-2, 3, 6).astype(float)
        areas = []
        for order in permutations(range(6)):
            certainty = np.abs(y_score[list(order)])
            if np.all(certainty[1:] <= certainty[:-1]):
                wrong = [is_wrong(y_true[n], y_score[n]) for n in order]
                areas.append(np.mean(np.cumsum(wrong) / np.arange(1, 7)))
        assert aurc(y_true, y_score) == pytest.approx(np.mean(areas))


def test_aurc_is_zero_for_a_perfect_and_the_error_rate_for_a_constant_certainty():
    assert aurc([0, 0, 1, 1], [-1, -2, 3, 1]) == 0
    assert aurc([0, 0, 1, 1], [-1, 1, 1, 1]) == pytest.approx(0.25)
    assert aurc([0, 1], [0, 0]) == 0.5


def test_a_point_of_the_rejection_curve_is_what_that_band_does(random):
    y_true, y_score = some_scores(random)
    rho, risk, rate, accuracy = rejection_curve(y_true, y_score, costs=COSTS)
    assert rho[0] == 0
    assert np.all(np.diff(rho) > 0)
    for n, half_width in enumerate(rho):
        y_pred = np.where(y_score > 0, 1, 0).astype(object)
        y_pred[np.abs(y_score) <= half_width] = "reject"
        assert risk[n] == pytest.approx(zero_d_one_risk(y_true, y_pred, costs=COSTS))
        assert rate[n] == pytest.approx(rejection_rate(y_true, y_pred))
        expected = accepted_accuracy(y_true, y_pred, zero_division=np.nan)
        assert accuracy[n] == pytest.approx(expected, nan_ok=True)
    assert rate[-1] == 1
    assert np.isnan(accuracy[-1])


@pytest.mark.parametrize("metric", [risk_coverage_curve, rejection_curve])
def test_a_weight_is_that_many_rows_of_a_curve(random, metric):
    y_true, y_score = some_scores(random)
    weight = random.integers(1, 4, len(y_true))
    many_true, many_score = repeated(weight, y_true, y_score)
    for weighted, many in zip(
        metric(y_true, y_score, sample_weight=weight), metric(many_true, many_score)
    ):
        np.testing.assert_allclose(weighted, many, atol=1e-12)


@pytest.mark.parametrize("metric", SCORE_METRICS)
def test_only_proportions_of_weights_matter_and_a_weight_of_0_is_no_row(random, metric):
    y_true, y_score = some_scores(random)
    weight = random.uniform(0.1, 2, len(y_true))
    plain = metric(y_true, y_score)
    np.testing.assert_allclose(metric(y_true, y_score, sample_weight=np.full(32, 7.0)), plain)
    weighted = metric(y_true, y_score, sample_weight=weight)
    np.testing.assert_allclose(metric(y_true, y_score, sample_weight=weight / 99), weighted)

    with_nothing = [np.append(y_true, 1), np.append(y_score, -9.0)]
    np.testing.assert_allclose(metric(*with_nothing, sample_weight=np.append(weight, 0)), weighted)


@pytest.mark.parametrize("metric", SCORE_METRICS)
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(random, metric):
    y_true, y_score = some_scores(random)
    shuffled = random.permutation(len(y_true))
    plain = metric(y_true, y_score)
    np.testing.assert_allclose(metric(y_true[shuffled], y_score[shuffled]), plain, atol=1e-12)
    named = np.array(["no", "yes"])[y_true]
    np.testing.assert_array_equal(metric(named, y_score), plain)
    np.testing.assert_array_equal(metric(named, -y_score, pos_label="no"), plain)


@pytest.mark.parametrize("metric", SCORE_METRICS)
def test_a_score_that_is_not_a_number_counts_as_0(metric):
    np.testing.assert_array_equal(
        metric([0, 1, 1], [-1, np.nan, 2]), metric([0, 1, 1], [-1, 0.0, 2])
    )
    with pytest.raises(ValueError, match="Input y_score contains infinity"):
        metric([0, 1, 1], [-1, np.inf, 2])


def test_aurc_does_not_lose_digits_on_many_rows():
    random = np.random.default_rng(0)
    y_true, y_score = random.integers(0, 2, 100_000), np.round(random.normal(size=100_000), 2)
    order = np.argsort(-np.abs(y_score), kind="stable")
    certainty = np.abs(y_score[order])
    wrong = np.array([is_wrong(t, f) for t, f in zip(y_true[order], y_score[order])])
    total, errors_before, rows_before = 0.0, 0.0, 0
    for threshold in np.unique(certainty)[::-1]:
        block = wrong[certainty == threshold]
        for n in range(1, len(block) + 1):
            total += (errors_before + block.sum() * n / len(block)) / (rows_before + n)
        errors_before, rows_before = errors_before + block.sum(), rows_before + len(block)
    assert aurc(y_true, y_score) == pytest.approx(total / 100_000, rel=1e-12)


# What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", DECISION_METRICS + SCORE_METRICS)
def test_columns_must_fit_together(metric):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        metric([0, 1, 1], [0, 1])
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[2, 2, 1\]"):
        metric([0, 1], [0, 1], sample_weight=[1])
    with pytest.raises(ValueError, match="Found array with 0 sample"):
        metric([], [])
    with pytest.raises(ValueError, match=r"should be a 1d array, got an array of shape \(2, 2\)"):
        metric([0, 1], np.eye(2))
    with pytest.raises(ValueError, match="Input y_true contains NaN"):
        metric([0, np.nan], [0, 1])


@pytest.mark.parametrize("metric", DECISION_METRICS + SCORE_METRICS)
def test_weights_must_be_numbers_not_below_0_and_not_all_0(metric):
    for weight, message in [
        ([1, -1], "Negative values"),
        ([0, 0], "at least one non-zero"),
        ([1, np.nan], "Input sample_weight contains NaN"),
        ([1, np.inf], "Input sample_weight contains infinity"),
    ]:
        with pytest.raises(ValueError, match=message):
            metric([0, 1], [0, 1], sample_weight=weight)


def test_texts_are_not_mistaken_for_numbers():
    with pytest.raises(ValueError, match="should be of the same type.*dtype=object"):
        accepted_accuracy([0, 1, 1], np.array([0, 1, "reject"]))
    with pytest.raises(ValueError, match="should be of the same type.*Is reject_label right"):
        accepted_accuracy([0, 1, 1], [0, 1, "unsure"])


@pytest.mark.parametrize("weight", [1e308, 5e-324, 2.0**70])
def test_weights_of_any_size_are_proportions(weight):
    y_true, y_pred, score = [0, 1, 1], [0, "reject", 0], [-2.0, 0.1, -1.0]
    weights = [weight] * 3
    assert metrics.zero_d_one_risk(y_true, y_pred, sample_weight=weights) == pytest.approx(0.4)
    assert metrics.aurc(y_true, score, sample_weight=weights) == metrics.aurc(y_true, score)
    for a, b in zip(
        metrics.rejection_curve(y_true, score, sample_weight=weights),
        metrics.rejection_curve(y_true, score),
    ):
        np.testing.assert_allclose(a, b, rtol=1e-15)


def test_bytes_and_counts_beyond_whole_numbers():
    truth, answers = np.array([b"a", b"b"]), np.array([b"a", b"reject"])
    assert metrics.coverage(truth, answers, reject_label=b"reject") == 0.5
    huge = [2**63 - 1, 2**63 - 1]
    table = metrics.reject_confusion_matrix([0, 1], [0, 1], sample_weight=huge)
    assert (table >= 0).all()


def test_a_forgotten_label_of_rejections_is_noticed():
    y_true, y_pred = [0, 1, 1, 0], [0, 1, -1, -1]
    for metric in (metrics.zero_d_one_risk, metrics.coverage, metrics.accepted_accuracy):
        with pytest.warns(UserWarning, match="pass reject_label=-1"):
            metric(y_true, y_pred)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metrics.coverage(y_true, y_pred, reject_label=-1)
        metrics.coverage([0, 0], [0, 1])  # rows of one class
        metrics.coverage(y_true, [0, 1, "reject", 0])


def test_a_class_is_no_rejection():
    with pytest.raises(ValueError, match="y_true contains reject_label=-1"):
        rejection_rate([-1, 1], [-1, 1], reject_label=-1)


def test_the_positive_class_must_be_known():
    assert aurc([1, 1], [1.0, -2.0]) == pytest.approx(0.75)
    assert aurc([-1, -1], [1.0, -2.0]) == pytest.approx(0.25)
    assert aurc(["b", "b"], [1.0, -2.0], pos_label="b") == pytest.approx(0.75)
    with pytest.raises(ValueError, match="single label 'b' and pos_label is not specified"):
        aurc(["b", "b"], [1.0, -2.0])
    with pytest.raises(ValueError, match=r"pos_label='c' is not a valid label.*\['a', 'b'\]"):
        aurc(["a", "b"], [1.0, -2.0], pos_label="c")


@pytest.mark.parametrize("cost", [-0.1, np.nan, np.inf])
def test_costs_must_be_numbers_not_below_0(cost):
    with pytest.raises(ValueError, match="reject_cost must be a finite number >= 0"):
        zero_d_one_risk([0, 1], [0, 1], reject_cost=cost)
    with pytest.raises(ValueError, match=r"costs \(false negative\) must be a finite number"):
        make_zero_d_one_risk_scorer(costs=(1, cost, 0.2, 0.2))
    with pytest.raises(ValueError, match="costs must be four numbers"):
        zero_d_one_risk([0, 1], [0, 1], costs=(1, 1))


# Scorers -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sklearn():
    return pytest.importorskip("sklearn")


@pytest.fixture
def data(sklearn):
    from stand_in import two_blobs

    return two_blobs()


@pytest.fixture
def classifier(data):
    from stand_in import StandIn

    return StandIn(reject_cost=0.3).fit(*data)


def test_scorers_are_the_metrics_of_the_estimator(data, classifier):
    X, y = data
    y_pred = classifier.predict_with_reject(X)
    assert 0 < rejection_rate(y, y_pred) < 1
    assert neg_zero_d_one_risk_scorer(classifier, X, y) == -zero_d_one_risk(
        y, y_pred, reject_cost=0.3
    )
    assert coverage_scorer(classifier, X, y) == coverage(y, y_pred)
    assert accepted_accuracy_scorer(classifier, X, y) == accepted_accuracy(y, y_pred)
    assert neg_aurc_scorer(classifier, X, y) == -aurc(y, classifier.decision_function(X))


def test_costs_are_the_estimators_own_unless_fixed(data, classifier):
    X, y = data
    y_pred = classifier.predict_with_reject(X)
    fixed = make_zero_d_one_risk_scorer(reject_cost=0.1)
    with_table = make_zero_d_one_risk_scorer(costs=COSTS)
    at_low_cost = -zero_d_one_risk(y, y_pred, reject_cost=0.1)
    by_table = -zero_d_one_risk(y, y_pred, costs=COSTS)
    assert fixed(classifier, X, y) == pytest.approx(at_low_cost)
    assert with_table(classifier, X, y) == pytest.approx(by_table)

    classifier.set_params(costs=COSTS)
    assert neg_zero_d_one_risk_scorer(classifier, X, y) == pytest.approx(by_table)
    assert make_zero_d_one_risk_scorer()(classifier, X, y) == pytest.approx(by_table)
    assert fixed(classifier, X, y) == pytest.approx(at_low_cost)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (1.0, 2.0), ("a", "b"), (False, True)])
@pytest.mark.parametrize("reject_label", [None, "?", 9, np.nan])
def test_any_labels_give_the_same_scores(sklearn, labels, reject_label):
    from stand_in import StandIn, two_blobs

    X, y = two_blobs()
    X_named, y_named = two_blobs(labels=labels)
    plain, named = StandIn().fit(X, y), StandIn(reject_label=reject_label).fit(X_named, y_named)
    for scorer in SCORERS:
        assert scorer(named, X_named, y_named) == pytest.approx(scorer(plain, X, y))


@pytest.mark.parametrize("scorer", SCORERS, ids=repr)
def test_a_pipeline_and_a_search_are_asked_like_what_they_hold(data, scorer):
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from stand_in import StandIn

    X, y = data
    scaled = StandardScaler().fit(X)
    bare = StandIn(rho=0.8).fit(scaled.transform(X), y)
    expected = scorer(bare, scaled.transform(X), y)

    pipeline = make_pipeline(StandardScaler(), "passthrough", StandIn(rho=0.8)).fit(X, y)
    assert scorer(pipeline, X, y) == pytest.approx(expected)
    search = GridSearchCV(pipeline, {"standin__rho": [0.8]}, scoring=scorer).fit(X, y)
    assert scorer(search, X, y) == search.score(X, y) == pytest.approx(expected)
    inner = GridSearchCV(StandIn(), {"rho": [0.8]}, scoring=scorer)
    nested = make_pipeline(StandardScaler(), inner).fit(X, y)
    assert scorer(nested, X, y) == pytest.approx(expected)
    only_step = make_pipeline(StandIn(rho=0.8)).fit(scaled.transform(X), y)
    assert scorer(only_step, scaled.transform(X), y) == pytest.approx(expected)


def test_a_search_chooses_the_band_of_least_risk(data):
    from sklearn.model_selection import GridSearchCV
    from stand_in import StandIn

    search = GridSearchCV(
        StandIn(),
        {"rho": [0.0, 0.5, 1.0, 50.0], "reject_cost": [0.05, 0.4]},
        scoring={
            "risk": make_zero_d_one_risk_scorer(reject_cost=0.2),
            "accuracy": accepted_accuracy_scorer,
            "coverage": coverage_scorer,
        },
        refit="risk",
        n_jobs=2,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NaN: with rho = 50 nothing is accepted
        search.fit(*data)
    results = search.cv_results_
    assert search.best_score_ == results["mean_test_risk"].max()
    assert search.best_params_["rho"] in (0.5, 1.0)
    nothing = results["param_rho"] == 50.0
    np.testing.assert_allclose(results["mean_test_risk"][nothing.astype(bool)], -0.2)
    assert np.all(np.isnan(results["mean_test_accuracy"][nothing.astype(bool)]))
    assert results["rank_test_accuracy"][nothing.astype(bool)].min() == 7


def test_rows_rejected_for_themselves_come_last(data, classifier):
    X, y = data
    strange = np.vstack([X, [[1e4, 1e4], [1e8, 0.0]]])
    labels = np.append(y, ["no", "no"])
    score = classifier.decision_function(strange)
    assert score[-2] > 1000
    assert np.isnan(score[-1])
    last = np.append(score[:-2], [0, 0])
    assert neg_aurc_scorer(classifier, strange, labels) == pytest.approx(-aurc(labels, last))


def test_a_fold_of_one_class_is_scored(data, classifier):
    X, y = data
    for label in ("no", "yes"):
        for scorer in SCORERS:
            assert np.isfinite(scorer(classifier, X[y == label], y[y == label]))


@pytest.mark.parametrize("scorer", SCORERS, ids=repr)
def test_weights_reach_the_metric(data, classifier, scorer):
    X, y = data
    weight = np.where(np.arange(len(y)) < 50, 1.0, 0.0)
    weighted = scorer(classifier, X, y, sample_weight=weight)
    assert weighted == pytest.approx(scorer(classifier, X[:50], y[:50]))


@pytest.mark.parametrize("scorer", SCORERS, ids=repr)
def test_a_pickled_scorer_scores_and_reads_the_same(data, classifier, scorer):
    again = pickle.loads(pickle.dumps(scorer))
    assert again(classifier, *data) == scorer(classifier, *data)
    assert repr(again) == repr(scorer)


def test_scorers_are_shown_as_they_are_written():
    assert [repr(scorer) for scorer in SCORERS] == [
        "neg_zero_d_one_risk_scorer",
        "coverage_scorer",
        "accepted_accuracy_scorer",
        "neg_aurc_scorer",
        "make_zero_d_one_risk_scorer(reject_cost=0.1)",
    ]


def test_an_estimator_without_a_reject_option_is_named(data):
    from sklearn.linear_model import LogisticRegression

    classifier = LogisticRegression().fit(*data)
    with pytest.raises(TypeError, match="LogisticRegression has no method 'predict_with_reject'"):
        coverage_scorer(classifier, *data)


def test_weights_are_routed_where_they_are_requested(sklearn, data):
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 4):
        pytest.skip("this scikit-learn does not route metadata")
    from sklearn.model_selection import GridSearchCV, cross_validate
    from stand_in import StandIn

    X, y = data
    weight = np.where(np.arange(len(y)) % 3 == 0, 1.0, 0.0)
    kept = weight > 0
    scorer = coverage_scorer.set_score_request(sample_weight=True)
    assert coverage_scorer._weight_request is None  # the shared scorer is left alone
    fold = [(np.arange(len(y)), np.arange(len(y)))]
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = StandIn().set_fit_request(sample_weight=False)
        scores = cross_validate(
            classifier, X, y, cv=fold, scoring=scorer, params={"sample_weight": weight}
        )
        search = GridSearchCV(classifier, {"rho": [0.5]}, cv=fold, scoring={"a": scorer}, refit="a")
        search.fit(X, y, sample_weight=weight)
        with pytest.raises(Exception, match="sample_weight"):
            cross_validate(
                classifier, X, y, scoring=coverage_scorer, params={"sample_weight": weight}
            )
    expected = coverage_scorer(StandIn().fit(X, y), X[kept], y[kept])
    assert scores["test_score"][0] == pytest.approx(expected)
    assert search.best_score_ == pytest.approx(expected)


def test_a_search_fitted_with_weights_takes_several_scorers(data):
    from sklearn.model_selection import GridSearchCV
    from stand_in import StandIn

    X, y = data
    scoring = {"risk": neg_zero_d_one_risk_scorer, "coverage": coverage_scorer}
    search = GridSearchCV(StandIn(), {"rho": [0.5, 1.0]}, scoring=scoring, refit="risk")
    search.fit(X, y, sample_weight=np.ones(len(y)))
    assert np.isfinite(search.best_score_)


# Without scikit-learn, and beside the command ------------------------------------------------


def test_only_numpy_is_needed():
    program = """
import sys
for name in ("sklearn", "scipy", "pandas", "matplotlib"):
    sys.modules[name] = None  # import fails
import warnings
import rampart.metrics, rampart.display
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rampart.metrics.accepted_accuracy([0, 1], ["reject", "reject"])
print([warning.category.__name__ for warning in caught])
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "['UserWarning']\n", done.stderr


def test_all_names_are_there():
    assert all(hasattr(metrics, name) for name in metrics.__all__)


@pytest.mark.skipif("RAMPART_COMMAND" not in os.environ, reason="RAMPART_COMMAND is not set")
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("ties", [False, True])
def test_numbers_are_those_of_the_command(tmp_path, kernel, ties):
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 2))
    y = np.where(X @ [1, 0.5] + random.normal(scale=0.8, size=200) > 0, "yes", "no")
    X = np.round(X) if ties else X
    X_test = X.copy()
    X_test[:10] *= 40  # unfamiliar, so rejected for themselves
    for name, rows in (("train.csv", X), ("test.csv", X_test)):
        lines = [f"{a!r},{b!r},{label}" for (a, b), label in zip(rows.tolist(), y)]
        (tmp_path / name).write_text("\n".join(["a,b,label", *lines, ""]))

    def run(*arguments):
        command = [os.environ["RAMPART_COMMAND"], *arguments, "--json", "--quiet"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    run("train", "train.csv", "-o", "model.json", "--kernel", kernel, "--costs", "1,3,0.4,0.3")
    answers = run("predict", "model.json", "test.csv")
    expected = run("evaluate", "model.json", "test.csv", "--curve", "curve.csv")

    y_pred = np.array(answers["predictions"])
    by_itself = [reason not in ("", "ambiguous") for reason in answers["reasons"]]
    assert any(by_itself)
    y_score = np.where(by_itself, 0.0, np.array(answers["scores"], dtype=float))
    risk = zero_d_one_risk(y, y_pred, costs=(1, 3, 0.4, 0.3))
    assert risk == pytest.approx(expected["risk"], rel=1e-12)
    assert rejection_rate(y, y_pred) == pytest.approx(expected["rejection_rate"], rel=1e-12)
    assert accepted_accuracy(y, y_pred) == pytest.approx(expected["accepted_accuracy"], rel=1e-12)
    assert aurc(y, y_score) == pytest.approx(expected["aurc"], rel=1e-12)
    assert reject_confusion_matrix(y, y_pred).tolist() == expected["table"]
    curve = np.genfromtxt(tmp_path / "curve.csv", delimiter=",", names=True)
    shares, risks, thresholds = risk_coverage_curve(y, y_score)
    np.testing.assert_array_equal(shares, curve["coverage"])
    np.testing.assert_array_equal(risks, curve["risk"])
    np.testing.assert_array_equal(thresholds, curve["threshold"])
