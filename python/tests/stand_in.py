"""A classifier with the interface of RejectOptionClassifier that needs no compiled code."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression


class StandIn(ClassifierMixin, BaseEstimator):
    """Logistic regression with a band of given half width.

    A row with a feature beyond `familiar_up_to` is unfamiliar: rejected whatever its f. One beyond
    1e6 has no f.
    """

    def __init__(self, reject_cost=0.2, costs=None, reject_label=None, rho=0.5, familiar_up_to=1e3):
        self.reject_cost = reject_cost
        self.costs = costs
        self.reject_label = reject_label
        self.rho = rho
        self.familiar_up_to = familiar_up_to

    def fit(self, X, y, sample_weight=None):
        self.model_ = LogisticRegression().fit(X, y, sample_weight)
        self.classes_ = self.model_.classes_
        self.rho_ = float(self.rho)
        return self

    def decision_function(self, X):
        X = np.asarray(X, dtype=float)
        return np.where(np.abs(X).max(axis=1) > 1e6, np.nan, self._f(X))

    def _f(self, X):
        return X @ self.model_.coef_[0] + self.model_.intercept_[0]

    def reasons(self, X):
        X = np.asarray(X, dtype=float)
        in_band = np.abs(self._f(X)) <= self.rho_
        unfamiliar = np.abs(X).max(axis=1) > self.familiar_up_to
        return np.where(unfamiliar, "unfamiliar", np.where(in_band, "ambiguous", ""))

    def reject(self, X):
        return self.reasons(X) != ""

    def predict(self, X):
        return self.classes_[(np.nan_to_num(self.decision_function(X)) > 0).astype(int)]

    def predict_with_reject(self, X):
        label = "reject" if self.reject_label is None else self.reject_label
        answers = self.predict(X).astype(object)
        answers[self.reject(X)] = label
        return answers.astype(str) if self.classes_.dtype.kind == "U" else answers


def two_blobs(n_samples=300, seed=0, labels=("no", "yes")):
    """Two overlapping classes in two features."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n_samples)
    X = random.normal(size=(n_samples, 2)) + 1.2 * y[:, None]
    return X, np.asarray(labels)[y]
