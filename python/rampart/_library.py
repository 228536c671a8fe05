"""The shared library behind this package, and its C API as ctypes sees it.

``include/rampart/c.h`` of the project documents every function that is declared here.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import (
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_int8,
    c_int64,
    c_size_t,
    c_ssize_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any

from rampart._errors import exception_of

C_API = 1

GO_ON, STOP, ABANDON = 0, 1, 2
CANCELLED = 4
FLOAT32, FLOAT64, INT32, INT64 = range(4)


class Progress(ctypes.Structure):
    """How far a run is: ``rampart_progress``."""

    _fields_ = [
        ("size", c_size_t),
        ("round", c_uint64),
        ("steps", c_uint64),
        ("violation", c_double),
        ("objective", c_double),
        ("done", c_uint64),
        ("of", c_uint64),
    ]


Observer = ctypes.CFUNCTYPE(c_int, POINTER(Progress), c_void_p)

# Every handle, and the place where a function puts one.
HANDLE = c_void_p
PLACE = POINTER(c_void_p)

# What each function takes besides the place for its error, which always comes last.
_CHECKED: dict[str, list[Any]] = {
    "rampart_options_for_training": [PLACE],
    "rampart_options_for_tuning": [PLACE],
    "rampart_options_set": [HANDLE, c_char_p, c_char_p],
    "rampart_data_dense": [
        *[c_void_p, c_int, c_size_t, c_size_t],
        *[c_ssize_t, c_ssize_t, PLACE],
    ],
    "rampart_data_csr": [
        *[c_void_p, c_void_p, c_int, c_void_p],
        *[c_int, c_size_t, c_size_t, PLACE],
    ],
    "rampart_data_set_labels": [HANDLE, c_void_p, c_char_p, c_char_p],
    "rampart_data_set_weights": [HANDLE, c_void_p],
    "rampart_data_set_groups": [HANDLE, c_void_p],
    "rampart_data_set_names": [HANDLE, POINTER(c_char_p)],
    "rampart_data_set_categories": [HANDLE, c_size_t, POINTER(c_char_p), c_size_t],
    "rampart_train": [HANDLE, HANDLE, HANDLE, Observer, c_void_p, PLACE],
    "rampart_tune": [HANDLE, HANDLE, Observer, c_void_p, PLACE],
    "rampart_run_numbers": [HANDLE, c_char_p, POINTER(POINTER(c_double)), POINTER(c_size_t)],
    "rampart_run_whole_numbers": [HANDLE, c_char_p, POINTER(POINTER(c_int64)), POINTER(c_size_t)],
    "rampart_run_zones": [HANDLE, POINTER(POINTER(c_int8)), POINTER(c_size_t)],
    "rampart_run_model": [HANDLE, c_uint, PLACE],
    "rampart_model_load": [c_char_p, c_size_t, c_uint, PLACE],
    "rampart_model_bytes": [HANDLE, POINTER(c_void_p), POINTER(c_size_t)],
    "rampart_model_numbers": [HANDLE, c_char_p, POINTER(POINTER(c_double)), POINTER(c_size_t)],
    "rampart_model_whole_numbers": [HANDLE, c_char_p, POINTER(POINTER(c_int64)), POINTER(c_size_t)],
    "rampart_model_scores": [HANDLE, HANDLE, c_void_p],
    "rampart_model_answers": [HANDLE, HANDLE, c_uint, c_void_p, c_void_p, c_void_p, c_void_p],
    "rampart_model_reason": [
        *[HANDLE, HANDLE, c_size_t, c_uint],
        *[c_char_p, c_size_t, POINTER(c_size_t)],
    ],
}
_PLAIN: dict[str, tuple[Any, list[Any]]] = {
    "rampart_c_api": (c_int, []),
    "rampart_version": (c_char_p, []),
    "rampart_error_message": (c_char_p, [HANDLE]),
    "rampart_error_code": (c_int, [HANDLE]),
    "rampart_error_option": (c_char_p, [HANDLE]),
    "rampart_error_free": (None, [PLACE]),
    "rampart_options_free": (None, [PLACE]),
    "rampart_option_count": (c_size_t, []),
    "rampart_option_text": (c_char_p, [c_size_t, c_char_p]),
    "rampart_number_like": (c_char_p, [c_char_p]),
    "rampart_data_free": (None, [PLACE]),
    "rampart_run_json": (c_char_p, [HANDLE]),
    "rampart_run_free": (None, [PLACE]),
    "rampart_model_json": (c_char_p, [HANDLE]),
    "rampart_model_free": (None, [PLACE]),
}


def _path_of_library() -> Path:
    given = os.environ.get("RAMPART_LIBRARY")
    return Path(given) if given else Path(__file__).parent / "librampart_c.so"


def _load() -> ctypes.CDLL:
    path = _path_of_library()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(
            f"rampart's library cannot be loaded: {error}; reinstalling the package brings it back"
        ) from error
    for name, arguments in _CHECKED.items():
        function = getattr(library, name)
        function.argtypes = [*arguments, PLACE]
        function.restype = c_int
    for name, (result, arguments) in _PLAIN.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = result
    if library.rampart_c_api() != C_API:
        raise ImportError(
            f"{path} has version {library.rampart_c_api()} of the C API, "
            f"this package needs {C_API}; install both anew"
        )
    return library


library = _load()


def version() -> str:
    """Version of the library."""
    text: bytes = library.rampart_version()
    return text.decode()


def call(name: str, *arguments: Any) -> None:
    """Calls a function that can fail; its error becomes an exception."""
    error = c_void_p()
    code = getattr(library, name)(*arguments, byref(error))
    if code != 0:
        raise _exception(code, error)


def _exception(code: int, error: c_void_p) -> Exception:
    message = library.rampart_error_message(error).decode(errors="replace")
    option = library.rampart_error_option(error).decode()
    library.rampart_error_free(byref(error))
    return exception_of(code, message, option)


def text_array(texts: list[str]) -> Any:
    """Texts as C has them."""
    return (c_char_p * len(texts))(*map(encoded, texts))


def encoded(text: str) -> bytes:
    """A text as model files have it. Raises ValueError for one that no file can hold."""
    try:
        found = text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{text!r} cannot be written as UTF-8: {error.reason}") from error
    if b"\0" in found:
        raise ValueError(f"{text!r} holds a zero character, which no text may hold here")
    return found


def number_like(text: str) -> str:
    """What a person would read in a text that is no number: "a date". Empty for other texts."""
    found: bytes = library.rampart_number_like(text.encode(errors="replace"))
    return found.decode()
