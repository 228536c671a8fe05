"""Which cases a model should leave to a doctor."""

# %% [markdown]
# # Triage: which cases a model should leave to a doctor
#
# A wrong diagnosis costs 1. A case that goes to a doctor costs d, whatever it is. Rampart learns
# when to answer from the data and from d. The data are the tumours of scikit-learn's breast cancer
# set: 30 measurements of cell nuclei, benign or malignant.

# %%
from collections import Counter

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from rampart import RejectOptionClassifier
from rampart.display import RiskCoverageDisplay
from rampart.metrics import (
    accepted_accuracy,
    coverage,
    reject_confusion_matrix,
    zero_d_one_risk,
)

try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

tumours = load_breast_cancer()
X, y = tumours.data, tumours.target_names[tumours.target]
X, X_new, y, y_new = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)

# %% [markdown]
# A doctor's look at a case is taken to cost a tenth of a wrong answer: d = 0.1. Features are scaled
# by the model itself, and remembered in it.

# %%
model = RejectOptionClassifier(reject_cost=0.1, kernel="linear").fit(X, y)
answers = model.predict_with_reject(X_new)
print("the first ten:", *answers[:10])
print(f"{len(y_new)} new cases, {np.sum(answers == 'reject')} go to a doctor")
print(f"{np.sum((answers != y_new) & (answers != 'reject'))} answers are wrong")

# %% [markdown]
# The table has the true classes in its rows, and in its columns: answered benign, rejected,
# answered malignant. Without the band every case is answered, and there are more errors.

# %%
print(model.classes_)
print(reject_confusion_matrix(y_new, answers))
print(f"risk {zero_d_one_risk(y_new, answers, reject_cost=0.1):.4f}")
print(f"risk if every case is answered: {np.mean(model.predict(X_new) != y_new):.4f}")
print("risk if every case goes to a doctor: 0.1000")

# %% [markdown]
# ## What a doctor's time is worth
#
# The smaller d, the more cases go to a doctor, and the fewer answers are wrong. `score` is one
# minus the risk, at the model's own costs.

# %%
print("   d  answered  right of these    risk")
for d in (0.02, 0.05, 0.1, 0.2, 0.4):
    other = RejectOptionClassifier(reject_cost=d, kernel="linear").fit(X, y)
    answers = other.predict_with_reject(X_new)
    right, risk = accepted_accuracy(y_new, answers), 1 - other.score(X_new, y_new)
    print(f"{d:4}  {coverage(y_new, answers):8.1%}  {right:14.1%}  {risk:6.4f}")

# %% [markdown]
# The risk-coverage curve shows what one model would do with bands of other widths. The point is
# its own band.

# %%
if plt is not None:
    RiskCoverageDisplay.from_estimator(model, X_new, y_new, name="d = 0.1")
    plt.show()

# %% [markdown]
# ## Why a case goes to a doctor
#
# Most rejected cases are ambiguous: |f(x)| <= rho. A case that is unlike all training rows is
# rejected too, however certain its score looks; a plain classifier would answer it.

# %%
print(Counter(reason.partition(":")[0] for reason in model.reasons(X_new) if reason))
strange = X_new[:1].copy()
strange[0, 0] *= 10  # somebody slipped by a decimal place
print("forced to answer it says:", model.predict(strange)[0])
print("free to decline it says: ", model.predict_with_reject(strange)[0])
print(model.reasons(strange)[0], f"({tumours.feature_names[0]})")
