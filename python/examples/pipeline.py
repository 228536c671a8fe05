"""A classifier with a reject option in a pipeline, under a search, across folds."""

# %% [markdown]
# # In a pipeline, under a search, across folds
#
# A `RejectOptionClassifier` is an estimator of scikit-learn: it can end a pipeline, and tools such
# as `GridSearchCV` and `cross_val_predict` work with it. Its scorers know of rejections.

# %%
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rampart import RejectOptionClassifier, RejectOptionClassifierCV
from rampart.metrics import (
    accepted_accuracy_scorer,
    coverage,
    coverage_scorer,
    neg_zero_d_one_risk_scorer,
    zero_d_one_risk,
)

X, y = make_classification(800, 6, n_informative=4, flip_y=0.1, random_state=0)
X = pd.DataFrame(X, columns=["age", "dose", "pulse", "weight", "iron", "zinc"])
X["ward"] = np.where(X.pop("zinc") > 0.5, "north", np.where(X["age"] > 0, "east", "south"))
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

# %% [markdown]
# The pipeline scales the numbers and encodes the ward, so the classifier need not: `scale="none"`.
# (It would do both by itself: see `mixed_table.py`.)

# %%
columns = make_column_transformer(
    (OneHotEncoder(handle_unknown="ignore"), ["ward"]), remainder=StandardScaler()
)
classifier = RejectOptionClassifier(reject_cost=0.15, scale="none")
pipeline = make_pipeline(columns, classifier).fit(X, y)
print(f"one minus the risk: {pipeline.score(X_new, y_new):.3f}")

# %% [markdown]
# A search ranks by the 0-d-1 risk and watches how many rows are answered, and how well.

# %%
name = "rejectoptionclassifier__"
search = GridSearchCV(
    pipeline,
    {name + "C": [0.5, 2, 8], name + "gamma": [0.05, 0.2, 0.8]},
    scoring={
        "risk": neg_zero_d_one_risk_scorer,
        "coverage": coverage_scorer,
        "accuracy": accepted_accuracy_scorer,
    },
    refit="risk",
).fit(X, y)
found = pd.DataFrame(search.cv_results_)
shown = {
    f"param_{name}C": "C",
    f"param_{name}gamma": "gamma",
    "mean_test_risk": "-risk",
    "mean_test_coverage": "coverage",
    "mean_test_accuracy": "accuracy",
}
print(found.sort_values("rank_test_risk")[list(shown)].rename(columns=shown).head(3).round(3))

# %% [markdown]
# Pipelines and searches forward `predict`, but no method that scikit-learn does not know. So
# `reject_label` says what `predict` returns where the model declines; without it every row is
# answered.

# %%
search.best_estimator_.set_params(**{name + "reject_label": -1})
answers = search.predict(X_new)
print("first answers:", answers[:12])
print(f"answered {coverage(y_new, answers, reject_label=-1):.1%}, ", end="")
print(f"risk {zero_d_one_risk(y_new, answers, reject_cost=0.15, reject_label=-1):.4f}")

# %% [markdown]
# Out-of-fold answers of all rows, from `cross_val_predict`; and `RejectOptionClassifierCV`, which
# searches a grid of its own by itself, faster, since all points share their kernel values.

# %%
answers = cross_val_predict(search.best_estimator_, X_new, y_new, cv=5)
risk = zero_d_one_risk(y_new, answers, reject_cost=0.15, reject_label=-1)
print(f"cross-validated risk: {risk:.4f}")
own = RejectOptionClassifierCV(reject_cost=0.15).fit(X, y)
print(f"RejectOptionClassifierCV: risk {1 - own.score(X_new, y_new):.4f}, {own.best_params_}")
