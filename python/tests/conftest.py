"""What the tests share: data, and the command to compare with."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rampart import _command


def make_rows(rows: int = 300, columns: int = 4, seed: int = 0) -> tuple[Any, Any]:
    """Two noisy classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + rng.normal(scale=0.7, size=rows) > 0.4).astype(int)
    return X, y


@pytest.fixture
def rows() -> tuple[Any, Any]:
    return make_rows()


class Command:
    """The rampart command, if it is there."""

    def __init__(self) -> None:
        try:
            self.path = str(_command.path())
        except (FileNotFoundError, RuntimeError):
            pytest.skip("the rampart command is not there")

    def run(self, *words: Any) -> Any:
        done = subprocess.run(
            [self.path, *map(str, words)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def train(self, data: Path, model: Path, *options: str) -> Any:
        return json.loads(self.run("train", data, "-o", model, "--json", "--quiet", *options))


@pytest.fixture
def command() -> Command:
    return Command()
