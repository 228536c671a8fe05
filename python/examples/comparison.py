"""Against thresholds on decision values, and against calibrated probabilities."""

# %% [markdown]
# # Against thresholds and against calibrated probabilities
#
# There are three ways to a classifier that may decline at a cost d:
#
# - **SVC + thresholds**: train a support vector machine, then choose two thresholds on its
#   out-of-fold decision values;
# - **SVC + Chow**: calibrate its probabilities, and decline where the larger one is below 1 - d;
# - **Rampart**: learn the surface and the band together.
#
# All three get the same training rows, the same grid of C and gamma, and five folds to choose from
# it. The measure is the 0-d-1 risk on other rows: 1 for a wrong answer, d for none.

# %%
import os
from functools import partial

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import (
    load_breast_cancer,
    make_circles,
    make_classification,
    make_moons,
)
from sklearn.model_selection import GridSearchCV, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rampart import RejectOptionClassifierCV
from rampart.metrics import zero_d_one_risk

D = float(os.environ.get("D", "0.1"))
SPLITS = int(os.environ.get("SPLITS", "5"))
CS, GAMMAS = [0.25, 2, 16, 128], [0.002, 0.02, 0.2, 2]


def tuned_svc(X, y):
    """The support vector machine of most accurate folds."""
    grid = {"svc__C": CS, "svc__gamma": GAMMAS}
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=5)
    return search.fit(X, y).best_estimator_


def svc_and_thresholds(svc, X, y, X_new):
    """Answers 0 below one threshold and 1 above another: the pair of least cost on folds."""
    f = cross_val_predict(svc, X, y, cv=5, method="decision_function")
    order = np.argsort(f)
    f = f[order]
    positives = np.append(0, np.cumsum(y[order] == 1))  # among the k lowest rows
    negatives = np.append(0, np.cumsum(y[order] == 0))
    k = np.arange(len(f) + 1)
    # the i lowest rows are answered 0, those from the j-th on 1, and those between are rejected
    cost = positives[:, None] + (negatives[-1] - negatives) + D * (k - k[:, None])
    i, j = np.unravel_index(np.argmin(np.where(k >= k[:, None], cost, np.inf)), cost.shape)
    cuts = np.concatenate([[-np.inf], (f[1:] + f[:-1]) / 2, [np.inf]])
    new = svc.decision_function(X_new)
    return np.where(new < cuts[i], 0, np.where(new > cuts[j], 1, -1))


def svc_and_chow(svc, X, y, X_new):
    """Answers the more probable class if its calibrated probability is at least 1 - d."""
    p = CalibratedClassifierCV(svc, cv=5).fit(X, y).predict_proba(X_new)
    return np.where(p.max(axis=1) < 1 - D, -1, p.argmax(axis=1))


def rampart(svc, X, y, X_new):
    """Answers as RejectOptionClassifierCV does, which needs no svc."""
    model = RejectOptionClassifierCV(reject_cost=D, Cs=CS, gammas=GAMMAS, reject_label=-1)
    return model.fit(X, y).predict(X_new)


# %% [markdown]
# The breast cancer data are split anew each time, generated data are drawn anew. `flip_y` and
# `noise` make errors that no classifier can avoid.

# %%
generated = {
    "moons": partial(make_moons, 1300, noise=0.35),
    "circles": partial(make_circles, 1300, noise=0.2, factor=0.5),
    "flipped": partial(make_classification, 1300, flip_y=0.1, class_sep=1.5),
    "unequal": partial(make_classification, 1300, weights=[0.85], flip_y=0.05),
}
data = {"breast cancer": lambda random_state: load_breast_cancer(return_X_y=True), **generated}
methods = {"SVC + thresholds": svc_and_thresholds, "SVC + Chow": svc_and_chow, "Rampart": rampart}


def risks(make):
    """Risk of each method on each split."""
    found = []
    for seed in range(SPLITS):
        X, y = make(random_state=seed)
        X, X_new, y, y_new = train_test_split(X, y, train_size=300, stratify=y, random_state=seed)
        svc = tuned_svc(X, y)
        answers = [answer(svc, X, y, X_new) for answer in methods.values()]
        found.append([zero_d_one_risk(y_new, a, reject_cost=D, reject_label=-1) for a in answers])
    return np.array(found)


# %%
print(f"0-d-1 risk at d = {D}, mean (standard error) of {SPLITS} splits of 300 training rows")
print(f"{'':14}" + "".join(f"{name:>18}" for name in methods) + f"{'Rampart - best SVC':>22}")
for name in os.environ.get("SETS", ",".join(data)).split(","):
    r = risks(data[name])
    best = np.argmin(r[:, :2].mean(axis=0))
    columns = np.column_stack([r, r[:, 2] - r[:, best]])
    mean, error = columns.mean(axis=0), columns.std(axis=0, ddof=1) / np.sqrt(SPLITS)
    cells = [f"{m:.4f} ({e:.4f})" for m, e in zip(mean[:3], error)]
    cells.append(f"   {mean[3]:+.4f} ({error[3]:.4f})")
    print(f"{name:14}" + "".join(f"{cell:>18}" for cell in cells))
