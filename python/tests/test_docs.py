"""docs/python.md and docs/c.md are true: programs run, tables are those of the library."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rampart import _library, _native

ROOT = Path(__file__).resolve().parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def programs(text: str) -> list[tuple[str, int, str, str | None]]:
    """Name of the language, line, text of each fenced block, and the output that follows it."""
    fence = re.compile(
        r"^```(\w+)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL
    )
    return [
        (block[1], text.count("\n", 0, block.start(2)), block[2], block[3])
        for block in fence.finditer(text)
        if block[1] != "text"
    ]


def show(program: str, line: int, names: dict[str, Any]) -> str:
    """What a block prints; it sees the names of the blocks before it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * line + program, "docs/python.md", "exec"), names)
    return printed.getvalue()


NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")


def require_printed(printed: str, expected: str, place: str) -> None:
    """The same words, and numbers that are close.

    Instruction sets round differently, and where rows lie on a kink of the loss, the last bit
    decides which minimum training ends in.
    """
    spaces = re.compile(r"\s+")
    words = [spaces.sub(" ", NUMBER.sub("#", text)) for text in (printed, expected)]
    assert words[0] == words[1], f"{place}:\n{printed}"
    for found, told in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
        allowed = 0.05 * float(told) + (0.005 if "." in told else 1)
        assert abs(float(found) - float(told)) <= allowed, f"{place}:\n{printed}"


def test_the_blocks_of_the_manual_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for needed in ("sklearn", "pandas", "matplotlib"):
        pytest.importorskip(needed)
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = [block for block in programs(page("python.md")) if block[0] == "python"]
    assert len(blocks) > 10
    for _, line, program, expected in blocks:
        printed = show(program, line, names)
        if expected is not None:
            require_printed(printed, expected, f"docs/python.md:{line + 1}")
    assert (tmp_path / "displays.png").exists()


def test_the_readme_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [block for block in programs(text) if block[0] == "python"]
    assert blocks
    for _, line, program, expected in blocks:
        assert expected is not None
        require_printed(show(program, line, {}), expected, f"README.md:{line + 1}")


# ---- the C API -----------------------------------------------------------------------------------


def option_lines() -> list[str]:
    """The table of options as docs/c.md has it."""
    lines = [
        "| option | value | default | what it is | larger | use |",
        "|---|---|---|---|---|---|",
    ]
    for row in _native.option_table():
        cells = [row[name] for name in ("name", "value", "default", "about", "larger", "use")]
        name, value, default, *others = (cell.replace("|", "\\|") for cell in cells)
        code = [f"`{cell}`" if cell else "" for cell in (name, value, default)]
        lines.append("| " + " | ".join([*code, *others]) + " |")
    return lines


def test_the_table_of_options_is_that_of_the_library() -> None:
    found = re.search(r"<!-- options -->\n(.*?)\n<!-- end of options -->", page("c.md"), re.DOTALL)
    assert found is not None
    assert found[1].splitlines() == option_lines()


def keys_in_docs(heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    section = re.search(rf"^### {re.escape(heading)}\n(.*?)(?=^#|\Z)", page("c.md"), re.M | re.S)
    assert section is not None, heading
    return set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", section[1], re.M))))


def some_run(*, tuning: bool) -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    y = np.where(x[:, 0] + rng.normal(size=60) > 0, 1, -1).astype(np.int8)
    data = _native.Data.dense(x)
    data.set_labels(y, ["no", "yes"])
    options = [("kernel", "linear")]
    if tuning:
        options += [("C", "1,2"), ("nested", "yes"), ("folds", "3")]
    return _native.run(data, options, lambda _: _library.GO_ON, tuning=tuning)


def test_the_keys_of_a_training_are_listed() -> None:
    run = some_run(tuning=False)
    rounds = {key for entry in run.about["history"] for key in entry}
    # the kernel's solver has one more
    assert keys_in_docs("Of a training") == set(run.about) | {"kernel_rows"}
    text = page("c.md")
    assert all(f"`{key}`" in text for key in rounds)


def test_the_keys_of_a_tuning_are_listed() -> None:
    about = some_run(tuning=True).about
    assert keys_in_docs("Of a tuning") == set(about)
    text = page("c.md")
    inside = [about["points"][0], about["points"][0]["results"][0], about["nested"]]
    for entry in [*inside, about["nested"]["results"][0]]:
        assert not [key for key in entry if f"`{key}`" not in text]


def test_the_keys_of_a_model_are_listed() -> None:
    about = some_run(tuning=False).model(1).about
    assert keys_in_docs("Of a model") == set(about)
    text = page("c.md")
    assert all(f"`{key}`" in text for key in [*about["columns"], *about["costs"]])


def test_the_program_of_the_manual_of_c_compiles_and_runs(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    [(_, _, program, expected)] = [block for block in programs(page("c.md")) if block[0] == "c"]
    library = _library._path_of_library().resolve()
    (tmp_path / "app.c").write_text(program)
    flags = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT / 'include'}"]
    subprocess.run([compiler, *flags, "app.c", str(library), "-o", "app"], cwd=tmp_path, check=True)
    paths = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    done = subprocess.run(
        ["./app"], cwd=tmp_path, env=paths, capture_output=True, text=True, check=True
    )
    assert done.stdout == expected
    assert json.loads((tmp_path / "model.json").read_text())["format"] == "rampart-model"
