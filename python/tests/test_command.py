"""The command that the package brings along."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rampart import __version__, _command


def run(*arguments, **environment):
    """`rampart ARGUMENTS`, as the console script starts it."""
    start = "from rampart._command import main; main()"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def no_command_named(monkeypatch):
    monkeypatch.delenv("RAMPART_COMMAND", raising=False)


def test_the_environment_may_name_another_command(monkeypatch):
    monkeypatch.setenv("RAMPART_COMMAND", sys.executable)
    assert _command.path() == Path(sys.executable)


@pytest.mark.parametrize("name", ["nothing", "folder", "text"])
def test_a_named_command_must_be_a_program(name, tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("not to be run")
    monkeypatch.setenv("RAMPART_COMMAND", str(tmp_path / name))
    with pytest.raises(FileNotFoundError, match=rf"{name} is no program; RAMPART_COMMAND must"):
        _command.path()


def test_without_a_name_it_is_inside_the_package(no_command_named, tmp_path, monkeypatch):
    monkeypatch.setattr(_command, "__file__", str(tmp_path / "_command.py"))
    with pytest.raises(FileNotFoundError, match="is no program; reinstalling"):
        _command.path()
    program = tmp_path / "bin" / "rampart"
    program.parent.mkdir()
    program.touch(mode=0o755)
    assert _command.path() == program


def test_the_script_says_in_one_line_what_is_missing():
    done = run(RAMPART_COMMAND="nothing")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("rampart: nothing is no program; ")
    assert done.stderr.count("\n") == 1


def test_the_script_becomes_the_command():
    try:
        _command.path()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    assert run("--version").stdout == f"rampart {__version__}\n"
    assert run("no-such-command").returncode == 2
