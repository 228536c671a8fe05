"""What users pass as X, y and weights, as arrays that the library can view.

The messages are those that scikit-learn's users know. They are written here, not imported: the
package works without scikit-learn, and one row is answered faster than scikit-learn would check it.
"""

from __future__ import annotations

import numbers
import warnings
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from rampart._cells import (
    CATEGORIES,
    NUMBERS,
    Cell,
    category_texts,
    cells_of,
    in_order,
    is_boolean,
    is_missing,
    kind_of,
    number_in,
    numbers_in,
    require_exact_cells,
    require_exact_codes,
)
from rampart._library import number_like
from rampart._native import Data
from rampart._sklearn import DataConversionWarning

Column = NDArray[np.float64]

_UNSEEN = -1.0


@dataclass
class Table:
    """Rows, dense or sparse, and what is known of their columns."""

    x: Any  # a two-dimensional array of floats, or a scipy CSR matrix
    names: Optional[list[str]] = None  # None: the columns have none
    categories: dict[int, list[str]] = field(default_factory=dict)  # by column
    unseen: dict[tuple[int, int], str] = field(default_factory=dict)  # text, by row and column
    unreadable: dict[int, str] = field(default_factory=dict)  # why a row cannot be read
    labels: Optional[list[Any]] = None  # of the columns of a frame, of any type
    is_frame: bool = False

    @property
    def rows(self) -> int:
        return int(self.x.shape[0])

    @property
    def columns(self) -> int:
        return int(self.x.shape[1])

    def column_name(self, j: int) -> str:
        """What messages call a column: by its name or label, x0, x1, ... where it has none."""
        return f"x{j}" if self.labels is None else repr(self.labels[j])

    def data(self) -> Data:
        return Data.dense(self.x) if isinstance(self.x, np.ndarray) else Data.csr(self.x)

    def part(
        self,
        rows: NDArray[np.bool_],
        square: bool,
        columns: Optional[NDArray[np.bool_]] = None,
    ) -> Table:
        """Some of the rows; ``square``: of a kernel matrix, and so the same columns."""
        kept = rows if square else columns
        x = self.x[rows] if kept is None else self.x[rows][:, kept]
        if isinstance(x, np.ndarray):
            x = np.ascontiguousarray(x)
        return Table(x, None if kept is not None else self.names, self.categories)

    def stored(self) -> NDArray[Any]:
        """The values that are there."""
        values: NDArray[Any] = self.x if isinstance(self.x, np.ndarray) else self.x.data
        return values


def is_frame(x: Any) -> bool:
    """Whether these are columns with names and types of their own: pandas or polars."""
    module = type(x).__module__.partition(".")[0]
    if module == "polars" and type(x).__name__ == "LazyFrame":  # asking it for more has a price
        raise TypeError("X is a LazyFrame, which holds no rows yet: call .collect() first")
    return module in ("pandas", "polars") and hasattr(x, "columns")


def frame_of(x: Any) -> Any:
    """A table of pyarrow as a frame of pandas; anything else as it is."""
    is_arrow = type(x).__module__.partition(".")[0] == "pyarrow" and hasattr(x, "to_pandas")
    if not is_arrow or not hasattr(x, "column_names"):
        return x
    try:
        return x.to_pandas()
    except ImportError as error:
        raise TypeError(
            f"X is a {type(x).__name__} of pyarrow, which is read with the help of pandas: install "
            "pandas, or pass a polars frame (polars.from_arrow)"
        ) from error


def is_sparse(x: Any) -> bool:
    return hasattr(x, "tocsr") and type(x).__module__.startswith("scipy.")


def table_of(
    x: Any,
    estimator: Any,
    *,
    categorical: Any = None,
    max_categories: Any = 100,
    known: Optional[dict[int, list[str]]] = None,
) -> Table:
    """X as a table.

    ``known`` are the categories of a model, for rows to predict; without them those of X are
    learnt.
    """
    if not isinstance(max_categories, numbers.Integral) or max_categories < 1:
        raise ValueError(f"max_categories = {max_categories!r}: must be a whole number >= 1")
    most = int(max_categories)
    if is_frame(x):
        table = _from_frame(x, _chosen(categorical, x), most, known)
    elif is_sparse(x):
        if known:
            raise ValueError(
                f"X is sparse, but {type(estimator).__name__} was trained with categories, which "
                "sparse rows cannot hold; pass a frame or an array"
            )
        if categorical is not None and len(categorical):
            raise ValueError("categorical: sparse rows hold numbers; pass a frame or an array")
        table = Table(_csr(x))
    else:
        table = Table(_matrix(x))
        chosen = known if known is not None else _chosen(categorical, table.x)
        if (
            chosen and max(chosen) < table.columns
        ):  # else the width is wrong, and the caller says so
            table.x = table.x.astype(np.float64)
            if known:
                _require_numeric_categories(known, estimator)
            for j in chosen:
                texts = category_texts(table.x[:, j].tolist())
                table.x[:, j] = _codes(table, j, texts, known, most)
    _require_some(table, estimator)
    return table


def _require_numeric_categories(known: dict[int, list[str]], estimator: Any) -> None:
    """Raises ValueError where no number of an array could be a category of training."""
    for j, names in known.items():
        texts = [name for name in names if number_in(name) is None]
        if texts:
            raise ValueError(
                f"X is an array, but {type(estimator).__name__} was trained on a data frame whose "
                f"column {j + 1} holds text, such as {texts[0]!r}; pass a frame with the same "
                "columns"
            )


def _require_some(table: Table, estimator: Any) -> None:
    shape = (table.rows, table.columns)
    name = type(estimator).__name__
    if table.rows < 1:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required by "
            f"{name}."
        )
    if table.columns < 1:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required by "
            f"{name}."
        )


# ---- arrays --------------------------------------------------------------------------------------


def _matrix(x: Any) -> NDArray[Any]:
    """A dense array of float32 or float64, in the order of C; no copy where it is one already."""
    array = x if type(x) is np.ndarray else _without_mask(x)
    if array.ndim != 2:
        _refuse_shape(array)
    if array.dtype == np.float64 or array.dtype == np.float32:
        return np.ascontiguousarray(array) if array.flags.aligned else array.copy(order="C")
    kind = array.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if kind in "US":
        raise ValueError(
            "dtype='numeric' is not compatible with arrays of bytes/strings. Convert your data to "
            "numeric values explicitly instead, or pass a data frame, whose text columns are "
            "categories."
        )
    if kind == "O":
        return _numbers_of(array)
    if kind not in "fiub":
        raise ValueError(f"X has type {array.dtype}: must be numbers")
    wide = np.float32 if array.dtype == np.float16 else np.float64
    return np.ascontiguousarray(array, dtype=wide)


def _without_mask(x: Any) -> NDArray[Any]:
    """Anything as an array; what a masked array hides is missing."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        wide = x if x.dtype.kind in "fcO" else x.astype(np.float64)
        return np.ma.filled(wide, np.nan)
    return np.asarray(x)


def _numbers_of(array: NDArray[Any]) -> NDArray[np.float64]:
    """Objects as numbers; what pandas calls missing is NaN."""
    try:
        return np.ascontiguousarray(array, dtype=np.float64)
    except TypeError:
        cleaned = array.copy()
        for place, value in np.ndenumerate(array):
            if is_missing(value):
                cleaned[place] = np.nan
        return np.ascontiguousarray(cleaned, dtype=np.float64)
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"{error}: an array holds numbers only; pass a data frame, whose text columns are "
            "categories"
        ) from error


def _refuse_shape(array: NDArray[Any]) -> None:
    if array.ndim == 0:
        raise ValueError(
            f"Expected 2D array, got scalar array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim == 1:
        raise ValueError(
            f"Expected 2D array, got 1D array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")


def _csr(x: Any) -> Any:
    """Compressed sparse rows with sorted indices; not a copy where they are that already."""
    if x.ndim != 2:
        raise ValueError(f"Found array with dim {x.ndim}, while dim <= 2 is required.")
    if x.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{x}\n")
    rows = x.tocsr()
    rows.check_format(full_check=False)  # arrays that are too short would be read beyond their end
    if (np.diff(rows.indptr) < 0).any():
        raise ValueError("X is sparse, and its indptr decreases: must increase or stay")
    if rows.data.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if not rows.has_canonical_format:  # unsorted, or the same entry twice
        rows = rows.copy() if rows is x or np.shares_memory(rows.data, x.data) else rows
        rows.sum_duplicates()
    if rows.indices.dtype != rows.indptr.dtype or rows.indices.dtype not in (np.int32, np.int64):
        rows = rows.copy()
        rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return rows


def require_finite(table: Table, *, missing: bool, estimator: Any) -> None:
    """Raises ValueError, in scikit-learn's words, for infinite values, for NaN unless allowed."""
    values = table.stored()
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum(dtype=np.float64)):  # far cheaper than asking each value
            return
    if np.isinf(values).any():
        place = ""
        if table.is_frame:
            row, column = np.argwhere(np.isinf(values))[0]
            place = f" The first is in row {row}, column {table.column_name(column)}."
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('{values.dtype}').{place}"
        )
    is_dense = isinstance(table.x, np.ndarray)
    if not (missing and is_dense) and np.isnan(values).any():
        name = type(estimator).__name__
        if table.is_frame:
            raise ValueError(
                "Input X contains NaN: the frame misses values, which missing='refuse' does not "
                "allow; missing='indicator', the way of 'auto' with frames, fills in the median of "
                "the column and marks the place"
            )
        if not is_dense:
            raise ValueError(
                f"Input X contains NaN.\n{name} does not accept missing values in sparse rows: "
                "fill them in before, for example with sklearn.impute.SimpleImputer, or pass a "
                "dense array"
            )
        raise ValueError(
            f"Input X contains NaN.\n{name} does not accept missing values encoded as NaN in an "
            f"array by default: {name}(missing='indicator') fills in the median of the column and "
            "marks the place, missing='median' only fills in, missing='drop' leaves such rows out. "
            "Data frames are read like that by themselves. For other ways see "
            "https://scikit-learn.org/stable/modules/impute.html"
        )


# ---- frames --------------------------------------------------------------------------------------


def _from_frame(
    frame: Any, categorical: set[int], most: int, known: Optional[dict[int, list[str]]]
) -> Table:
    given = _names_of(frame)
    twice = [name for name in dict.fromkeys(given or ()) if (given or ()).count(name) > 1]
    if twice:
        raise ValueError(f"two columns are called {twice[0]!r}: rename or drop one")
    labels = list(frame.columns)
    table = Table(np.empty((len(frame), len(labels))), given, labels=labels, is_frame=True)
    for j, label in enumerate(labels):
        column = frame.iloc[:, j] if hasattr(frame, "iloc") else frame[label]
        table.x[:, j] = _read_column(table, j, column, j in categorical, most, known)
    return table


def _read_column(
    table: Table,
    j: int,
    column: Any,
    named: bool,
    most: int,
    known: Optional[dict[int, list[str]]],
) -> Column:
    """One column as numbers, or as the places of its categories."""
    name = table.column_name(j)
    kind = kind_of(column, name)
    if kind == NUMBERS or (known is not None and j not in known and is_boolean(column)):
        values = numbers_in(column)
        is_categorical = named if known is None else j in known
        if is_categorical:
            require_exact_codes(column, values, name)
            return _codes(table, j, category_texts(values.tolist()), known, most)
    else:
        cells = cells_of(column, name, known.get(j, ()) if known is not None else ())
        has_text = any(isinstance(cell, str) for cell in cells)
        is_categorical = named or kind == CATEGORIES or has_text if known is None else j in known
        if is_categorical:
            if known is None:
                require_exact_cells(cells, name)
            if known is None and not named and kind != CATEGORIES:
                _refuse_number_like(cells, name)
            return _codes(table, j, category_texts(cells), known, most)
        values = _numbers_of_cells(table, cells, name)
    if known is None and len(values) and np.isnan(values).all():
        raise ValueError(f"column {name} is empty: it misses every value; leave it out")
    return values


def _refuse_number_like(cells: list[Cell], name: str) -> None:
    """Raises ValueError for texts that a person reads as numbers: each would be a category."""
    for text in {cell: None for cell in cells if isinstance(cell, str)}:
        if what := number_like(text):
            raise ValueError(
                f"column {name}: {text!r} in row {cells.index(text)} is {what}, not a number; "
                "turn the column into numbers, name it in categorical, or leave it out"
            )


def _names_of(frame: Any) -> Optional[list[str]]:
    """The names of the columns, if they are text; None if none is."""
    kinds = {type(name).__name__ for name in frame.columns}
    if all(isinstance(name, str) for name in frame.columns):
        return list(frame.columns)
    if not any(isinstance(name, str) for name in frame.columns):
        return None
    raise TypeError(
        "Feature names are only supported if all input features have string names, but your input "
        f"has {sorted(kinds)} as feature name / column name types. If you want feature names to be "
        "stored and validated, you must convert them all to strings, by using X.columns = "
        "X.columns.astype(str) for example. Otherwise you can remove feature / column names from "
        "your input data, or convert them all to a non-string data type."
    )


def _numbers_of_cells(table: Table, cells: list[Cell], name: str) -> Column:
    """Numbers of a column that held numbers in training; a row with a text there gets no answer."""
    values = np.full(len(cells), np.nan)
    for n, cell in enumerate(cells):
        if isinstance(cell, str):
            table.unreadable.setdefault(n, f"column {name}: {cell!r} is not a number")
        elif cell is not None:
            values[n] = cell
    return values


def _codes(
    table: Table,
    j: int,
    texts: list[Optional[str]],
    known: Optional[dict[int, list[str]]],
    most: Optional[int],
) -> Column:
    """The places of the texts in the list of categories; NaN for a missing value."""
    if known is not None:
        names = known[j]
    else:
        names = in_order({text for text in texts if text is not None})
        what = table.column_name(j)
        if most is not None and len(names) > most:
            _refuse_many(what, names, most)
        if not names:
            raise ValueError(f"column {what} is empty: it misses every value; leave it out")
        table.categories[j] = names
    places = {name: float(k) for k, name in enumerate(names)}
    if known is not None:
        places = _spellings_of_booleans(names) | places
    codes = np.empty(len(texts))
    for n, text in enumerate(texts):
        if text is None:
            codes[n] = np.nan
        else:
            codes[n] = places.get(text, _UNSEEN)
            if codes[n] == _UNSEEN:
                table.unseen[n, j] = text
    return codes


def _spellings_of_booleans(names: list[str]) -> dict[str, float]:
    """What else may stand for "TRUE" and "false": programs write booleans in many ways."""
    places = {name.lower(): float(k) for k, name in enumerate(names)}
    if len(names) != 2 or set(places) != {"false", "true"}:
        return {}
    also = {"false": ("false", "False", "FALSE", "0"), "true": ("true", "True", "TRUE", "1")}
    return {text: places[name] for name, texts in also.items() for text in texts}


def _refuse_many(what: str, names: list[str], most: int) -> None:
    texts = [name for name in names if number_in(name) is None]
    if 0 < len(texts) <= 2:  # among numbers, for a missing value or by mistake
        raise ValueError(
            f"column {what} holds {len(names) - len(texts)} different numbers, and "
            f"{' and '.join(map(repr, texts))}, which makes them categories, of which {most} are "
            "allowed: correct it, or replace it by NaN if that value is missing"
        )
    raise ValueError(
        f"column {what} holds {len(names)} different values, and categories are at most {most}: if "
        "it names each row, leave it out; max_categories allows more"
    )


def _chosen(categorical: Any, x: Any) -> set[int]:
    """The columns that are named as categories, by number from 0.

    Numbers are labels where a frame has numbers for labels, else places.
    """
    if categorical is None:
        return set()
    labels = list(x.columns) if hasattr(x, "columns") else None
    width = x.shape[1]
    if isinstance(categorical, (str, numbers.Integral)):
        categorical = [categorical]
    categorical = list(categorical)
    if categorical and all(isinstance(column, (bool, np.bool_)) for column in categorical):
        if len(categorical) != width:
            raise ValueError(f"categorical: {len(categorical)} booleans for {width} columns of X")
        return {j for j, chosen in enumerate(categorical) if chosen}
    have_numbers = labels is not None and not any(isinstance(name, str) for name in labels)
    chosen = set()
    for column in categorical:
        if labels is not None and column in labels:
            chosen.add(labels.index(column))
        elif isinstance(column, numbers.Integral) and not have_numbers:
            if not -width <= int(column) < width:
                raise ValueError(f"categorical: there is no column {column}, X has {width}")
            chosen.add(int(column) % width)
        else:
            raise ValueError(f"categorical: X has no column {column!r}")
    return chosen


# ---- labels and weights --------------------------------------------------------------------------


def labels_of(y: Any, estimator: Any) -> NDArray[Any]:
    """y as an array of one dimension. Raises ValueError for what cannot be labels."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y "
            "is None."
        )
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if np.ma.is_masked(y):
        raise ValueError("Input y contains masked values.")
    labels = np.asarray(y)
    if labels.dtype.kind in "SMm":
        kinds = {"S": "bytes: decode them", "M": "dates", "m": "time spans"}
        raise ValueError(
            f"Unknown label type: y holds {kinds[labels.dtype.kind]}. Labels must be numbers or "
            "text."
        )
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=3,
        )
        labels = labels.ravel()
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{labels}\n")
    if labels.dtype.kind == "f":
        if np.isnan(labels).any():
            raise ValueError("Input y contains NaN.")
        if not np.isfinite(labels).all():
            raise ValueError(
                f"Input y contains infinity or a value too large for dtype('{labels.dtype}')."
            )
        if (labels != np.trunc(labels)).any():
            raise ValueError(
                "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
                "expects discrete classes on a regression target with continuous values."
            )
    if labels.dtype.kind == "O":
        if any(is_missing(label) for label in labels):
            raise ValueError("Input y contains NaN.")
        if not all(isinstance(label, (str, numbers.Integral, np.bool_)) for label in labels):
            raise ValueError("Unknown label type: unknown. Labels must be numbers or text.")
        if len({isinstance(label, str) for label in labels}) > 1:
            raise ValueError("Mix of label input types (string and number): y holds both.")
        if all(isinstance(label, (bool, np.bool_)) for label in labels):  # pandas' "boolean"
            labels = labels.astype(bool)
    return labels


def two_classes(labels: NDArray[Any], estimator: Any) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The two classes, sorted, and -1 or 1 for each row."""
    classes = np.unique(labels)
    name = type(estimator).__name__
    if len(classes) == 1:
        raise ValueError(
            f"{name} can't train when only one class is present: the data contain only one class: "
            f"{classes[0]!r}"
        )
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass. "
            f"sklearn.multiclass.OneVsRestClassifier({name}()) trains one such classifier for each "
            f"of the {len(classes)} classes, but answers every row."
        )
    signs = np.full(len(labels), -1, np.int8)
    signs[labels == classes[1]] = 1
    return classes, signs


def weights_of(sample_weight: Any, rows: int) -> Optional[NDArray[np.float64]]:
    """Row weights; None if there are none."""
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError("Input sample_weight contains masked values.")
    if isinstance(sample_weight, numbers.Real):
        weights = np.full(rows, float(sample_weight))
    else:
        given = np.asarray(sample_weight)
        if given.dtype.kind == "c":
            raise ValueError("Complex data not supported: sample_weight")
        weights = np.ascontiguousarray(given, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(weights) != rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}!")
    if np.isnan(weights).any():
        raise ValueError("Input sample_weight contains NaN.")
    if np.isinf(weights).any():
        raise ValueError(
            "Input sample_weight contains infinity or a value too large for dtype('float64')."
        )
    if (weights < 0).any():
        raise ValueError("Negative values in data passed to `sample_weight`.")
    if not weights.any():
        raise ValueError("Sample weights must not all be zero.")
    return weights


def require_same_length(*lengths: int) -> None:
    if len(set(lengths)) > 1:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {list(lengths)}"
        )


# ---- rows to predict -----------------------------------------------------------------------------


def require_columns_of(x: Any, width: int, names: Optional[list[str]], estimator: Any) -> None:
    """Raises ValueError, in scikit-learn's words, for a frame of other columns than in training."""
    given = _names_of(x) if is_frame(x) else None
    estimator_name = type(estimator).__name__
    if names is not None and given is not None:
        _require_names(given, names)
    elif names is not None and given is None:
        warnings.warn(
            f"X does not have valid feature names, but {estimator_name} was fitted with feature "
            "names",
            UserWarning,
            stacklevel=4,
        )
    elif given is not None:
        warnings.warn(
            f"X has feature names, but {estimator_name} was fitted without feature names",
            UserWarning,
            stacklevel=4,
        )
    if is_frame(x) and len(x.columns) != width:
        refuse_width(len(x.columns), width, estimator)


def refuse_width(given: int, fitted: int, estimator: Any) -> None:
    raise ValueError(
        f"X has {given} features, but {type(estimator).__name__} is expecting {fitted} features as "
        "input."
    )


def _require_names(given: list[str], fitted: list[str]) -> None:
    if given == fitted:
        return
    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))

    def listed(names: list[str]) -> str:
        most = 5
        lines = [f"- {name}\n" for name in names[:most]]
        return "".join(lines) + ("- ...\n" if len(names) > most else "")

    if unexpected:
        message += "Feature names unseen at fit time:\n" + listed(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)
