"""What the codes of the C API are in Python."""

from __future__ import annotations

from rampart._options import PARAMETER_OF, in_words_of_python

_BAD_MODEL, _CANCELLED, _NO_MEMORY = 3, 4, 5
_BAD_INPUT, _BAD_OPTION = 1, 2


class ModelError(ValueError):
    """A model that is damaged, too new, or does not fit the data."""


class Cancelled(Exception):
    """A run that was abandoned."""


def exception_of(code: int, message: str, option: str) -> Exception:
    """The exception for a code, its message with the parameter that it advises to change."""
    names = [PARAMETER_OF.get(name, "") for name in option.split(", ")]
    message = in_words_of_python(message)
    advised = ", ".join(name for name in names if name)
    if advised:
        message = f"{message} (parameter {advised})"
    if code in (_BAD_INPUT, _BAD_OPTION):
        return ValueError(message)
    if code == _BAD_MODEL:
        return ModelError(message)
    if code == _CANCELLED:
        return Cancelled(message)
    if code == _NO_MEMORY:
        return MemoryError(message)
    return RuntimeError(message)
