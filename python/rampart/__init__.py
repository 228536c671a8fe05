"""Rampart learns classifiers that know when not to answer.

>>> from rampart import RejectOptionClassifier
>>> RejectOptionClassifier(reject_cost=0.1)
RejectOptionClassifier(reject_cost=0.1)
"""

from rampart import display, metrics
from rampart._errors import ModelError
from rampart._estimator import RejectOptionClassifier
from rampart._library import version as _version
from rampart._report import report
from rampart._search import RejectOptionClassifierCV

__all__ = [
    "ModelError",
    "RejectOptionClassifier",
    "RejectOptionClassifierCV",
    "display",
    "metrics",
    "report",
]
__version__ = _version()
