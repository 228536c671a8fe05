"""The `rampart` command that comes with this package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def path() -> Path:
    """Where the command is: the file that RAMPART_COMMAND names, or the one beside this module.

    Raises
    ------
    FileNotFoundError
        If there is no such file, or it cannot be run.
    """
    given = os.environ.get("RAMPART_COMMAND")
    file = Path(given) if given else Path(__file__).parent / "bin" / "rampart"
    if file.is_file() and os.access(file, os.X_OK):
        return file
    advice = (
        "RAMPART_COMMAND must name a program, or be unset"
        if given
        else "reinstalling the package brings it back; RAMPART_COMMAND may name another"
    )
    raise FileNotFoundError(f"{file} is no program; {advice}")


def main() -> NoReturn:
    """Becomes the command, with the arguments of this process."""
    try:
        file = path()
        os.execv(file, ["rampart", *sys.argv[1:]])
    except OSError as error:
        print(f"rampart: {error}", file=sys.stderr)
        sys.exit(1)
