"""The examples run, and the notebook in docs has their cells."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python" / "examples"
NOTEBOOK = ROOT / "docs" / "python-tour.ipynb"


def output_of(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:rampart", EXAMPLES / script],
        env={**os.environ, "MPLBACKEND": "Agg", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_triage() -> None:
    pytest.importorskip("sklearn")
    text = output_of("triage.py")
    assert re.search(r"228 new cases, \d+ go to a doctor", text)
    risk = float(re.search(r"^risk ([\d.]+)$", text, re.MULTILINE)[1])
    answered = float(re.search(r"risk if every case is answered: ([\d.]+)", text)[1])
    assert risk < answered < 0.1
    assert "unfamiliar: column x0 is" in text


def test_pipeline() -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    text = output_of("pipeline.py")
    risks = [float(risk) for risk in re.findall(r"risk:? (0\.\d+)", text)]
    assert len(risks) == 4
    assert max(1 - risks[0], *risks[1:]) < 0.15  # what rejecting everything costs


def test_mixed_table() -> None:
    pytest.importorskip("pandas")
    text = output_of("mixed_table.py")
    assert "unseen: column 'home' is 'boat', which training never met" in text
    assert "incomplete: column 'income' has no value" in text
    assert "the same answers: True" in text


def test_mixed_table_without_the_command(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    text = output_of("mixed_table.py", RAMPART_COMMAND="", PATH=str(tmp_path))
    assert "is no program; reinstalling the package brings it back" in text
    assert "the same answers: True" in text


def test_comparison() -> None:
    pytest.importorskip("sklearn")
    lines = output_of("comparison.py", SPLITS="2", SETS="breast cancer,moons").splitlines()
    assert [line[:14].strip() for line in lines[2:]] == ["breast cancer", "moons"]
    for line in lines[2:]:
        numbers = [float(number) for number in re.findall(r"[+-]?\d\.\d{4}", line)]
        assert len(numbers) == 8
        assert all(0 <= risk <= 0.2 for risk in numbers[:6])


def make_notebook() -> Any:
    spec = importlib.util.spec_from_file_location("make_notebook", EXAMPLES / "make_notebook.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def cells_in_docs() -> list[dict[str, Any]]:
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def test_the_notebook_has_the_cells_of_the_scripts() -> None:
    found = [(cell["cell_type"], "".join(cell["source"])) for cell in cells_in_docs()]
    assert found == [tuple(cell) for cell in make_notebook().cells_of_notebook()], (
        "run python/examples/make_notebook.py"
    )


def test_every_cell_of_the_notebook_was_run_without_an_error() -> None:
    cells = [cell for cell in cells_in_docs() if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"stream", "display_data"}
    assert all(output.get("name", "stdout") == "stdout" for output in outputs)


def test_the_notebook_is_small_and_knows_no_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 500_000
    assert not re.search(r"/(?:work|root|home|Users|tmp)/", text)
