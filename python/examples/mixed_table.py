"""A data frame with text and missing values, and the model without Python."""

# %% [markdown]
# # A table as it is: text, missing values, and rows that should not be answered
#
# A data frame needs no preparation. Columns of text, categories and booleans become 0/1 features, a
# missing value becomes the median and a 0/1 feature that says so, and numbers are scaled. The model
# keeps all of it, so new rows are given as they are, too.

# %%
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from rampart import RejectOptionClassifier
from rampart.metrics import accepted_accuracy, coverage


def loans(rows, seed):
    """Applications for a loan, with gaps; what became of them is random in part."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(10.3, 0.4, rows).round(-2)
    debt = (income * rng.uniform(0, 0.8, rows)).round(-2)
    years = rng.integers(0, 30, rows).astype(float)
    home = rng.choice(["owner", "rent", "other"], rows, p=[0.4, 0.5, 0.1])
    luck = rng.logistic(scale=0.4, size=rows)
    z = 5 * debt / income - 0.1 * years - 0.8 * (home == "owner") + luck
    years[rng.random(rows) < 0.15] = np.nan  # often not asked
    frame = pd.DataFrame({"income": income, "debt": debt, "years": years, "home": home})
    return frame.assign(guarantor=rng.random(rows) < 0.2), np.where(z > 0.5, "default", "paid")


X, y = loans(600, seed=1)
X_new, y_new = loans(1000, seed=2)
print(X.head(4))

# %%
model = RejectOptionClassifier(reject_cost=0.2, C=4).fit(X, y)
answers = model.predict_with_reject(X_new)
print(f"answered {coverage(y_new, answers):.1%}, right: {accepted_accuracy(y_new, answers):.1%}")
print(f"if forced to answer all: {np.mean(model.predict(X_new) == y_new):.1%} right")

# %% [markdown]
# ## Why a row gets no answer
#
# `reasons` says it in words. Years may be missing, since training has learnt what that means; an
# income may not, since it never was.

# %%
odd = X_new.head(5).copy()
odd.loc[1, "years"] = np.nan
odd.loc[2, "income"] = np.nan
odd.loc[3, "home"] = "boat"
odd.loc[4, "debt"] = 9_000_000
print(odd.assign(answer=model.predict_with_reject(odd)).to_string())
for row, reason in zip(odd.index, model.reasons(odd)):
    print(row, reason or "answered")

# %% [markdown]
# `predict` has to answer every row unless `reject_label` is set. Two of these rows it refuses to
# answer, and says so.

# %%
try:
    model.predict(odd)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# ## The same model without Python
#
# `save` writes the model file of the `rampart` command, which is part of the package and is on PATH
# as `rampart`, or called as `python -m rampart`. It answers a CSV file, to the same bits.

# %%
with tempfile.TemporaryDirectory() as folder:
    model_file, rows_file = Path(folder, "loans.json"), Path(folder, "odd.csv")
    model.save(model_file)
    odd.to_csv(rows_file, index=False)
    words = [sys.executable, "-m", "rampart", "predict", model_file, rows_file]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    print(done.stdout or done.stderr, end="")
    again = RejectOptionClassifier.load(model_file)
    print("the same answers:", np.array_equal(again.predict_with_reject(X_new), answers))
