"""The cells of a frame's column as the command reads those of a table (docs/tables.md).

A cell is None where the value is missing, a float where it is a number, and otherwise a text.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

Cell = Union[None, float, str]

# As the command reads them, in any case.
_MISSING_TEXTS = frozenset(("", "?", "na", "n/a", "#n/a", "nan", "null", "none", "-"))
_WHITE_SPACE = " \t\n\v\f\r"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)

_NUMERIC_TYPE = re.compile(r"u?int\d|float\d|double|halffloat|decimal")

NUMBERS, CATEGORIES, TEXT = "numbers", "categories", "text"


def kind_of(column: Any, name: str) -> str:
    """What the type of a column says of its cells; those of TEXT must be looked at.

    Raises ValueError for what is neither numbers nor text nor categories.
    """
    dtype = _type_of(column)
    if _NUMERIC_TYPE.match(dtype):
        return NUMBERS
    if dtype.startswith(("bool", "categor", "enum", "dictionary<")):
        return CATEGORIES
    if dtype.startswith(("object", "null", "str", "utf8", "large_string")):
        return TEXT
    raise ValueError(
        f"column {name} has type {column.dtype}: must be numbers, text, categories or booleans; "
        "turn it into one of them, or leave it out"
    )


def is_boolean(column: Any) -> bool:
    return _type_of(column).startswith("bool")


def _type_of(column: Any) -> str:
    # Of sparse columns of pandas the type of the values follows.
    return str(column.dtype).lower().removeprefix("sparse[")


def numbers_in(column: Any) -> NDArray[np.float64]:
    """A column whose type is a number or boolean; NaN where a value is missing."""
    if str(column.dtype).startswith("Sparse["):
        return np.asarray(column.sparse.to_dense(), dtype=np.float64)
    try:
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except TypeError:  # polars
        return np.asarray(column.cast(float, strict=False).fill_null(np.nan).to_numpy())


def cells_of(column: Any, name: str, known: Iterable[str] = ()) -> list[Cell]:
    """The cells of a column of any other type. ``known`` are texts that are never missing.

    Texts that stand for missing values do so only where nobody said what a column holds: a level
    "none" of a categorical column is a category.
    """
    is_categorical = kind_of(column, name) == CATEGORIES
    names = frozenset(known)
    values = column.to_list() if hasattr(column, "to_list") else list(column)
    found: dict[str, Cell] = {}  # texts repeat
    cells: list[Cell] = []
    for value in values:
        if not isinstance(value, str):
            cells.append(_cell_of_object(value, name, is_categorical))
            continue
        if value not in found:
            found[value] = _cell_of_text(value, names, is_categorical)
        cells.append(found[value])
    return cells


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, or one of pandas' own values for that."""
    # pandas.NA is neither equal to itself nor unequal, so its type is asked first.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, (float, np.floating)) and value != value


def is_missing_text(text: str) -> bool:
    """Whether the command reads a missing value there."""
    return text.lower() in _MISSING_TEXTS


def _cell_of_text(text: str, names: frozenset[str], is_categorical: bool) -> Cell:
    text = text.strip(_WHITE_SPACE)
    if text in names:
        return text
    if is_missing_text(text) and not (is_categorical and text):
        return None
    number = number_in(text)
    return text if number is None else number


def _cell_of_object(value: Any, name: str, is_categorical: bool) -> Cell:
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (numbers.Real, Decimal)):
        try:
            return float(value)
        except OverflowError as error:
            raise ValueError(f"column {name}: a cell holds a number too large: {error}") from error
    if is_categorical:  # such as the intervals of pandas.cut
        return str(value)
    raise ValueError(
        f"column {name}: a cell holds {value!r}, of type {type(value).__name__}: must be a number "
        "or text; turn the column into one of them, or leave it out"
    )


def require_exact_codes(column: Any, values: NDArray[np.float64], name: str) -> None:
    """Raises ValueError for whole numbers that are categories and become one as floats."""
    if _NUMERIC_TYPE.match(_type_of(column)) and "int" in _type_of(column):
        _require_exact(float(np.nanmax(np.abs(values), initial=0.0)), name)


def require_exact_cells(cells: Iterable[Cell], name: str) -> None:
    """The same of cells, which are categories."""
    _require_exact(max((abs(c) for c in cells if isinstance(c, float)), default=0.0), name)


def _require_exact(value: float, name: str) -> None:
    if 2**53 <= abs(value) < np.inf:
        raise ValueError(
            f"column {name} holds the category {value:.0f}, a number too large to be told from its "
            "neighbours: turn the column into text that is no number, such as 'k' followed by it"
        )


def number_in(text: str) -> Optional[float]:
    """The number that the command reads in a text; None for other texts."""
    if _NUMBER.fullmatch(text) or _INFINITE.fullmatch(text):
        return float(text)
    return None


def number_as_category(value: float) -> str:
    """As the command spells it, the shorter of "1000" and "1e+03": "1" and "1.0" are one."""
    if value in (np.inf, -np.inf):
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    power = len(digits) + int(exponent) - 1
    first, *others = map(str, digits)
    mantissa = first + ("." + "".join(others) if others else "")
    scientific = f"{'-' if sign else ''}{mantissa}e{power:+03d}"
    fixed = str(int(value)) if value == int(value) else f"{Decimal(repr(value)):f}"
    return scientific if len(scientific) < len(fixed) else fixed


def category_texts(cells: Iterable[Cell]) -> list[Optional[str]]:
    """The cells by the names of their categories, None where one is missing."""
    found: dict[float, str] = {}
    texts: list[Optional[str]] = []
    for cell in cells:
        if cell is None or isinstance(cell, str):
            texts.append(cell)
        elif cell != cell:
            texts.append(None)
        else:
            if cell not in found:
                found[cell] = number_as_category(cell)
            texts.append(found[cell])
    return texts


def in_order(names: set[str]) -> list[str]:
    """Numbers by value, then other names: as the command sorts categories."""

    def rank(name: str) -> tuple[bool, float, str]:
        number = number_in(name)
        return (number is None, 0.0 if number is None else number, name)

    return sorted(names, key=rank)
