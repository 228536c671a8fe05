"""What a user does first with an installed package: needs nothing but it and numpy.

`./dev wheel` runs this with every Python it finds; it prints which one, and what it saw.
"""

import csv
import os
import pickle
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy as np

import rampart
from rampart import _command


def rows_of_two_classes():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    y = np.where(x[:, 0] + rng.normal(scale=0.5, size=300) > 0, "sick", "well")
    return x, y


def installed_command():
    """The console script of this very Python, not of another that PATH comes upon first."""
    command = shutil.which("rampart", path=sysconfig.get_path("scripts"))
    assert command, "the package brought no `rampart` command"
    return command


def answers_of_command(model_file, x, folder):
    table = folder / "rows.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{i}" for i in range(1, x.shape[1] + 1)])
        writer.writerows([repr(float(value)) for value in row] for row in x)
    run = subprocess.run(
        [installed_command(), "predict", str(model_file), str(table)],
        check=True,
        capture_output=True,
        text=True,
    )
    return [row["prediction"] for row in csv.DictReader(run.stdout.splitlines())]


def main():
    assert "RAMPART_LIBRARY" not in os.environ, "this must test the library of the package"
    assert "RAMPART_COMMAND" not in os.environ, "this must test the command of the package"
    package = Path(rampart.__file__).parent
    assert package.is_relative_to(sysconfig.get_path("platlib")), f"not installed: {package}"
    assert (package / "py.typed").is_file()
    assert _command.path().is_relative_to(package)

    x, y = rows_of_two_classes()
    for kernel in ("linear", "rbf"):
        model = rampart.RejectOptionClassifier(reject_cost=0.2, kernel=kernel, n_jobs=2).fit(x, y)
        answers = list(model.predict_with_reject(x))
        assert set(answers) == {"sick", "well", "reject"}, set(answers)
        assert model.score(x, y) > 0.8  # one minus the risk
        twin = pickle.loads(pickle.dumps(model))
        assert list(twin.predict_with_reject(x)) == answers
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.json"
            model.save(file)
            loaded = rampart.RejectOptionClassifier.load(file)
            assert list(loaded.predict_with_reject(x)) == answers
            assert answers_of_command(file, x, Path(folder)) == answers

    version = subprocess.run(
        [installed_command(), "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert rampart.__version__ in version, version
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(
        f"Python {platform.python_version()}{'' if gil else ' without a lock'}, "
        f"numpy {np.__version__}, rampart {rampart.__version__}: "
        f"{answers.count('reject')} of {len(x)} rows rejected, by package and command alike"
    )


if __name__ == "__main__":
    main()
