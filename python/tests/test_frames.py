"""Columns of frames of every type are read as the command reads those of a table."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pytest

from rampart import RejectOptionClassifier

pandas = pytest.importorskip("pandas")

ROWS = 140
HOLES = np.arange(ROWS) % 7 == 0


def people():
    rng = np.random.default_rng(5)
    age = rng.normal(50, 15, ROWS).round(1)
    ward = rng.choice(["A", "B"], ROWS)
    smoker = rng.random(ROWS) < 0.4
    y = np.where(age + 10 * smoker + rng.normal(0, 8, ROWS) > 55, "ill", "well")
    return pandas.DataFrame({"age": age, "ward": ward, "smoker": smoker}), y


def columns_of(model):
    return model._model.about["columns"]


def scores(frame, y):
    return RejectOptionClassifier().fit(frame, y).decision_function(frame)


# ---- missing values of every kind ----------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "category"])
def test_missing_texts_are_the_same_in_every_type_of_column(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    frame, y = people()
    expected = scores(frame.assign(ward=frame["ward"].mask(HOLES, None)), y)
    given = frame.assign(ward=frame["ward"].astype(dtype).mask(HOLES))
    np.testing.assert_array_equal(scores(given, y), expected)


def test_pandas_na_among_objects_is_missing():
    frame, y = people()
    expected = scores(frame.assign(ward=frame["ward"].mask(HOLES, None)), y)
    given = frame.assign(ward=frame["ward"].astype(object).mask(HOLES, pandas.NA))
    np.testing.assert_array_equal(scores(given, y), expected)


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]"])
def test_missing_booleans_are_missing_categories(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
        if not hasattr(pandas, "ArrowDtype"):
            pytest.skip("this pandas has no types of pyarrow")
    frame, y = people()
    model = RejectOptionClassifier().fit(
        frame.assign(smoker=frame["smoker"].astype(dtype).mask(HOLES)), y
    )
    assert columns_of(model)["categories"][2] == ["False", "True"]
    assert columns_of(model)["misses"] == [False, False, True]


def test_labels_that_are_missing_are_named_as_such():
    frame, y = people()
    for dtype in ("string", object):
        labels = pandas.Series(y, dtype=dtype).mask(HOLES, pandas.NA)
        with pytest.raises(ValueError, match="Input y contains NaN"):
            RejectOptionClassifier().fit(frame, labels)


def test_a_new_row_may_miss_any_value():
    frame, y = people()
    frame.loc[HOLES, ["age", "ward"]] = None
    model = RejectOptionClassifier(unfamiliar=0).fit(frame, y)
    missing = {"age": np.nan, "ward": "A", "smoker": True}
    expected = model.decision_function(pandas.DataFrame([missing]))
    assert np.isfinite(expected).all()
    found = model.decision_function(pandas.DataFrame([{**missing, "age": None}]))
    np.testing.assert_array_equal(found, expected)
    whole = frame[~HOLES].head(1).to_dict("records")[0]
    reasons = RejectOptionClassifier().fit(frame[~HOLES], y[~HOLES]).reasons
    for name in frame.columns:
        assert reasons(pandas.DataFrame([{**whole, name: None}]))[0].startswith("incomplete")


def test_a_new_row_of_polars_may_miss_any_value():
    polars = pytest.importorskip("polars")
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    row = {"age": 50.0, "ward": "A", "smoker": True}
    for name in row:
        found = model.reasons(polars.DataFrame([{**row, name: None}]))[0]
        assert found == f"incomplete: column {name!r} has no value"


# ---- numbers, whatever they are written as -------------------------------------------------------


def numbers_with_holes(frame, form):
    return [None if hole else form(value) for value, hole in zip(frame["age"], HOLES)]


@pytest.mark.parametrize("form", [float, str, lambda x: Decimal(str(x)), lambda x: f" +{x}e0 "])
def test_a_column_of_objects_that_are_numbers_is_numeric(form):
    frame, y = people()
    expected = scores(frame.assign(age=frame["age"].mask(HOLES)), y)
    given = frame.assign(age=pandas.Series(numbers_with_holes(frame, form), dtype=object))
    np.testing.assert_array_equal(scores(given, y), expected)


def test_numbers_in_sparse_columns_are_numbers():
    frame, y = people()
    expected = scores(frame, y)
    given = frame.assign(age=pandas.arrays.SparseArray(frame["age"]))
    np.testing.assert_array_equal(scores(given, y), expected)


def test_columns_that_are_named_or_of_type_category_stay_categories():
    frame, y = people()
    digits = (np.arange(ROWS) % 3).astype(str)
    for given, named in ((digits.astype(object), ["ward"]), (pandas.Categorical(digits), None)):
        model = RejectOptionClassifier(categorical=named).fit(frame.assign(ward=given), y)
        assert columns_of(model)["categories"][1] == ["0", "1", "2"]
    model = RejectOptionClassifier().fit(frame.assign(ward=digits.astype(object)), y)
    assert columns_of(model)["categories"][1] == []


def test_a_file_with_question_marks_gives_the_model_of_the_command(command, tmp_path):
    frame, y = people()
    frame["age"] = ["?" if hole else str(age) for age, hole in zip(frame["age"], HOLES)]
    frame["ward"] = np.where(np.arange(ROWS) % 11 == 0, "-", frame["ward"])
    # numbers beside a text are categories, by value
    frame["code"] = np.resize(["1", "01", "1.0", "x ", "100000", "123456", "-0.00001"], ROWS)
    path = tmp_path / "people.csv"
    frame.assign(label=y).to_csv(path, index=False)
    told = command.train(path, tmp_path / "model.json")
    read = pandas.read_csv(path)
    assert read["age"].dtype != np.float64
    X = read.drop(columns="label")
    model = RejectOptionClassifier().fit(X, read["label"])
    assert (model.rho_, model.objective_) == (told["rho"], told["objective"])
    other = RejectOptionClassifier.load(tmp_path / "model.json")
    assert columns_of(other) == columns_of(model)
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))


def test_numbers_are_called_as_the_command_calls_them(command, tmp_path):
    values = [0.0, -0.0, 1e5, 123456.0, 1e-5, 0.1, -2.5, 1e15, 2.0**60, 1e22, 1e300, 1e-300, 1e3]
    X = np.resize(values, (60, 1))
    y = np.arange(60) % 2
    frame = pandas.DataFrame({"code": X[:, 0]})
    frame.assign(label=y).to_csv(tmp_path / "codes.csv", index=False)
    command.train(tmp_path / "codes.csv", tmp_path / "model.json", "--categorical", "code")
    names = json.loads((tmp_path / "model.json").read_text())["features"]["categories"][0]["names"]
    model = RejectOptionClassifier(categorical=["code"]).fit(frame, y)
    assert columns_of(model)["categories"][0] == names


def test_a_text_in_a_column_of_numbers_is_named():
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    odd = frame.head(2).assign(age=["51", "fifty"])
    assert model.reasons(odd)[1] == "unreadable: column 'age': 'fifty' is not a number"
    assert model.predict_with_reject(odd)[1] == "reject"
    assert model.reasons(odd)[0] == model.reasons(odd.assign(age=[51, 50]))[0]
    for ask in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match=r"1 of 2 rows .* row 1 \(unreadable: column 'age'"):
            ask(odd)
    same = frame.head(2).assign(age=frame["age"].head(2).astype(str))
    np.testing.assert_array_equal(model.predict(same), model.predict(frame.head(2)))


def test_one_text_among_many_numbers_is_named_in_training():
    frame, y = people()
    ages = [*(str(n / 3) for n in range(ROWS - 1)), "unknown"]
    with pytest.raises(ValueError, match="column 'age' holds 139 different numbers, and 'unknown'"):
        RejectOptionClassifier().fit(frame.assign(age=ages), y)


# ---- categories and other types ------------------------------------------------------------------


def test_intervals_of_cut_are_categories():
    frame, y = people()
    ages = pandas.cut(frame["age"], [0, 40, 60, 200])
    model = RejectOptionClassifier().fit(frame.assign(age=ages), y)
    assert columns_of(model)["categories"][0] == ["(0, 40]", "(40, 60]", "(60, 200]"]


def test_dictionaries_of_arrow_are_categories():
    pyarrow = pytest.importorskip("pyarrow")
    if not hasattr(pandas, "ArrowDtype"):
        pytest.skip("this pandas has no types of pyarrow")
    frame, y = people()
    dtype = pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
    given = frame.assign(ward=pandas.Series(frame["ward"].tolist(), dtype=dtype))
    np.testing.assert_array_equal(scores(given, y), scores(frame, y))


def test_cells_that_are_neither_text_nor_numbers_name_their_column():
    frame, y = people()
    for value in (("a", "b"), pandas.Timestamp("2020-01-01")):
        column = pandas.Series([value] * ROWS, dtype=object)
        with pytest.raises(ValueError, match="column 'ward': a cell holds .*leave it out"):
            RejectOptionClassifier().fit(frame.assign(ward=column), y)


def test_lazy_frames_are_to_be_collected_first(recwarn):
    polars = pytest.importorskip("polars")
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    lazy = polars.DataFrame({name: frame[name].tolist() for name in frame.columns}).lazy()
    for ask in (model.predict, lambda X: RejectOptionClassifier().fit(X, y)):
        with pytest.raises(TypeError, match="call .collect\\(\\) first"):
            ask(lazy)
    assert not recwarn.list


def test_tables_of_arrow_are_frames():
    pyarrow = pytest.importorskip("pyarrow")
    frame, y = people()
    table = pyarrow.table({name: frame[name].tolist() for name in frame.columns})
    np.testing.assert_array_equal(scores(table, y), scores(frame, y))


def test_arrays_cannot_stand_for_frames_with_text():
    frame, y = people()
    model = RejectOptionClassifier().fit(frame, y)
    with (
        pytest.warns(UserWarning, match="valid feature names"),
        pytest.raises(ValueError, match="trained on a data frame whose column 2 holds text"),
    ):
        model.predict([[50, 0.0, 1.0]])
    with pytest.raises(ValueError, match="pass a data frame, whose text columns are categories"):
        RejectOptionClassifier().fit(frame.to_numpy(), y)


def test_sparse_rows_cannot_hold_categories():
    sparse = pytest.importorskip("scipy.sparse")
    X = np.column_stack([np.arange(60.0), np.arange(60) % 3])
    model = RejectOptionClassifier(categorical=[1]).fit(X, np.arange(60) % 2)
    with pytest.raises(ValueError, match="trained with categories"):
        model.predict(sparse.csr_matrix(X))


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["auto", "indicator"])
def test_sparse_rows_that_miss_values_get_advice_that_works(missing):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix(np.array([[1, np.nan], [0, 1.0], [2.0, 1.0]]))
    with pytest.raises(ValueError, match="Input X contains NaN") as error:
        RejectOptionClassifier(missing=missing).fit(X, [0, 1, 0])
    assert "SimpleImputer" in str(error.value)
    assert "indicator" not in str(error.value)


def test_frames_that_miss_values_may_be_refused():
    frame, y = people()
    with pytest.raises(ValueError, match="the frame misses values, which missing='refuse'"):
        RejectOptionClassifier(missing="refuse").fit(frame.assign(age=frame["age"].mask(HOLES)), y)


# ---- names of features ---------------------------------------------------------------------------


def test_every_weight_has_a_name(tmp_path):
    frame, y = people()
    frame.loc[HOLES, ["age", "ward"]] = None
    model = RejectOptionClassifier(kernel="linear").fit(frame, y)
    expected = ["age", "age is missing", "ward = A", "ward = B", "ward is missing"]
    expected += ["smoker = False", "smoker = True"]
    assert model.get_feature_names_out().tolist() == expected
    assert model.coef_.shape == (1, len(expected))
    model.save(tmp_path / "model.json")
    loaded = RejectOptionClassifier.load(tmp_path / "model.json")
    assert loaded.get_feature_names_out().tolist() == expected


def test_columns_without_names_are_numbered():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    model = RejectOptionClassifier(kernel="linear").fit(X, y)
    assert model.get_feature_names_out().tolist() == ["x0", "x1"]
    assert model.get_feature_names_out(["a", "b"]).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="input_features"):
        model.get_feature_names_out(["a"])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("12%", "a percentage"),
        ("2024-05-31", "a date"),
        ("1,5", "a number with a comma"),
        ("12:30", "a time"),
    ],
)
def test_text_that_people_read_as_numbers_is_refused_as_by_the_command(text, what):
    frame, y = people()
    frame["when"] = np.where(HOLES, text, "3")
    with pytest.raises(ValueError, match=f"column 'when': '{text}' in row 0 is {what}"):
        RejectOptionClassifier().fit(frame, y)
    for chosen in (
        RejectOptionClassifier(categorical=["when"]).fit(frame, y),
        RejectOptionClassifier().fit(frame.astype({"when": "category"}), y),
    ):
        assert columns_of(chosen)["categories"][3] == ["3", text]


def test_a_level_called_none_is_a_category_where_the_type_says_so():
    frame, y = people()
    pain = np.where(HOLES, "none", "mild")
    levels = frame.assign(pain=pandas.Categorical(pain))
    assert columns_of(RejectOptionClassifier().fit(levels, y))["categories"][3] == ["mild", "none"]
    texts = RejectOptionClassifier().fit(frame.assign(pain=pain), y)
    assert columns_of(texts)["categories"][3] == ["mild"]
    assert columns_of(texts)["misses"][3]


def test_booleans_are_the_same_however_they_are_spelt(command, tmp_path):
    frame, y = people()
    table = pandas.DataFrame({"age": frame["age"], "smoker": frame["smoker"], "label": y})
    model = RejectOptionClassifier().fit(table[["age", "smoker"]], y)
    expected = model.decision_function(table[["age", "smoker"]])
    spellings = [("TRUE", "FALSE"), ("true", "false"), ("True", "False"), ("1", "0"), (1, 0)]
    for true, false in spellings:
        new = table[["age"]].assign(smoker=np.where(frame["smoker"], true, false))
        np.testing.assert_array_equal(model.decision_function(new), expected)
    # The command, in both directions.
    as_r = table.assign(smoker=np.where(frame["smoker"], "TRUE", "FALSE"))
    as_r.to_csv(tmp_path / "r.csv", index=False)
    command.train(tmp_path / "r.csv", tmp_path / "r.json")
    loaded = RejectOptionClassifier.load(tmp_path / "r.json")
    np.testing.assert_array_equal(loaded.decision_function(table[["age", "smoker"]]), expected)
    model.save(tmp_path / "python.json")
    answers = command.run("predict", tmp_path / "python.json", tmp_path / "r.csv")
    assert "unseen" not in answers


def test_booleans_are_numbers_where_training_had_numbers():
    frame, y = people()
    numbers = frame[["age"]].assign(smoker=frame["smoker"].astype(int))
    model = RejectOptionClassifier().fit(numbers, y)
    np.testing.assert_array_equal(
        model.decision_function(frame[["age", "smoker"]]), model.decision_function(numbers)
    )


def test_labels_of_a_file_with_booleans_are_boolean(command, tmp_path):
    frame, y = people()
    frame[["age"]].assign(ill=np.where(y == "ill", "TRUE", "FALSE")).to_csv(
        tmp_path / "rows.csv", index=False
    )
    command.train(tmp_path / "rows.csv", tmp_path / "model.json")
    model = RejectOptionClassifier.load(tmp_path / "model.json")
    assert model.score(frame[["age"]], y == "ill") > 0.5


@pytest.mark.parametrize("make", [pandas.Series, pandas.Categorical])
def test_large_whole_numbers_do_not_become_one_category(make):
    frame, y = people()
    frame["id"] = make(2**60 + np.arange(ROWS) % 3)
    with pytest.raises(ValueError, match="column 'id' holds the category 11529.*too large"):
        RejectOptionClassifier(categorical=["id"]).fit(frame, y)


def test_more_categories_than_allowed_are_refused_wherever_they_are_named():
    frame, y = people()
    for X in (frame[["age"]].assign(code=np.arange(ROWS)), np.arange(2.0 * ROWS).reshape(ROWS, 2)):
        with pytest.raises(ValueError, match="140 different values, and categories are at most"):
            RejectOptionClassifier(categorical=[1]).fit(X, y)


def test_numbers_name_columns_by_label_where_labels_are_numbers():
    frame, y = people()
    numbered = pandas.DataFrame({1: np.arange(ROWS) % 3, 2: frame["age"], 3: 1.0})
    model = RejectOptionClassifier(categorical=[1]).fit(numbered, y)
    assert [len(names) for names in columns_of(model)["categories"]] == [3, 0, 0]
    mask = RejectOptionClassifier(categorical=np.array([True, False, False])).fit(numbered, y)
    assert columns_of(mask) == columns_of(model)
    for wrong, message in (([0], "X has no column 0"), ([True], "1 booleans for 3 columns")):
        with pytest.raises(ValueError, match=message):
            RejectOptionClassifier(categorical=wrong).fit(numbered, y)
    far = numbered.head(1).copy()
    far[2] = 1e6
    assert model.reasons(far)[0].startswith("unfamiliar: column 2 is 1000000")


def test_intervals_infinities_and_folders_are_named():
    frame, y = people()
    bands = pandas.cut(frame["age"], 3)
    with pytest.raises(ValueError, match="column 'band' has type interval"):
        RejectOptionClassifier().fit(frame.assign(band=pandas.arrays.IntervalArray(bands)), y)
    frame.loc[3, "age"] = np.inf
    with pytest.raises(ValueError, match="infinity .*The first is in row 3, column 'age'"):
        RejectOptionClassifier().fit(frame, y)
