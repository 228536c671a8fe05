"""RejectOptionClassifier: numbers of the command, answers and reasons, files, threads, signals."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
import warnings
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from conftest import make_rows

from rampart import ModelError, RejectOptionClassifier
from rampart._sklearn import ConvergenceWarning, NotFittedError


def write_csv(path, X, y, names=None):
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(names or [f"x{j}" for j in range(X.shape[1])]) + ",label\n")
        for row, label in zip(X.tolist(), y.tolist()):
            file.write(",".join(map(repr, row)) + f",{label}\n")
    return path


# ---- the same numbers as the command -------------------------------------------------------------

OPTIONS = [
    ({}, []),
    ({"loss": "double_hinge", "reject_cost": 0.1}, ["--loss", "double-hinge", "--d", "0.1"]),
    ({"loss": "generalized_hinge"}, ["--loss", "generalized-hinge"]),
    ({"loss": "hinge"}, ["--loss", "hinge"]),
    ({"kernel": "linear", "C": 10}, ["--kernel", "linear", "-c", "10"]),
    ({"kernel": "linear", "solver": "smo"}, ["--kernel", "linear", "--solver", "smo"]),
    ({"gamma": 0.3, "mu": 0.5, "scale": "none"}, ["-g", "0.3", "--mu", "0.5", "--scale", "none"]),
    (
        {"kernel": "poly", "degree": 2, "coef0": 1.0},
        ["--kernel", "polynomial", "--degree", "2", "--coef0", "1"],
    ),
    ({"costs": (1, 5, 0.2, 0.3)}, ["--costs", "1,5,0.2,0.3"]),
    ({"class_weight": {1: 3}}, ["--class-weight", "1=3"]),
    ({"class_weight": "balanced", "n_jobs": 2}, ["--class-weight", "balanced"]),
    ({"landmarks": 20}, ["--landmarks", "20"]),
    ({"fourier_features": 30}, ["--features", "30"]),
    ({"tol": 1e-6, "unfamiliar": 0.0}, ["-e", "1e-6", "--unfamiliar", "0"]),
]  # fmt: skip


@pytest.mark.parametrize(("params", "options"), OPTIONS)
def test_same_bits_as_the_command(command, tmp_path, rows, params, options):
    X, y = rows
    data = write_csv(tmp_path / "rows.csv", X, y)
    told = command.train(data, tmp_path / "model.json", *options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RejectOptionClassifier(**params).fit(X, y)
    assert model.rho_ == told["rho"]
    assert model.objective_ == told["objective"]
    assert model.n_iter_ == told["rounds"]
    other = RejectOptionClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
    if params.get("kernel") == "linear":
        np.testing.assert_array_equal(other.coef_, model.coef_)
    else:
        np.testing.assert_array_equal(other.dual_coef_, model.dual_coef_)


def test_weights_are_a_column_of_the_command(command, tmp_path, rows):
    X, y = rows
    weights = np.arange(len(y)) % 4 + 0.5
    table = np.column_stack([X, weights])
    data = write_csv(tmp_path / "rows.csv", table, y, [*"abcd", "w"])
    told = command.train(data, tmp_path / "model.json", "--weight", "w")
    model = RejectOptionClassifier().fit(X, y, sample_weight=weights)
    assert (model.rho_, model.objective_) == (told["rho"], told["objective"])


def test_files_go_both_ways(command, tmp_path, rows):
    X, y = rows
    model = RejectOptionClassifier(reject_cost=0.1).fit(X, y)
    model.save(tmp_path / "model.json")
    data = write_csv(tmp_path / "rows.csv", X, y)
    answers = command.run("predict", tmp_path / "model.json", data, "--label", "label")
    lines = [line.split(",") for line in answers.splitlines()[1:]]
    assert [line[1] for line in lines] == [str(a) for a in model.predict_with_reject(X)]
    np.testing.assert_array_equal([float(line[2]) for line in lines], model.decision_function(X))
    again = RejectOptionClassifier.load(tmp_path / "model.json", n_jobs=2)
    assert again.classes_.tolist() == [0, 1]
    assert again.reject_cost == 0.1
    np.testing.assert_array_equal(again.predict_with_reject(X), model.predict_with_reject(X))
    assert not list(tmp_path.glob(".model*")), "nothing is left beside the file"


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.json"
    for content in (b"", b"{}", b"\xff\xfe", b'{"format": "rampart-model", "version": 99}'):
        path.write_bytes(content)
        with pytest.raises(ModelError):
            RejectOptionClassifier.load(path)
    with pytest.raises(FileNotFoundError):
        RejectOptionClassifier.load(tmp_path / "nothing.json")


# ---- answers -------------------------------------------------------------------------------------


def test_answers_agree_with_each_other(rows):
    X, y = rows
    labels = np.where(y == 1, "sick", "well")
    model = RejectOptionClassifier(unfamiliar=0).fit(X, labels)
    f = model.decision_function(X)
    rejected = np.abs(f) <= model.rho_
    assert 0 < rejected.sum() < len(X)
    np.testing.assert_array_equal(model.reject(X), rejected)
    # 'well' is the later word, and so the positive class
    np.testing.assert_array_equal(model.predict(X), np.where(f > 0, "well", "sick"))
    answers = model.predict_with_reject(X)
    np.testing.assert_array_equal(answers == "reject", rejected)
    np.testing.assert_array_equal(answers[~rejected], model.predict(X)[~rejected])
    np.testing.assert_array_equal(model.reasons(X) == "ambiguous", rejected)
    model.set_params(reject_label="ask")
    assert set(model.predict(X)) == {"sick", "well", "ask"}


@pytest.mark.parametrize("label", [-1, "?", None, 2.5])
def test_reject_labels_of_any_type(rows, label):
    X, y = rows
    model = RejectOptionClassifier(reject_label=label).fit(X, y)
    answers = model.predict_with_reject(X)
    expected = "reject" if label is None else label
    np.testing.assert_array_equal([a == expected for a in answers.tolist()], model.reject(X))
    kept = ~model.reject(X)
    np.testing.assert_array_equal(answers[kept].astype(int), (model.decision_function(X) > 0)[kept])


def test_rows_unlike_the_training_rows_are_never_answered(rows):
    X, y = rows
    model = RejectOptionClassifier(kernel="linear").fit(X, y)
    far = np.array([[1e3, 0, 0, 0], [1e300, 1e300, 0, 0]])
    assert model.reject(far).all()
    assert all(reason.startswith("unfamiliar: column x0 is") for reason in model.reasons(far))


def test_learnt_attributes(rows):
    X, y = rows
    linear = RejectOptionClassifier(kernel="linear").fit(X, y)
    f = X @ linear.coef_[0] + linear.intercept_[0]
    np.testing.assert_allclose(linear.decision_function(X), f, atol=1e-12)
    assert not hasattr(linear, "support_")
    assert not hasattr(linear, "dual_coef_")
    rbf = RejectOptionClassifier(gamma=0.5, scale="standard").fit(X, y)
    assert not hasattr(rbf, "coef_")
    np.testing.assert_allclose(rbf.support_vectors_, X[rbf.support_], atol=1e-12)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    squares = ((scaled[:, None] - scaled[rbf.support_][None]) ** 2).sum(axis=2)
    f = np.exp(-0.5 * squares) @ rbf.dual_coef_[0] + rbf.intercept_[0]
    np.testing.assert_allclose(rbf.decision_function(X), f, atol=1e-9)
    assert len(rbf.history_) == rbf.n_iter_
    assert rbf.history_[-1] == rbf.objective_
    assert (np.diff(rbf.history_) <= 1e-9).all()


def test_zones_follow_from_the_margins(rows):
    X, y = rows
    model = RejectOptionClassifier(tol=1e-8).fit(X, y)
    t = np.where(y == 1, 1, -1) * model.decision_function(X)
    rho = model.rho_
    assert set(model.zones_) <= {"safe", "margin", "plateau", "near_miss", "ignored_outlier"}
    assert (t[model.zones_ == "safe"] > rho + 1 - 1e-6).all()
    assert (t[model.zones_ == "ignored_outlier"] < -rho - 1 + 1e-6).all()
    with pytest.raises(AttributeError, match="double ramp"):
        _ = RejectOptionClassifier(loss="hinge").fit(X, y).zones_


def test_every_form_of_the_same_rows(rows):
    X, y = rows
    X = X.astype(np.float32).astype(np.float64)
    expected = RejectOptionClassifier().fit(X, y).decision_function(X)
    wide = np.zeros((len(X), 9))
    wide[:, :4] = X
    for form in (
        X.astype(np.float32),
        np.asfortranarray(X),
        wide[:, :4],
        X[::-1][::-1],
        X.tolist(),
        X.astype(object),
    ):
        found = RejectOptionClassifier().fit(form, y).decision_function(form)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("form", ["csr_matrix", "csr_array", "csc_matrix", "coo_matrix"])
def test_sparse_rows(index, dtype, form):
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(1)
    dense = np.round(rng.normal(size=(200, 12)) * 4) * (rng.random((200, 12)) < 0.3)
    y = dense[:, 0] + dense[:, 1] + rng.normal(size=200) > 0
    X = getattr(sparse, form)(dense.astype(dtype))
    for name in ("indices", "indptr"):
        if hasattr(X, name):
            setattr(X, name, getattr(X, name).astype(index))
    for kernel in ("linear", "rbf"):
        expected = RejectOptionClassifier(kernel=kernel).fit(sparse.csr_matrix(dense), y)
        model = RejectOptionClassifier(kernel=kernel).fit(X, y)
        np.testing.assert_array_equal(
            model.decision_function(X), expected.decision_function(sparse.csr_matrix(dense))
        )
        np.testing.assert_allclose(
            RejectOptionClassifier(kernel=kernel, scale="none")
            .fit(dense, y)
            .decision_function(dense),
            RejectOptionClassifier(kernel=kernel, scale="none").fit(X, y).decision_function(dense),
            atol=2e-2,
        )
    assert sparse.issparse(model.support_vectors_)
    np.testing.assert_array_equal(model.support_vectors_.toarray(), dense[model.support_])


def test_unsorted_and_repeated_entries_of_sparse_rows():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix(
        (np.array([2.0, 1.0, 1.0, 3.0, -1.0]), np.array([1, 0, 0, 1, 0]), np.array([0, 3, 4, 5])),
        shape=(3, 2),
    )
    before = X.indices.copy()
    model = RejectOptionClassifier(kernel="linear", scale="none").fit(X, [0, 1, 0])
    np.testing.assert_array_equal(X.indices, before)
    expected = RejectOptionClassifier(kernel="linear", scale="none").fit(X.toarray(), [0, 1, 0])
    np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-6)


def test_precomputed_kernels(rows):
    X, y = rows
    K = X @ X.T
    model = RejectOptionClassifier(kernel="precomputed", loss="double_hinge").fit(K, y)
    smo = RejectOptionClassifier(
        kernel="linear", loss="double_hinge", solver="smo", scale="none"
    ).fit(X, y)
    np.testing.assert_allclose(model.objective_, smo.objective_, rtol=1e-3)
    assert len(model.support_) == model.dual_coef_.shape[1]
    f = K[:, model.support_] @ model.dual_coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(K), f, atol=1e-9)
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix"):
        RejectOptionClassifier(kernel="precomputed").fit(K[:, :5], y)


# ---- data frames ---------------------------------------------------------------------------------


def people(rows=240, seed=3):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    age = rng.normal(50, 15, rows).round(1)
    sex = rng.choice(["f", "m"], rows)
    ward = rng.choice(["north", "south", "10", "9"], rows)
    smoker = rng.random(rows) < 0.3
    y = np.where(age / 10 + 2 * smoker + rng.normal(size=rows) > 6, "ill", "well")
    age[rng.random(rows) < 0.1] = np.nan
    frame = pandas.DataFrame({"age": age, "sex": sex, "ward": ward, "smoker": smoker})
    frame.loc[frame.index % 17 == 0, "sex"] = None
    frame["ward"] = frame["ward"].astype("category")
    return frame, y


def test_frames_are_read_as_the_command_reads_them(command, tmp_path):
    frame, y = people()
    frame.assign(label=y).to_csv(tmp_path / "people.csv", index=False)
    told = command.train(tmp_path / "people.csv", tmp_path / "model.json")
    model = RejectOptionClassifier().fit(frame, y)
    assert (model.rho_, model.objective_) == (told["rho"], told["objective"])
    other = RejectOptionClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(other.decision_function(frame), model.decision_function(frame))
    assert list(other.feature_names_in_) == ["age", "sex", "ward", "smoker"]
    # and the other way round
    model.save(tmp_path / "own.json")
    answers = command.run("predict", tmp_path / "own.json", tmp_path / "people.csv")
    scores = [float(line.split(",")[2]) for line in answers.splitlines()[1:]]
    np.testing.assert_array_equal(scores, model.decision_function(frame))
    assert json.loads((tmp_path / "own.json").read_text())["classes"] == ["ill", "well"]


def test_polars_frames_are_the_same_as_pandas():
    polars = pytest.importorskip("polars")
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    same = polars.DataFrame(
        {name: [None if v != v else v for v in frame[name].tolist()] for name in frame.columns}
    ).with_columns(polars.col("ward").cast(polars.Categorical))
    other = RejectOptionClassifier().fit(same, polars.Series(y))
    assert (other.rho_, other.objective_) == (model.rho_, model.objective_)
    np.testing.assert_array_equal(other.decision_function(same), model.decision_function(frame))


def test_rows_of_frames_that_get_no_answer():
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    odd = frame.head(4).copy()
    odd["ward"] = ["north", "east", "north", None]
    odd["age"] = [50.0, 50.0, 5000.0, 50.0]
    odd["sex"] = ["f", "f", "f", "f"]
    reasons = model.reasons(odd)
    assert reasons[1] == "unseen: column 'ward' is 'east', which training never met"
    assert reasons[2].startswith("unfamiliar: column 'age' is 5000")
    assert reasons[3] == "incomplete: column 'ward' has no value"
    assert model.reject(odd)[1:].all()
    for ask in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match="2 of 4 rows get no score, the first of them row 1"):
            ask(odd)
    assert (model.predict_with_reject(odd)[1:] == "reject").all()


def test_rows_without_a_score_are_never_answered_inside_of_other_estimators():
    calibration = pytest.importorskip("sklearn.calibration")
    multiclass = pytest.importorskip("sklearn.multiclass")
    frame, y = people()
    odd = frame.head(1).assign(ward="east")
    for around in (
        calibration.CalibratedClassifierCV(RejectOptionClassifier(), cv=3),
        multiclass.OneVsRestClassifier(RejectOptionClassifier()),
    ):
        with pytest.raises(ValueError, match="on_unseen='ignore' would answer it"):
            around.fit(frame, y).predict(odd)


def test_incomplete_and_unseen_rows_are_answered_on_request(command, tmp_path):
    frame, y = people()
    odd = frame.head(2).copy()
    odd["ward"] = ["east", None]
    model = RejectOptionClassifier(on_incomplete="impute", on_unseen="ignore").fit(frame, y)
    model.save(tmp_path / "model.json")
    odd.to_csv(tmp_path / "odd.csv", index=False)
    told = command.run(
        *["predict", tmp_path / "model.json", tmp_path / "odd.csv"],
        *["--on-incomplete", "impute", "--on-unseen", "ignore"],
    )
    scores = [float(line.split(",")[2]) for line in told.splitlines()[1:]]
    np.testing.assert_array_equal(model.decision_function(odd), scores)
    assert not np.any(model.reasons(odd) == "unseen")
    for name in ("on_incomplete", "on_unseen"):
        with pytest.raises(ValueError, match=f"{name} = 'fill': must be 'reject' or"):
            RejectOptionClassifier(**{name: "fill"}).fit(frame, y).predict(odd)


def test_columns_that_are_named_as_categories():
    X, y = make_rows(200)
    X = X.copy()
    X[:, 3] = np.arange(200) % 3
    by_number = RejectOptionClassifier(categorical=[3], kernel="linear").fit(X, y)
    assert by_number.coef_.shape == (1, 6)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcd"))
    by_name = RejectOptionClassifier(categorical=["d"], kernel="linear").fit(frame, y)
    np.testing.assert_array_equal(by_name.coef_, by_number.coef_)
    odd = X[:1].copy()
    odd[0, 3] = 7
    assert by_number.reasons(odd)[0].startswith("unseen")
    for wrong in (["e"], [4]):
        with pytest.raises(ValueError, match="categorical"):
            RejectOptionClassifier(categorical=wrong).fit(frame, y)


def test_columns_in_another_order_or_missing():
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(frame[["sex", "age", "ward", "smoker"]])
    with pytest.raises(ValueError, match="yet now missing:\n- age"):
        model.predict(frame.drop(columns="age"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- height"):
        model.predict(frame.assign(height=1.0))


def test_frames_that_cannot_be_used():
    pandas = pytest.importorskip("pandas")
    frame, y = people()
    with pytest.raises(ValueError, match="column 'when' has type datetime64"):
        RejectOptionClassifier().fit(frame.assign(when=pandas.Timestamp("2020-01-01")), y)
    with pytest.raises(
        ValueError, match="'name' holds 240 different values, and categories are at most 100"
    ):
        RejectOptionClassifier().fit(frame.assign(name=[f"p{n}" for n in range(240)]), y)
    with pytest.raises(ValueError, match="'none' is empty"):
        RejectOptionClassifier().fit(frame.assign(none=None), y)


# ---- missing values ------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["indicator", "median", "drop"])
def test_missing_values_of_arrays(missing, rows):
    X, y = rows
    X = X.copy()
    X[::7, 0] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        RejectOptionClassifier().fit(X, y)
    model = RejectOptionClassifier(missing=missing, kernel="linear").fit(X, y)
    assert model.coef_.shape[1] == (5 if missing == "indicator" else 4)
    if missing == "drop":
        complete = ~np.isnan(X[:, 0])
        other = RejectOptionClassifier(kernel="linear").fit(X[complete], y[complete])
        np.testing.assert_array_equal(model.coef_, other.coef_)
        assert (model.zones_[~complete] == "dropped").all()
    else:
        assert np.isfinite(model.decision_function(X)).all()


def test_nan_never_gets_an_answer(rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    odd = X[:3].copy()
    odd[1, 2] = np.nan
    for ask in (model.predict, model.decision_function, model.reject, model.reasons):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            ask(odd)
    odd[1, 2] = np.inf
    for ask in (model.predict, model.decision_function, model.reject, model.predict_with_reject):
        with pytest.raises(ValueError, match="Input X contains infinity"):
            ask(odd)


# ---- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"C": -1}, "C = -1"),
        ({"C": float("nan")}, "C = nan"),
        ({"reject_cost": 0.7}, "0.7"),
        ({"kernel": "cubic"}, "kernel = cubic"),
        ({"loss": "log"}, "loss = log"),
        ({"gamma": "wide"}, "gamma = wide"),
        ({"missing": "ignore"}, "missing = 'ignore'"),
        ({"costs": (1, 2)}, "four numbers"),
        ({"class_weight": {7: 2}}, "class_weight"),
        ({"class_weight": "even"}, "class_weight"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"tol": 0}, "tol = 0"),
        ({"max_iter": 0}, "max_iter = 0"),
        ({"landmarks": 5, "kernel": "linear"}, "landmarks"),
    ],
)
def test_wrong_parameters(rows, params, message):
    X, y = rows
    with pytest.raises(ValueError, match=message):
        RejectOptionClassifier(**params).fit(X, y)


@pytest.mark.parametrize("value", ["1", None, [1], True])
def test_parameters_of_wrong_type(rows, value):
    X, y = rows
    if value is None:
        return
    with pytest.raises((TypeError, ValueError)):
        RejectOptionClassifier(C=value).fit(X, y)


def test_wrong_rows_and_labels(rows):
    X, y = rows
    fit = RejectOptionClassifier().fit
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fit(X, y[:-1])
    with pytest.raises(ValueError, match="only one class"):
        fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="Expected 2D array"):
        fit(X[0], y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        fit(X, None)
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        fit(X, y, sample_weight=np.full(len(X), -1.0))
    with pytest.raises(ValueError, match="must not all be zero"):
        fit(X, y, sample_weight=np.zeros(len(X)))
    with pytest.raises(ValueError, match="sample_weight"):
        fit(X, y, sample_weight=np.ones(3))
    with pytest.raises(ValueError, match="one class is present"):
        fit(X, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(NotFittedError):
        RejectOptionClassifier().predict(X)
    model = fit(X, y)
    with pytest.raises(
        ValueError, match="X has 5 features, but RejectOptionClassifier is expecting 4"
    ):
        model.predict(np.zeros((2, 5)))
    with pytest.raises(ValueError, match="minimum of 1 is required"):
        model.predict(np.zeros((0, 4)))


def test_not_converging_warns(rows):
    X, y = rows
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        RejectOptionClassifier(max_iter=1).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="max_steps"):
        RejectOptionClassifier(max_steps=10, tol=1e-8).fit(X, y)


# ---- processes, threads, signals -----------------------------------------------------------------


def test_pickle_into_another_process(tmp_path, rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    np.save(tmp_path / "rows.npy", X)
    (tmp_path / "model.pickle").write_bytes(pickle.dumps(model))
    script = """
        import pickle, sys, numpy as np
        model = pickle.load(open(sys.argv[1] + "/model.pickle", "rb"))
        rows = np.load(sys.argv[1] + "/rows.npy")
        np.save(sys.argv[1] + "/scores.npy", model.decision_function(rows))
        assert model.rho_ > 0 and len(model.zones_) == 300
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script), str(tmp_path)], check=True)
    np.testing.assert_array_equal(np.load(tmp_path / "scores.npy"), model.decision_function(X))


def test_several_threads_get_what_one_gets_alone(rows):
    X, y = rows
    alone = RejectOptionClassifier(n_jobs=2).fit(X, y)
    scores = alone.decision_function(X)

    def work(_):
        model = RejectOptionClassifier(n_jobs=2).fit(X, y)
        return model.decision_function(X), alone.decision_function(X)

    with ThreadPoolExecutor(4) as pool:
        for fitted, asked in pool.map(work, range(12)):
            np.testing.assert_array_equal(fitted, scores)
            np.testing.assert_array_equal(asked, scores)


def _fit_in_child(X, y, queue):
    queue.put(RejectOptionClassifier(n_jobs=2).fit(X, y).rho_)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_after_use(rows):
    X, y = rows
    model = RejectOptionClassifier(n_jobs=2).fit(X, y)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_fit_in_child, args=(X, y, queue))
    child.start()
    assert queue.get(timeout=60) == model.rho_
    child.join(10)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(rows, backend):
    joblib = pytest.importorskip("joblib")
    X, y = rows
    fits = joblib.Parallel(n_jobs=2, backend=backend)(
        joblib.delayed(RejectOptionClassifier(C=C).fit)(X, y) for C in (1, 2, 1)
    )
    assert fits[0].rho_ == fits[2].rho_ == RejectOptionClassifier(C=1).fit(X, y).rho_


def test_other_threads_run_while_training():
    X, y = make_rows(4000, 10)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    RejectOptionClassifier(C=100, gamma=1.0).fit(X, y)
    took = time.perf_counter() - begin
    done.set()
    thread.join()
    during = [t for t in ticks if begin < t < begin + took]
    assert len(during) > 0.1 * took / 0.01, "the interpreter lock is free while the library works"


def test_ctrl_c_stops_within_a_second(tmp_path):
    script = """
        import signal, sys, time, numpy as np
        from rampart import RejectOptionClassifier
        signal.signal(signal.SIGINT, signal.default_int_handler)  # else ignored behind '&'
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(20000, 20)), rng.random(20000) > 0.5
        print("ready", flush=True)
        try:
            RejectOptionClassifier(C=1e4, gamma=0.05, tol=1e-6).fit(X, y)  # takes minutes
        except KeyboardInterrupt:
            print("stopped", flush=True)
            sys.exit(0)
        print("finished", flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    begin = time.perf_counter()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "stopped\n"
    took = time.perf_counter() - begin
    child.wait(10)
    assert took < 3, "a busy machine aside, this takes well below a second"


def test_progress_on_stderr(capfd, rows):
    X, y = rows
    RejectOptionClassifier(verbose=1).fit(X, y)
    assert "rampart: converged after" in capfd.readouterr().err
    RejectOptionClassifier().fit(X, y)
    assert capfd.readouterr() == ("", "")


def test_html_for_notebooks(rows):
    X, y = rows
    labels = np.where(y == 1, "<b>", "a&b")
    assert "not fitted" in RejectOptionClassifier()._repr_html_()
    page = RejectOptionClassifier().fit(X, labels)._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


# ---- what a new user stumbled over ---------------------------------------------------------------


def test_a_fit_that_fails_leaves_the_model_as_it_was(rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="C = -1"):
        model.set_params(C=-1).fit(X, np.where(y == 1, "a", "b"))
    np.testing.assert_array_equal(model.predict(X), before)


@pytest.mark.parametrize(("labels", "label"), [([0, 1], 0), (["reject", "ok"], None)])
def test_a_rejection_must_not_look_like_an_answer(rows, labels, label):
    X, y = rows
    with pytest.raises(ValueError, match="is a class"):
        RejectOptionClassifier(reject_label=label).fit(X, np.array(labels)[y])


def test_arrays_of_another_width_than_the_frame_of_training():
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    with (
        pytest.warns(UserWarning, match="valid feature names"),
        pytest.raises(ValueError, match="X has 1 features"),
    ):
        model.predict(frame[["age"]].to_numpy())


def test_threads_of_a_fitted_model(rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    scores = model.decision_function(X)
    model.set_params(n_jobs=2)
    np.testing.assert_array_equal(model.decision_function(X), scores)
    with pytest.raises(ValueError, match="n_jobs"):
        model.set_params(n_jobs=0).predict(X)


def test_a_loaded_model_knows_its_parameters(tmp_path, rows):
    X, y = rows
    model = RejectOptionClassifier(C=7, gamma=0.3, mu=0.5, scale="minmax").fit(X, y)
    model.save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    again = RejectOptionClassifier(**loaded.get_params()).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    with pytest.raises(FileNotFoundError, match="no folder"):
        model.save(tmp_path / "nowhere" / "model.json")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        model.save(tmp_path)


def test_a_file_that_is_no_model_is_named(tmp_path):
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(ModelError, match="model.json: "):
        RejectOptionClassifier.load(tmp_path / "model.json")


def test_what_files_do_not_keep_is_said(tmp_path, rows):
    RejectOptionClassifier().fit(*rows).save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    for name in ("zones_", "support_", "n_support_"):
        with pytest.raises(AttributeError, match=f"{name} .*not kept in model files"):
            getattr(loaded, name)
    with pytest.raises(AttributeError, match="linear kernel"):
        _ = loaded.coef_
    with pytest.raises(AttributeError, match="no attribute 'nonsense_'"):
        _ = loaded.nonsense_


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.array([b"no", b"yes"]), "y holds bytes"),
        (np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"), "y holds dates"),
        (np.array([b"no", b"yes"], dtype=object), "must be numbers or text"),
        (np.array([0, "yes"], dtype=object), "Mix of label input types"),
    ],
)
def test_labels_that_no_score_could_compare(rows, y, message):
    X, signs = rows
    with pytest.raises(ValueError, match=message):
        RejectOptionClassifier().fit(X, y[signs])


def test_boolean_labels_are_boolean_after_loading(tmp_path, rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y == 1)
    model.save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.dtype == bool
    assert loaded.score(X, y == 1) == model.score(X, y == 1) == model.score(X, y)


@pytest.mark.parametrize("kind", [bool, int])
def test_true_is_one(rows, kind):
    X, y = rows
    labels = y.astype(kind)
    same = [
        RejectOptionClassifier(class_weight=weights).fit(X, labels).rho_
        for weights in ({1: 3, 0: 0.5}, {True: 3, False: 0.5})
    ]
    assert same[0] == same[1]
    for label in (0, False, 1.0):
        with pytest.raises(ValueError, match="is a class"):
            RejectOptionClassifier(reject_label=label).fit(X, labels)


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"max_iter": -1}, ValueError, "max_iter = -1: .* a large number"),
        ({"max_iter": 1.5}, ValueError, "max_iter = 1.5"),
        ({"cache_size": -1}, ValueError, "cache_size = -1"),
        ({"fourier_features": -1}, ValueError, "^fourier_features = -1"),
        ({"fourier_features": 5, "landmarks": 5}, ValueError, "landmarks and fourier_features"),
        ({"max_seconds": -1}, ValueError, "max_seconds = -1"),
        ({"band_folds": 1}, ValueError, "^band_folds = 1"),
        ({"loss": "squared_hinge"}, ValueError, "loss = squared_hinge: .*'double_hinge'"),
        ({"kernel": min}, TypeError, "kernel = .*: must be one of 'rbf', 'linear'"),
        ({"scale": True}, TypeError, "scale = True: must be one of 'auto'"),
        ({"gamma": [1]}, TypeError, "gamma = .*: must be a number, 'scale' or 'auto'"),
    ],
)
def test_messages_have_the_names_and_values_of_python(rows, params, error, message):
    X, y = rows
    with pytest.raises(error, match=message):
        RejectOptionClassifier(**params).fit(X, y)


def test_support_vectors_are_counted_by_class(rows):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    assert model.n_support_.tolist() == np.bincount(y[model.support_]).tolist()
    assert not hasattr(RejectOptionClassifier(kernel="linear").fit(X, y), "n_support_")


def test_progress_in_a_file_is_a_line_now_and_then(capfd, monkeypatch):
    from rampart import _waiting

    X, y = make_rows(3000, 8)
    monkeypatch.setattr(_waiting, "_BETWEEN_LINES", 0.1)
    RejectOptionClassifier(verbose=1, C=1000, gamma=1.0, tol=1e-6).fit(X, y)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) > 2
    assert lines[0].startswith("rampart: round ")
    assert lines[-1].startswith("rampart: converged after")


def test_sparse_rows_with_strides_are_read_as_they_are():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    rows = sparse.random(200, 6, density=0.5, format="csr", random_state=0)
    y = np.where(rng.normal(size=200) + 3 * rows.toarray()[:, 0] > 1, 1, 0)
    wide = np.full(2 * rows.nnz, 1e6)
    wide[::2] = rows.data
    strided = sparse.csr_matrix((wide[::2], rows.indices, rows.indptr), shape=rows.shape)
    model = RejectOptionClassifier(kernel="linear").fit(rows, y)
    np.testing.assert_array_equal(model.decision_function(strided), model.decision_function(rows))


@pytest.mark.parametrize("label", [np.int64(0), 0.0, False])
def test_a_rejection_must_not_look_like_a_class_of_another_type(label):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    with pytest.raises(ValueError, match="is a class"):
        RejectOptionClassifier(reject_label=label).fit(X, (X[:, 0] > 0).astype(int))


@pytest.mark.parametrize("label", [-1, -1.0, np.nan, np.uint64(7)])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_large_labels_stay_apart_beside_a_reject_label(rows, label, dtype):
    X, y = rows
    labels = np.array([2**53, 2**53 + 1], dtype)
    model = RejectOptionClassifier(reject_label=label).fit(X, labels[y])
    answers = model.predict(X)[~model.reject(X)]
    assert {int(answer) for answer in answers} == set(labels.tolist())


@pytest.mark.parametrize("index", ["u4", ">i4", "<i8", ">i8"])
def test_sparse_indices_of_any_whole_type(index):
    sparse = pytest.importorskip("scipy.sparse")
    X, y = make_rows(120)
    X[np.abs(X) < 1] = 0
    rows = sparse.csr_matrix(X)
    expected = RejectOptionClassifier().fit(rows, y).decision_function(rows)
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    np.testing.assert_array_equal(
        RejectOptionClassifier().fit(rows, y).decision_function(rows), expected
    )


@pytest.mark.parametrize("names", [("inf", "nan"), ("nan", "x"), ("infinity", "-inf")])
def test_labels_of_text_that_spell_no_number_stay_text(tmp_path, rows, names):
    X, y = rows
    model = RejectOptionClassifier().fit(X, np.array(names)[y])
    model.save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == sorted(names)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_what_a_mask_hides_is_missing(rows, dtype):
    X, y = rows
    X = np.round(10 * X).astype(dtype)
    hidden = np.zeros(X.shape, bool)
    hidden[::9, 1] = True
    masked = np.ma.MaskedArray(X, hidden)
    with pytest.raises(ValueError, match="contains NaN"):
        RejectOptionClassifier().fit(masked, y)
    with_nan = np.where(hidden, np.nan, X.astype(np.float64))
    lenient = RejectOptionClassifier(missing="indicator")
    np.testing.assert_array_equal(
        lenient.fit(masked, y).decision_function(masked),
        lenient.fit(with_nan, y).decision_function(with_nan),
    )
    unmasked = np.ma.MaskedArray(X, np.zeros(X.shape, bool))
    assert RejectOptionClassifier().fit(unmasked, y).rho_ > 0
    with pytest.raises(ValueError, match="y contains masked values"):
        RejectOptionClassifier().fit(X, np.ma.MaskedArray(y, y == 1))
    with pytest.raises(ValueError, match="sample_weight contains masked values"):
        RejectOptionClassifier().fit(X, y, np.ma.MaskedArray(np.ones(len(y)), y == 1))


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_names_that_no_file_could_hold_are_refused(rows, text):
    pandas = pytest.importorskip("pandas")
    X, y = rows
    with pytest.raises(ValueError, match="UTF-8|zero character"):
        RejectOptionClassifier().fit(X, np.array(["ill", text])[y])
    named = pandas.DataFrame(X[:, :1], columns=pandas.Index([text], dtype=object))
    with pytest.raises(ValueError, match="UTF-8|zero character"):
        RejectOptionClassifier().fit(named, y)
    wards = pandas.Series([["A", text + "A"][k] for k in y], dtype=object)
    with pytest.raises(ValueError, match="UTF-8|zero character"):
        RejectOptionClassifier().fit(pandas.DataFrame({"age": X[:, 0], "ward": wards}), y)


def test_a_notebook_whose_bar_cannot_be_made_gets_lines(rows, capfd, monkeypatch):
    class Broken:
        def __init__(self, **options):
            raise ImportError("IProgress not found")

    notebook = types.ModuleType("tqdm.notebook")
    notebook.tqdm = Broken
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.notebook", notebook)
    RejectOptionClassifier(verbose=1).fit(*rows)
    assert "rampart: converged after" in capfd.readouterr().err


# ---- interrupted, forked, ended ------------------------------------------------------------------

LONG_FIT = """
    import os, signal, sys, threading, time
    import numpy as np
    from rampart import RejectOptionClassifier
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 10))
    y = rng.integers(0, 2, 6000)
    long = lambda: RejectOptionClassifier(C=1e4, gamma=0.1, tol=1e-6).fit(X, y)
"""


def run_script(script, **options):
    script = textwrap.dedent(LONG_FIT) + textwrap.dedent(script)
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def test_a_program_may_end_while_a_thread_trains():
    done = run_script("threading.Thread(target=long, daemon=True).start(); time.sleep(1)")
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_at_any_moment_neither_hangs_nor_mixes_two_fits():
    done = run_script(
        """
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        X, y = X[:60], (X[:60, 0] > 0).astype(int)
        model = RejectOptionClassifier(kernel="linear")
        classes = {name: np.array([name + " a", name + " b"]) for name in ("one", "two")}
        expected = model.fit(X, y).decision_function(X)
        interrupted = 0
        for k in range(300):
            X = -X  # and with it the sign of f
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 3e-3))
                model.fit(X, classes[("one", "two")[k % 2]][y])
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupted += 1
            if not hasattr(model, "rho_") or len(model.classes_[0]) != 5:
                continue
            turned = model.classes_[0] == "one a"
            rows = X if turned == (k % 2 == 0) else -X
            assert np.allclose(model.decision_function(rows), expected, atol=1e-6)
        print(interrupted > 10)
        """
    )
    assert done.stdout == "True\n", done.stderr


def test_an_error_after_training_leaves_the_model_as_it_was(rows, monkeypatch):
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)
    before = dict(vars(model))

    def broken(*_):
        raise RuntimeError("no zones")

    monkeypatch.setattr("rampart._native.Run.zones", broken)
    with pytest.raises(RuntimeError, match="no zones"):
        model.fit(X, np.array(["a", "b"])[y])
    assert vars(model) == before


def test_a_refit_forgets_what_only_the_old_fit_had(rows):
    X, y = rows
    pandas = pytest.importorskip("pandas")
    model = RejectOptionClassifier().fit(pandas.DataFrame(X, columns=list("abcd")), y)
    model.set_params(kernel="linear").fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "support_")


def test_models_are_written_with_the_mode_of_the_process(tmp_path, rows):
    model = RejectOptionClassifier(kernel="linear").fit(*rows)
    before = os.umask(0o027)
    try:
        model.save(tmp_path / "model.json")
    finally:
        os.umask(before)
    assert (tmp_path / "model.json").stat().st_mode & 0o777 == 0o640


def test_callbacks_and_progress_also_in_other_threads(rows, capfd):
    with ThreadPoolExecutor(1) as pool:
        pool.submit(RejectOptionClassifier(verbose=1).fit, *rows).result()
    assert "rampart: converged after" in capfd.readouterr().err


# ---- hostile values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label", [np.array(1), [1], (7, 8), {1}, Decimal(1), 1 + 0j, np.float32(1), True, "1\0"]
)
def test_no_label_of_a_rejection_looks_like_a_class(rows, label):
    X, y = rows
    classes = np.array(["0", "1"] if isinstance(label, str) else [0, 1])
    with pytest.raises(ValueError, match="is a class|must be one value"):
        RejectOptionClassifier(reject_label=label).fit(X, classes[y])


def test_broken_sparse_rows_are_refused(rows):
    sparse = pytest.importorskip("scipy.sparse")
    X, y = rows
    model = RejectOptionClassifier().fit(X, y)

    def short_data(x):
        x.data = x.data[:3].copy()

    def short_indices(x):
        x.indices = x.indices[:3].copy()

    def falling(x):
        x.indptr[5] = 2**28

    def beyond(x):
        x.indices[3] = 7

    for spoil in (short_data, short_indices, falling, beyond):
        broken = sparse.csr_matrix(X)
        spoil(broken)
        with pytest.raises(ValueError):  # noqa: PT011
            model.decision_function(broken)


@pytest.mark.parametrize(
    ("names", "dtype"),
    [
        ((0, 2**64 - 1), np.uint64),
        ((-(2**60), 2**60 + 1), np.int64),
        ((1, 10**20), str),
        ((0.5, 1.5), None),
    ],
)
def test_large_labels_come_back_as_they_were(tmp_path, rows, names, dtype):
    X, y = rows
    texts = np.array([repr(name) for name in names])
    model = RejectOptionClassifier().fit(X, texts[y])
    model.save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    expected = sorted(texts) if dtype is str else sorted(names)
    assert loaded.classes_.tolist() == expected


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"gamma": "0.5\0x"}, ValueError, "zero character"),
        ({"reject_cost": None}, TypeError, "reject_cost = None: must be a number"),
        ({"loss": None}, TypeError, "loss = None: must be a word"),
        ({"C": Fraction(10**400)}, ValueError, "C is a number that is too large"),
        ({"max_categories": np.nan}, ValueError, "max_categories = nan: must be a whole number"),
        ({"max_categories": 0}, ValueError, "max_categories = 0: must be a whole number"),
    ],
)
def test_values_that_would_be_read_as_others(rows, params, error, message):
    with pytest.raises(error, match=message):
        RejectOptionClassifier(**params).fit(*rows)


def test_fractions_are_costs_and_complex_numbers_no_weights(rows):
    X, y = rows
    model = RejectOptionClassifier(reject_cost=Fraction(1, 5), kernel="linear").fit(X, y)
    assert model.score(X, y) == RejectOptionClassifier(kernel="linear").fit(X, y).score(X, y)
    with pytest.raises(ValueError, match="Complex data not supported"):
        model.fit(X, y, sample_weight=np.ones(len(y)) + 1j)


def test_rows_at_odd_addresses(rows):
    X, y = rows
    raw = np.zeros(X.nbytes + 1, np.uint8)
    odd = raw[1:].view(np.float64).reshape(X.shape)
    odd[:] = X
    assert not odd.flags.aligned
    np.testing.assert_array_equal(
        RejectOptionClassifier().fit(odd, y).decision_function(odd),
        RejectOptionClassifier().fit(X, y).decision_function(X),
    )
