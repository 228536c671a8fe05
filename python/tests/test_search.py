"""RejectOptionClassifierCV: the command's choice, scikit-learn's layout, folds of every kind."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_classifier import write_csv

from rampart import RejectOptionClassifier, RejectOptionClassifierCV

GRID = {"Cs": [0.5, 2, 8], "gammas": [0.1, 0.5]}


def test_the_choice_of_the_command(command, tmp_path, rows):
    X, y = rows
    data = write_csv(tmp_path / "rows.csv", X, y)
    told = json.loads(
        command.run(
            *["tune", data, "-o", tmp_path / "model.json", "--json", "--quiet", "--nested"],
            *["-c", "0.5,2,8", "-g", "0.1,0.5", "--seed", "4"],
        )
    )
    model = RejectOptionClassifierCV(**GRID, random_state=4, nested=True).fit(X, y)
    assert model.best_params_["C"] == told["best"]["C"]
    assert model.best_score_ == 1 - told["best"]["risk"]["mean"]
    assert model.nested_score_ == 1 - told["nested"]["risk"]
    for point, line in zip(model.cv_results_["mean_test_score"], told["grid"]):
        assert point == 1 - line["risk"]["mean"]
    other = RejectOptionClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))


def test_a_nested_estimate_counts_rows_by_their_weights(command, tmp_path, rows):
    X, y = rows
    weights = np.where(y == 1, 5.0, 0.5)
    table = np.column_stack([X, weights])
    data = write_csv(tmp_path / "rows.csv", table, y, [*"abcd", "w"])
    told = json.loads(
        command.run(
            *["tune", data, "-o", tmp_path / "model.json", "--json", "--quiet", "--nested"],
            *["-c", "0.5,2,8", "-g", "0.1,0.5", "--weight", "w"],
        )
    )
    model = RejectOptionClassifierCV(**GRID, nested=True).fit(X, y, weights)
    assert told["nested"]["weighted_risk"] != told["nested"]["risk"]
    assert model.nested_score_ == 1 - told["nested"]["weighted_risk"]


def test_results_in_the_layout_of_grid_search(rows):
    X, y = rows
    model = RejectOptionClassifierCV(**GRID, mus=[0.5, 1], cv=4).fit(X, y)
    results = model.cv_results_
    assert len(results["params"]) == 12
    splits = np.array([results[f"split{k}_test_score"] for k in range(4)])
    np.testing.assert_allclose(results["std_test_score"], splits.std(axis=0))
    # folds of equal size: the mean over rows is that over folds
    np.testing.assert_allclose(results["mean_test_score"], splits.mean(axis=0), atol=1e-3)
    assert results["rank_test_score"][model.best_index_] == 1
    assert set(results["param_mu"]) == {0.5, 1.0}
    best = RejectOptionClassifier(**model.best_params_).fit(X, y)
    np.testing.assert_array_equal(best.decision_function(X), model.decision_function(X))
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(results).shape[0] == 12


def test_groups_are_never_on_both_sides(rows):
    X, y = rows
    groups = np.repeat(np.arange(100), 3)
    model = RejectOptionClassifierCV(**GRID, cv=5).fit(X, y, groups=groups)
    assert model.n_splits_ == 5
    # rows that are copies of each other: without groups each copy gives the other away
    twice, labels = np.vstack([X, X]), np.r_[y, y]
    noise = np.random.default_rng(0).integers(0, 2, len(y))
    open_book = RejectOptionClassifierCV(Cs=[100], gammas=[50.0]).fit(twice, np.r_[noise, noise])
    closed = RejectOptionClassifierCV(Cs=[100], gammas=[50.0]).fit(
        twice, np.r_[noise, noise], groups=np.r_[np.arange(300), np.arange(300)]
    )
    assert open_book.best_score_ > closed.best_score_ + 0.05
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        RejectOptionClassifierCV().fit(twice, labels, groups=[1, 2])


def test_splits_of_scikit_learn(rows):
    selection = pytest.importorskip("sklearn.model_selection")
    X, y = rows
    splitter = selection.StratifiedKFold(4, shuffle=True, random_state=0)
    model = RejectOptionClassifierCV(**GRID, cv=splitter).fit(X, y)
    by_list = RejectOptionClassifierCV(**GRID, cv=list(splitter.split(X, y))).fit(X, y)
    np.testing.assert_array_equal(
        model.cv_results_["mean_test_score"], by_list.cv_results_["mean_test_score"]
    )
    # each split is one of the folds, and measured as scikit-learn would
    expected = sorted(
        RejectOptionClassifier(C=0.5, gamma=0.1).fit(X[a], y[a]).score(X[b], y[b])
        for a, b in splitter.split(X, y)
    )
    found = sorted(model.cv_results_[f"split{k}_test_score"][0] for k in range(4))
    np.testing.assert_allclose(found, expected)
    with pytest.raises(ValueError, match="exactly one split"):
        RejectOptionClassifierCV(cv=selection.ShuffleSplit(3)).fit(X, y)
    with pytest.raises(ValueError, match="cv = 'five'"):
        RejectOptionClassifierCV(cv="five").fit(X, y)


def test_few_rows_get_fewer_folds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)), np.r_[np.zeros(9), np.ones(3)]
    with pytest.warns(UserWarning, match="least populated class"):
        model = RejectOptionClassifierCV(**GRID).fit(X, y)
    assert model.n_splits_ == 3
    with pytest.raises(ValueError, match="cannot be greater than the number of members"):
        RejectOptionClassifierCV(**GRID).fit(X, np.r_[np.zeros(11), np.ones(1)])


def test_a_grid_that_is_not_given_is_the_standard_one(rows):
    X, y = rows
    model = RejectOptionClassifierCV(kernel="linear").fit(X[:100], y[:100])
    assert len(model.cv_results_["params"]) >= 7
    assert "gamma" not in model.best_params_
    for wrong in ([], "1,2", [[1]], ["a"]):
        with pytest.raises((ValueError, TypeError)):
            RejectOptionClassifierCV(Cs=wrong).fit(X, y)


def test_nested_folds_of_a_splitter_search_on_the_other_folds(rows):
    selection = pytest.importorskip("sklearn.model_selection")
    X, y = rows
    weights = np.arange(len(y)) % 3 + 1.0
    splits = list(selection.StratifiedKFold(4).split(X, y))
    model = RejectOptionClassifierCV(**GRID, cv=splits, nested=True).fit(X, y, weights)
    fold_of = np.empty(len(y), int)
    for k, (_, test) in enumerate(splits):
        fold_of[test] = k
    found = 0.0
    for train, test in splits:
        folds = fold_of[train]
        inner = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in np.unique(folds)]
        search = RejectOptionClassifierCV(**GRID, cv=inner).fit(X[train], y[train], weights[train])
        found += search.score(X[test], y[test], weights[test]) * weights[test].sum()
    assert model.nested_score_ == pytest.approx(found / weights.sum())
    assert model.n_splits_ == 4
    plain = RejectOptionClassifierCV(**GRID, cv=splits).fit(X, y, weights)
    np.testing.assert_array_equal(plain.decision_function(X), model.decision_function(X))
    with pytest.raises(ValueError, match="nested: cv has 2 splits, and must have 3"):
        RejectOptionClassifierCV(cv=selection.KFold(2), nested=True).fit(X, y)


def test_nested_folds_of_kernel_matrices_and_sparse_rows(rows):
    selection = pytest.importorskip("sklearn.model_selection")
    sparse = pytest.importorskip("scipy.sparse")
    X, y = rows
    params = {"Cs": [0.5, 2], "cv": selection.StratifiedKFold(3), "nested": True, "scale": "none"}
    by_rows = RejectOptionClassifierCV(kernel="linear", solver="smo", unfamiliar=0, **params)
    expected = by_rows.fit(X, y).nested_score_
    by_matrix = RejectOptionClassifierCV(kernel="precomputed", unfamiliar=0, **params)
    assert by_matrix.fit(X @ X.T, y).nested_score_ == pytest.approx(expected, abs=0.02)
    assert by_rows.fit(sparse.csr_matrix(X), y).nested_score_ == pytest.approx(expected, abs=0.02)


def test_groups_without_a_name_are_refused(rows):
    X, y = rows
    for groups in (np.r_[np.nan, np.arange(299)], np.array([None, *["a", "b", "c"] * 100][:300])):
        with pytest.raises(ValueError, match="groups contains NaN"):
            RejectOptionClassifierCV(**GRID).fit(X, y, groups=groups)


def test_a_grid_is_a_list_or_a_rule(rows):
    X, y = rows
    model = RejectOptionClassifierCV(Cs=[2], gammas="scale", cv=3).fit(X, y)
    assert model.best_params_ == {"C": 2.0, "gamma": "scale", "mu": 1.0}
    # In LogisticRegressionCV a number would be the number of points.
    for wrong in (10, 0.5, "2", [], [[1, 2]]):
        with pytest.raises(ValueError, match=r"Cs = .*: must be a list of numbers"):
            RejectOptionClassifierCV(Cs=wrong).fit(X, y)
    with pytest.raises(ValueError, match="or 'scale' or 'auto'"):
        RejectOptionClassifierCV(gammas=["scale", 0.1]).fit(X, y)


def test_none_is_five_folds_and_splitters_repeat_by_themselves(rows):
    X, y = rows
    grid = {"Cs": [0.5, 2], "gammas": [0.5]}
    assert RejectOptionClassifierCV(**grid, cv=None).fit(X, y).n_splits_ == 5
    selection = pytest.importorskip("sklearn.model_selection")
    with pytest.raises(ValueError, match="n_repeats = 3: repeats folds that cv = 5"):
        RejectOptionClassifierCV(**grid, cv=selection.KFold(4), n_repeats=3).fit(X, y)


def test_groups_of_mixed_names_are_refused(rows):
    X, y = rows
    groups = np.array(["a", 1] * 150, dtype=object)
    with pytest.raises(ValueError, match="groups: must be all numbers or all text"):
        RejectOptionClassifierCV(**GRID).fit(X, y, groups=groups)


@pytest.mark.parametrize(
    ("params", "message"),
    [({"cv": 1}, "^cv = 1"), ({"n_repeats": 0}, "^n_repeats = 0"), ({"random_state": -1}, "^ran")],
)
def test_folds_have_the_names_of_python(rows, params, message):
    X, y = rows
    with pytest.raises(ValueError, match=message):
        RejectOptionClassifierCV(**GRID, **params).fit(X, y)


def test_results_of_the_search_are_not_in_files(tmp_path, rows):
    RejectOptionClassifierCV(Cs=[1], gammas=[0.5], cv=3).fit(*rows).save(tmp_path / "model.json")
    loaded = RejectOptionClassifierCV.load(tmp_path / "model.json")
    for name in ("cv_results_", "best_params_"):
        with pytest.raises(AttributeError, match=f"{name} .*not kept in model files"):
            getattr(loaded, name)


def test_splits_that_overlap_or_name_rows_beyond_the_last(rows):
    X, y = rows
    all_rows = np.arange(len(y))
    half = len(y) // 2
    whole = [(all_rows[:half], all_rows[half:]), (all_rows[:half], all_rows[:half])]
    beyond = [(all_rows[1:], all_rows[:1] + len(y)), (all_rows[:1], all_rows[1:])]
    for cv, message in ((whole, "every row must be in the test part"), (beyond, "split 0 names")):
        with pytest.raises(ValueError, match=message):
            RejectOptionClassifierCV(**GRID, cv=cv).fit(X, y)
