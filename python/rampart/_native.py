"""Objects over the handles of the C API: rows, options, runs and models."""

from __future__ import annotations

import ctypes
import json
import weakref
from collections.abc import Iterable, Sequence
from ctypes import byref, c_double, c_int8, c_int64, c_size_t, c_void_p
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import NDArray

from rampart import _library
from rampart._library import call, encoded, library, text_array

Floats = NDArray[np.float64]

_FLOATS = {np.dtype(np.float32): _library.FLOAT32, np.dtype(np.float64): _library.FLOAT64}
_INTS = {np.dtype(np.int32): _library.INT32, np.dtype(np.int64): _library.INT64}

OPTION_COLUMNS = ("name", "value", "default", "group", "about", "larger", "use")

REASONS = ("", "ambiguous", "unfamiliar", "incomplete", "unseen", "unreadable")
ZONES = ("safe", "margin", "plateau", "near_miss", "ignored_outlier", "dropped")


def option_table() -> list[dict[str, str]]:
    """Every option of the library: name, form of the value, default, what larger values do."""
    return [
        {
            column: library.rampart_option_text(row, column.encode()).decode()
            for column in OPTION_COLUMNS
        }
        for row in range(library.rampart_option_count())
    ]


def _free(name: str, address: Optional[int]) -> None:
    getattr(library, name)(byref(c_void_p(address)))


class _Handle:
    """Owns what a handle refers to, and frees it with itself."""

    def __init__(self, handle: c_void_p, free: str) -> None:
        self.handle = handle
        self._finalizer = weakref.finalize(self, _free, free, handle.value)


def _address(array: NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


class Data:
    """Rows, viewed where they lie: the arrays live as long as this.

    Not a ``_Handle``: one is made for every prediction, and a finalizer takes longer than a row.
    """

    __slots__ = ("_kept", "handle")

    def __init__(self, handle: c_void_p, kept: list[Any]) -> None:
        self.handle = handle
        self._kept = kept

    def __del__(self) -> None:
        if library is not None and self.handle:
            library.rampart_data_free(byref(self.handle))

    @classmethod
    def dense(cls, x: NDArray[Any]) -> Data:
        handle = c_void_p()
        rows, columns = x.shape
        size = x.itemsize
        # numpy may give an array of one row or column any stride there
        by_row, by_column = (stride // size for stride in x.strides)
        error = c_void_p()
        code = library.rampart_data_dense(
            _address(x),
            _FLOATS[x.dtype],
            rows,
            columns,
            by_row,
            by_column,
            byref(handle),
            byref(error),
        )
        if code:
            raise _library._exception(code, error)
        return cls(handle, [x])

    @classmethod
    def csr(cls, x: Any) -> Data:
        handle = c_void_p()
        # SciPy keeps views with strides, which the library does not know.
        arrays = (x.indptr, x.indices, x.data)
        starts, indices, values = (np.require(array, requirements=["C", "A"]) for array in arrays)
        call(
            "rampart_data_csr",
            _address(starts),
            _address(indices),
            _INTS[indices.dtype],
            _address(values),
            _FLOATS[values.dtype],
            *x.shape,
            byref(handle),
        )
        return cls(handle, [starts, indices, values])

    def set_labels(self, y: NDArray[np.int8], names: Sequence[str]) -> None:
        negative, positive = map(encoded, names)
        call("rampart_data_set_labels", self.handle, _address(y), negative, positive)
        self._kept.append(y)

    def set_weights(self, weights: Floats) -> None:
        call("rampart_data_set_weights", self.handle, _address(weights))
        self._kept.append(weights)

    def set_groups(self, groups: NDArray[np.int64]) -> None:
        call("rampart_data_set_groups", self.handle, _address(groups))

    def set_names(self, names: list[str]) -> None:
        call("rampart_data_set_names", self.handle, text_array(names))

    def set_categories(self, column: int, names: list[str]) -> None:
        call("rampart_data_set_categories", self.handle, column, text_array(names), len(names))


class Model(_Handle):
    """A trained classifier. Pickled as the bytes of its file."""

    def __init__(self, handle: c_void_p, threads: int) -> None:
        super().__init__(handle, "rampart_model_free")
        self.threads = threads
        self.about: dict[str, Any] = json.loads(library.rampart_model_json(handle))
        self._on_other_threads: Optional[Model] = None

    @classmethod
    def load(cls, content: bytes, threads: int) -> Model:
        handle = c_void_p()
        call("rampart_model_load", content, len(content), threads, byref(handle))
        return cls(handle, threads)

    def content(self) -> bytes:
        """The bytes of the model file."""
        start, size = c_void_p(), c_size_t()
        call("rampart_model_bytes", self.handle, byref(start), byref(size))
        return ctypes.string_at(start.value or 0, size.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model.load, (self.content(), self.threads))

    def with_threads(self, threads: int) -> Model:
        """This model, answering on so many threads."""
        if threads == self.threads:
            return self
        other = self._on_other_threads
        if other is None or other.threads != threads:
            other = self._on_other_threads = Model.load(self.content(), threads)
        return other

    def numbers(self, name: str) -> Floats:
        values, count = ctypes.POINTER(c_double)(), c_size_t()
        call("rampart_model_numbers", self.handle, name.encode(), byref(values), byref(count))
        return _copied(values, count.value, np.float64)

    def whole_numbers(self, name: str) -> NDArray[np.int64]:
        values, count = ctypes.POINTER(c_int64)(), c_size_t()
        call("rampart_model_whole_numbers", self.handle, name.encode(), byref(values), byref(count))
        return _copied(values, count.value, np.int64)

    def scores(self, data: Data, rows: int) -> Floats:
        found = np.empty(rows)
        error = c_void_p()
        code = library.rampart_model_scores(self.handle, data.handle, _address(found), byref(error))
        if code:
            raise _library._exception(code, error)
        return found

    def answers(
        self, data: Data, rows: int, leniency: int = 0
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], Floats]:
        """Decisions (-1, 0, 1), reasons, the columns that these are about, and scores."""
        decisions, reasons = np.empty(rows, np.int8), np.empty(rows, np.int8)
        columns, scores = np.empty(rows, np.int64), np.empty(rows)
        places = (_address(array) for array in (decisions, reasons, columns, scores))
        call("rampart_model_answers", self.handle, data.handle, leniency, *places)
        return decisions, reasons, columns, scores

    def reason(self, data: Data, row: int, leniency: int = 0) -> str:
        needed = c_size_t()
        arguments = ("rampart_model_reason", self.handle, data.handle, row, leniency)
        call(*arguments, None, 0, byref(needed))
        text = ctypes.create_string_buffer(needed.value)
        call(*arguments, text, needed.value, None)
        return text.value.decode(errors="replace")


class Run(_Handle):
    """A training, or a search, and what came of it."""

    def __init__(self, handle: c_void_p) -> None:
        super().__init__(handle, "rampart_run_free")
        self.about: dict[str, Any] = json.loads(library.rampart_run_json(handle))

    def model(self, threads: int) -> Model:
        handle = c_void_p()
        call("rampart_run_model", self.handle, threads, byref(handle))
        return Model(handle, threads)

    def support(self) -> NDArray[np.int64]:
        values, count = ctypes.POINTER(c_int64)(), c_size_t()
        call("rampart_run_whole_numbers", self.handle, b"support", byref(values), byref(count))
        return _copied(values, count.value, np.int64)

    def zones(self) -> NDArray[np.int8]:
        values, count = ctypes.POINTER(c_int8)(), c_size_t()
        call("rampart_run_zones", self.handle, byref(values), byref(count))
        return _copied(values, count.value, np.int8)


def _copied(values: Any, count: int, dtype: Any) -> NDArray[Any]:
    if count == 0:
        return np.empty(0, dtype)
    return np.array(np.ctypeslib.as_array(values, (count,)), dtype)


Watch = Callable[[_library.Progress], int]


def run(
    data: Data,
    options: Iterable[tuple[str, str]],
    watch: Watch,
    *,
    tuning: bool = False,
    start: Optional[Model] = None,
) -> Run:
    """Trains, or searches. ``watch`` is asked from time to time whether to go on."""
    chosen = c_void_p()
    call("rampart_options_for_tuning" if tuning else "rampart_options_for_training", byref(chosen))
    observer = _library.Observer(lambda progress, _: watch(progress.contents))
    handle = c_void_p()
    try:
        for name, text in options:
            call("rampart_options_set", chosen, encoded(name), encoded(text))
        if tuning:
            call("rampart_tune", data.handle, chosen, observer, None, byref(handle))
        else:
            first = start.handle if start is not None else None
            call("rampart_train", data.handle, chosen, first, observer, None, byref(handle))
    finally:
        library.rampart_options_free(byref(chosen))
    return Run(handle)
