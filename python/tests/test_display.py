"""The displays draw the numbers of the metrics, and say where the band is."""

import subprocess
import sys

import numpy as np
import pytest

from rampart.display import DecisionRegionDisplay, RejectionCurveDisplay, RiskCoverageDisplay
from rampart.metrics import (
    accepted_accuracy,
    aurc,
    coverage,
    neg_aurc_scorer,
    rejection_curve,
    risk_coverage_curve,
    zero_d_one_risk,
)

pytest.importorskip("matplotlib").use("agg")
plt = pytest.importorskip("matplotlib.pyplot")
GridSearchCV = pytest.importorskip("sklearn.model_selection").GridSearchCV
make_pipeline = pytest.importorskip("sklearn.pipeline").make_pipeline
StandardScaler = pytest.importorskip("sklearn.preprocessing").StandardScaler
stand_in = pytest.importorskip("stand_in")
StandIn, two_blobs = stand_in.StandIn, stand_in.two_blobs

DISPLAYS = [RiskCoverageDisplay, RejectionCurveDisplay, DecisionRegionDisplay]
CURVES = [RiskCoverageDisplay, RejectionCurveDisplay]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def data():
    return two_blobs(200)


@pytest.fixture
def classifier(data):
    return StandIn(rho=0.8, reject_cost=0.3).fit(*data)


def legend_of(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def at(line, x):
    """The value at x of a line that is drawn in steps."""
    xs, ys = line.get_data()
    return ys[np.searchsorted(xs, x, side="right") - 1]


# All displays --------------------------------------------------------------------------------


@pytest.mark.parametrize("display", DISPLAYS)
def test_given_axes_are_used_and_otherwise_made(data, classifier, display):
    _, ax = plt.subplots()
    drawn = display.from_estimator(classifier, *data, ax=ax)
    assert isinstance(drawn, display)
    assert drawn.ax_ is ax
    assert drawn.figure_ is ax.figure
    again = drawn.plot()
    assert again is drawn
    assert drawn.ax_ is not ax
    drawn.figure_.canvas.draw()


@pytest.mark.parametrize("display", DISPLAYS)
def test_a_pipeline_and_a_search_are_drawn_like_what_they_hold(data, display):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), StandIn(rho=0.8)).fit(X, y)
    search = GridSearchCV(pipeline, {"standin__rho": [0.8]}, scoring=neg_aurc_scorer).fit(X, y)
    scaler, bare = pipeline
    for estimator in (pipeline, search):
        drawn = display.from_estimator(estimator, X, y)
        if display is DecisionRegionDisplay:
            grid = np.column_stack([drawn.xx0.ravel(), drawn.xx1.ravel()])
            expected = bare.decision_function(scaler.transform(grid))
            np.testing.assert_allclose(drawn.response.ravel(), expected)
        else:
            expected = display.from_estimator(bare, scaler.transform(X), y)
            np.testing.assert_allclose(drawn.risk, expected.risk)
            assert drawn.name == "StandIn"


@pytest.mark.parametrize("display", DISPLAYS)
def test_without_matplotlib_the_error_says_what_to_install(display):
    program = f"""
import sys
for name in ("matplotlib", "matplotlib.pyplot"):
    sys.modules[name] = None  # import fails
import numpy as np
from rampart.display import {display.__name__}
two = np.eye(2)
given = {{
    "RiskCoverageDisplay": dict(coverage=two[0], risk=two[0]),
    "RejectionCurveDisplay": dict(
        rho=two[0], risk=two[0], rejection_rate=two[0], accepted_accuracy=two[0]
    ),
    "DecisionRegionDisplay": dict(xx0=two, xx1=two, response=two, rho=0.5),
}}
try:
    {display.__name__}(**given["{display.__name__}"]).plot()
except ImportError as error:
    print(error)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith(f"{display.__name__}.plot requires matplotlib."), done.stderr
    assert "pip install matplotlib" in done.stdout


@pytest.mark.parametrize("display", CURVES)
def test_scores_alone_give_the_picture_of_the_estimator_without_its_band(data, classifier, display):
    X, y = data
    scores = classifier.decision_function(X)
    of_estimator = display.from_estimator(classifier, X, y, name="same")
    given = {"reject_cost": 0.3} if display is RejectionCurveDisplay else {}
    of_scores = display.from_predictions(y, scores, name="same", **given)
    np.testing.assert_allclose(of_scores.risk, of_estimator.risk)
    assert of_scores.name == of_estimator.name == "same"
    assert any("band in use" in text for text in legend_of(of_estimator))
    assert not any("band in use" in text for text in legend_of(of_scores))


@pytest.mark.parametrize("display", CURVES)
@pytest.mark.parametrize("rho", [-0.1, np.nan, np.inf])
def test_a_half_width_is_a_number_not_below_0(display, rho):
    with pytest.raises(ValueError, match="rho must be a finite number >= 0"):
        display.from_predictions([0, 1], [-1.0, 1.0], rho=rho)


@pytest.mark.parametrize("display", CURVES)
def test_rows_rejected_for_themselves_come_last(data, classifier, display):
    X, y = data
    strange = np.vstack([X, [[1e4, 1e4], [1e8, 0.0]]])
    labels = np.append(y, ["no", "no"])
    drawn = display.from_estimator(classifier, strange, labels)
    last = np.append(classifier.decision_function(X), [0.0, 0.0])
    given = {"reject_cost": 0.3} if display is RejectionCurveDisplay else {}
    expected = display.from_predictions(labels, last, **given)
    np.testing.assert_allclose(drawn.risk, expected.risk)


# Risk over coverage --------------------------------------------------------------------------


def test_the_curve_is_the_metric_and_the_point_the_decisions_of_the_estimator(data, classifier):
    X, y = data
    display = RiskCoverageDisplay.from_estimator(classifier, X, y)
    scores = classifier.decision_function(X)
    shares, risks, _ = risk_coverage_curve(y, scores)
    np.testing.assert_array_equal(display.line_.get_xdata(), shares)
    np.testing.assert_array_equal(display.line_.get_ydata(), risks)
    decisions = classifier.predict_with_reject(X)
    expected = (coverage(y, decisions), 1 - accepted_accuracy(y, decisions))
    assert display.operating_point == pytest.approx(expected)
    assert display.point_.get_xydata()[0] == pytest.approx(expected)
    assert legend_of(display) == [f"StandIn (AURC = {aurc(y, scores):.3f})", "band in use"]
    assert display.ax_.get_xlabel() == "Coverage (share of rows answered)"
    assert display.ax_.get_ylabel() == "Error rate among answers"


def test_a_band_that_rejects_all_has_no_point(data, classifier):
    classifier.rho_ = 1e9
    display = RiskCoverageDisplay.from_estimator(classifier, *data)
    assert display.operating_point is None
    assert display.point_ is None


def test_curves_on_the_same_axes_differ_in_colour_and_line_and_all_fit(data, classifier):
    X, y = data
    first = RiskCoverageDisplay.from_estimator(classifier, X, y)
    swapped = np.where(y == "no", "yes", "no")
    second = RiskCoverageDisplay.from_estimator(
        classifier, X, swapped, name="always wrong", ax=first.ax_
    )
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    assert second.point_.get_color() == second.line_.get_color()
    assert first.ax_.get_ylim()[1] >= second.risk.max()
    assert [text.split(" (")[0] for text in legend_of(second)] == [
        "StandIn",
        "always wrong",
        "band in use",
    ]


def test_line_options_win_over_defaults(data, classifier):
    display = RiskCoverageDisplay.from_estimator(
        classifier, *data, color="red", linestyle=":", label="mine"
    )
    assert display.line_.get_color() == "red"
    assert legend_of(display)[0] == "mine"


@pytest.mark.parametrize(
    ("name", "area", "label"),
    [("a", 0.25, "a (AURC = 0.250)"), ("a", None, "a"), (None, 0.25, "AURC = 0.250")],
)
def test_the_legend_says_what_is_known(name, area, label):
    display = RiskCoverageDisplay(
        coverage=np.array([0.5, 1]), risk=np.array([0, 0.5]), aurc=area, name=name
    )
    assert legend_of(display.plot()) == [label]


def test_a_curve_without_a_name_needs_no_legend():
    display = RiskCoverageDisplay(coverage=np.array([0.5, 1]), risk=np.array([0, 0.5])).plot()
    assert display.ax_.get_legend() is None


def test_weights_change_the_curve(data, classifier):
    X, y = data
    weight = np.where(np.arange(len(y)) < 50, 1.0, 0.0)
    weighted = RiskCoverageDisplay.from_estimator(classifier, X, y, sample_weight=weight)
    fewer = RiskCoverageDisplay.from_estimator(classifier, X[:50], y[:50])
    np.testing.assert_allclose(weighted.risk, fewer.risk)
    assert weighted.operating_point == pytest.approx(fewer.operating_point)


# Rejection over the width of the band --------------------------------------------------------


def test_the_lines_are_the_metrics_at_any_half_width(data, classifier):
    X, y = data
    display = RejectionCurveDisplay.from_estimator(classifier, X, y)
    for rho in (0.0, 0.3, 0.8, 1.7):
        classifier.rho_ = rho
        decisions = classifier.predict_with_reject(X)
        risk = zero_d_one_risk(y, decisions, reject_cost=0.3)
        assert at(display.risk_line_, rho) == pytest.approx(risk)
        rejected = 1 - coverage(y, decisions)
        assert at(display.rejection_rate_line_, rho) == pytest.approx(rejected)
        accuracy = accepted_accuracy(y, decisions)
        assert at(display.accepted_accuracy_line_, rho) == pytest.approx(accuracy)
    for line in (display.risk_line_, display.rejection_rate_line_, display.accepted_accuracy_line_):
        assert line.get_drawstyle() == "steps-post"
    assert display.own_rho_line_.get_xdata()[0] == display.own_rho == 0.8


def test_the_ring_is_at_the_lowest_risk(data, classifier):
    display = RejectionCurveDisplay.from_estimator(classifier, *data)
    ((rho, risk),) = display.best_point_.get_xydata()
    assert risk == display.risk.min()
    assert rho == display.best_rho
    assert at(display.risk_line_, rho) == risk
    assert display.ax_.get_xlim()[1] > rho


def test_costs_are_the_estimators_own_unless_given(data, classifier):
    X, y = data
    scores = classifier.decision_function(X)
    costs = (1, 5, 0.7, 0.3)
    for given, charged in [
        ({}, {"reject_cost": 0.3}),
        ({"reject_cost": 0.1}, {"reject_cost": 0.1}),
        ({"costs": costs}, {"costs": costs}),
    ]:
        display = RejectionCurveDisplay.from_estimator(classifier, X, y, **given)
        np.testing.assert_allclose(display.risk, rejection_curve(y, scores, **charged)[1])


def test_few_outlying_rows_do_not_fill_the_picture(data, classifier):
    X, y = data
    classifier.familiar_up_to = np.inf
    far = np.vstack([X, [[900.0, 900.0]]])
    display = RejectionCurveDisplay.from_estimator(classifier, far, np.append(y, "yes"))
    assert display.rho[-1] > 500
    assert display.ax_.get_xlim()[1] < 20


def test_scores_that_are_all_0_are_drawn():
    display = RejectionCurveDisplay.from_predictions([0, 1], [0.0, 0.0])
    assert display.rejection_rate.tolist() == [1.0]
    display.figure_.canvas.draw()


# Regions -------------------------------------------------------------------------------------


def test_lines_lie_at_the_ends_of_the_band_and_at_0(data, classifier):
    display = DecisionRegionDisplay.from_estimator(classifier, *data)
    np.testing.assert_allclose(display.contours_.levels, [-0.8, 0, 0.8])
    for level, lines in zip(display.contours_.levels, display.contours_.allsegs):
        assert lines
        for line in lines:
            np.testing.assert_allclose(classifier.decision_function(line), level, atol=1e-6)


def test_a_band_of_no_width_is_one_line_and_no_region(data, classifier):
    classifier.rho_ = 0.0
    display = DecisionRegionDisplay.from_estimator(classifier, *data)
    assert display.contours_.levels.tolist() == [0]
    assert len(display.surface_.levels) == 3  # two regions
    display.figure_.canvas.draw()


def test_a_band_wider_than_the_picture_has_no_lines_in_it(data, classifier):
    classifier.rho_ = 1e3
    display = DecisionRegionDisplay.from_estimator(classifier, *data)
    assert display.contours_.levels.tolist() == [0]
    display.figure_.canvas.draw()


def test_rows_are_drawn_by_class_and_only_if_labels_are_given(data, classifier):
    X, y = data
    display = DecisionRegionDisplay.from_estimator(classifier, X, y)
    for label, scatter in zip(["no", "yes"], display.scatter_):
        np.testing.assert_array_equal(scatter.get_offsets(), X[y == label])
    assert legend_of(display) == ["no", "reject", "yes"]
    without = DecisionRegionDisplay.from_estimator(classifier, X)
    assert without.scatter_ == []
    assert legend_of(without) == ["no", "reject", "yes"]


def test_what_is_rejected_for_another_reason_is_shown(data, classifier):
    X, y = data
    assert DecisionRegionDisplay.from_estimator(classifier, X, y).rejected_surface_ is None
    classifier.familiar_up_to = 2.0
    display = DecisionRegionDisplay.from_estimator(classifier, X, y)
    assert display.rejected_surface_ is not None
    assert legend_of(display)[-1] == "reject (unfamiliar)"
    step = np.ptp(display.xx0) / 199 + np.ptp(display.xx1) / 199
    for level, lines in zip(display.contours_.levels, display.contours_.allsegs):
        for line in lines:  # the ends of the band part nothing where all is rejected
            assert level == 0 or np.abs(line).max() <= 2.0 + step


def test_an_f_that_cannot_be_computed_is_a_rejection():
    xx0, xx1 = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(-1, 1, 20))
    response = np.where(xx1 > 0.5, np.nan, xx0)
    display = DecisionRegionDisplay(xx0=xx0, xx1=xx1, response=response, rho=0.5).plot()
    assert display.rejected_surface_ is not None
    nothing = DecisionRegionDisplay(xx0=xx0, xx1=xx1, response=np.full((20, 20), np.nan), rho=0.5)
    assert nothing.plot().contours_ is None
    nothing.figure_.canvas.draw()


def test_axes_bear_the_names_of_features(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    frame = pandas.DataFrame(X, columns=["age", "dose"])
    # A scaler that was fitted to a frame warns of a grid without names.
    pipeline = make_pipeline(StandardScaler(), StandIn()).fit(frame, y)
    display = DecisionRegionDisplay.from_estimator(pipeline, frame, y)
    assert display.ax_.get_xlabel() == "age"
    assert display.ax_.get_ylabel() == "dose"


def test_names_of_features_can_be_given(data, classifier):
    display = DecisionRegionDisplay.from_estimator(classifier, *data)
    assert display.ax_.get_xlabel() == "Feature 0"
    display = DecisionRegionDisplay.from_estimator(classifier, *data, xlabel="a", ylabel="b")
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("a", "b")


def test_the_grid_reaches_a_little_beyond_the_rows(data, classifier):
    X, y = data
    display = DecisionRegionDisplay.from_estimator(classifier, X, y, grid_resolution=30, margin=0.5)
    assert display.xx0.shape == (30, 30)
    span = np.ptp(X[:, 0])
    assert display.xx0.min() == pytest.approx(X[:, 0].min() - span / 2)
    assert display.xx0.max() == pytest.approx(X[:, 0].max() + span / 2)


def test_a_constant_feature_still_spans_a_plane(data, classifier):
    X, y = data
    display = DecisionRegionDisplay.from_estimator(classifier, X * [1, 0], y)
    assert np.ptp(display.xx1) > 0


def test_what_cannot_be_drawn_is_refused(data, classifier):
    X, y = data
    with pytest.raises(ValueError, match=r"two features, got an array of shape \(200, 3\)"):
        DecisionRegionDisplay.from_estimator(classifier, np.column_stack([X, X[:, 0]]), y)
    with pytest.raises(ValueError, match="grid_resolution must be greater than 1"):
        DecisionRegionDisplay.from_estimator(classifier, X, y, grid_resolution=1)
    with pytest.raises(ValueError, match="margin must be greater than or equal to 0"):
        DecisionRegionDisplay.from_estimator(classifier, X, y, margin=-1)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[200, 199\]"):
        DecisionRegionDisplay.from_estimator(classifier, X, y[1:])


# What a new user stumbled over ---------------------------------------------------------------


def test_two_rejection_curves_on_one_axes_are_told_apart(classifier, data):
    other = StandIn(rho=0.3, reject_cost=0.1).fit(*data)
    first = RejectionCurveDisplay.from_estimator(classifier, *data, name="wide")
    assert first.ax_.get_title() == "wide"
    wide = first.ax_.get_xlim()
    second = RejectionCurveDisplay.from_estimator(other, *data, name="narrow", ax=first.ax_)
    third = RejectionCurveDisplay.from_estimator(other, *data, ax=first.ax_)
    assert first.ax_.get_title() == ""
    assert first.ax_.get_xlim()[1] >= wide[1]
    texts = legend_of(third)
    assert len(set(texts)) == len(texts) == 15
    starts = [text.partition(":")[0] for text in texts]
    assert starts == ["wide"] * 5 + ["narrow"] * 5 + ["StandIn"] * 5
    colours = {
        line.get_color()
        for display in (first, second, third)
        for line in (
            display.risk_line_,
            display.rejection_rate_line_,
            display.accepted_accuracy_line_,
        )
    }
    assert len(colours) == 9


def test_scores_of_any_classifier_of_two_classes_make_a_curve(data):
    from sklearn.svm import SVC

    X, y = data
    svc = SVC().fit(X, y)
    display = RiskCoverageDisplay.from_estimator(svc, X, y)
    expected = aurc(y, svc.decision_function(X))
    assert display.aurc == pytest.approx(expected)
    assert display.point_ is None
    assert display.name == "SVC"
    pipeline = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    assert neg_aurc_scorer(pipeline, X, y) == -aurc(y, pipeline.decision_function(X))
    three = SVC().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="Two classes are needed"):
        neg_aurc_scorer(three, X, y)


def test_regions_of_text_are_refused_with_a_reason(classifier):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1.0, 2.0], "ward": ["A", "B"]})
    with pytest.raises(ValueError, match="two columns of numbers"):
        DecisionRegionDisplay.from_estimator(classifier, frame)
