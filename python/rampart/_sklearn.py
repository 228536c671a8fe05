"""What this package takes from scikit-learn, where that is installed, and what it has instead.

scikit-learn is optional. Without it the estimators have parameters and a ``repr`` all the same.
"""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what both branches below have in common

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin: ...

    class CallbackSupportMixin:
        def _init_callback_context(self, **settings: Any) -> Any: ...

    class NotFittedError(ValueError, AttributeError): ...

    class ConvergenceWarning(UserWarning): ...

    class DataConversionWarning(UserWarning): ...

    def callback_management_context(estimator: Any) -> AbstractContextManager[Any]: ...

    HAS_SKLEARN: bool
    HAS_CALLBACKS: bool
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin
        from sklearn.exceptions import (
            ConvergenceWarning,
            DataConversionWarning,
            NotFittedError,
        )

        HAS_SKLEARN = True
    except ImportError:
        HAS_SKLEARN = False

        class NotFittedError(ValueError, AttributeError):
            """An estimator that has not been fitted."""

        class ConvergenceWarning(UserWarning):
            """A training that did not converge."""

        class DataConversionWarning(UserWarning):
            """Labels in a form that had to be changed."""

        class ClassifierMixin:
            """Marks a classifier."""

            _estimator_type = "classifier"

        class BaseEstimator:
            """Parameters by the signature of ``__init__``, as scikit-learn has them."""

            @classmethod
            def _get_param_names(cls):
                names = inspect.signature(cls.__init__).parameters
                return sorted(name for name in names if name != "self")

            def get_params(self, deep=True):
                return {name: getattr(self, name) for name in self._get_param_names()}

            def set_params(self, **params):
                known = self._get_param_names()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(
                            f"Invalid parameter {name!r} for estimator {self}. "
                            f"Valid parameters are: {known!r}."
                        )
                    setattr(self, name, value)
                return self

            def __repr__(self):
                defaults = inspect.signature(type(self).__init__).parameters
                changed = (
                    f"{name}={value!r}"
                    for name, value in self.get_params().items()
                    if repr(value) != repr(defaults[name].default)
                )
                return f"{type(self).__name__}({', '.join(changed)})"

    try:
        from sklearn.callback import CallbackSupportMixin
        from sklearn.callback._callback_support import callback_management_context

        HAS_CALLBACKS = True
    except ImportError:
        HAS_CALLBACKS = False

        class CallbackSupportMixin:
            """Nothing: this scikit-learn has no callbacks."""


def callbacks_around(estimator: Any) -> AbstractContextManager[Any]:
    """Ends the callbacks of an estimator when its fit ends, however that happens."""
    if HAS_CALLBACKS:
        return callback_management_context(estimator)
    return nullcontext()
