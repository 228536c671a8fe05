"""The package works with numpy alone."""

from __future__ import annotations

import subprocess
import sys
import textwrap

SCRIPT = """
    import sys

    class Nothing:
        hidden = {"sklearn", "pandas", "polars", "scipy", "matplotlib", "tqdm", "joblib"}
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in self.hidden:
                raise ModuleNotFoundError(name)

    sys.meta_path.insert(0, Nothing())
    import pickle
    import numpy as np
    import rampart

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    y = X[:, 0] + rng.normal(scale=0.3, size=100) > 0
    model = rampart.RejectOptionClassifier(C=2.0).fit(X, y)
    assert repr(model) == "RejectOptionClassifier(C=2.0)", repr(model)
    assert model.score(X, y) > 0.8
    assert pickle.loads(pickle.dumps(model)).rho_ == model.rho_
    model.set_params(C=3.0)
    assert model.get_params()["C"] == 3.0
    try:
        model.set_params(D=1)
    except ValueError as error:
        assert "Invalid parameter 'D'" in str(error)
    else:
        raise AssertionError
    try:
        rampart.RejectOptionClassifier().predict(X)
    except ValueError as error:
        assert "not fitted" in str(error)
    search = rampart.RejectOptionClassifierCV(Cs=[1, 2], kernel="linear").fit(X, y)
    assert search.best_score_ > 0.8
"""


def test_numpy_is_enough():
    subprocess.run([sys.executable, "-c", textwrap.dedent(SCRIPT)], check=True)
