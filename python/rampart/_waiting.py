"""Waiting for the library: Ctrl-C, progress, and scikit-learn's callbacks.

The library works in a thread of its own while the calling thread waits, since only a thread that
runs Python hears Ctrl-C. Callbacks and output happen in the waiting thread.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Any, Callable, ClassVar, Optional, TypeVar

from rampart import _library
from rampart._errors import Cancelled
from rampart._native import Watch

Result = TypeVar("Result")

_BETWEEN_LOOKS = 0.05  # seconds
_PATIENCE = 0.5  # seconds that an interrupted run gets to end
_PATIENCE_AT_EXIT = 5.0
_BETWEEN_CHANGES = 0.2  # seconds that a bar or the line of a terminal stays as it is
_BETWEEN_LINES = 5.0  # seconds, where each message is a line of its own: in files and notebooks


class Look:
    """How far a run is, as last seen."""

    def __init__(self) -> None:
        self.round = 0
        self.steps = 0
        self.violation = float("nan")
        self.objective = float("nan")
        self.done = 0
        self.of = 0

    def words(self) -> str:
        if self.of:
            return f"{self.done} of {self.of} trainings"
        text = f"round {self.round}, {self.steps} steps, violation {self.violation:.2g}"
        return text if self.objective != self.objective else f"{text}, R = {self.objective:.6g}"


def wait_for(
    work: Callable[[Watch], Result],
    *,
    on_look: Optional[Callable[[Look], bool]] = None,
) -> Result:
    """The result of ``work``, which asks the function it is given whether to go on.

    ``on_look`` is called now and then, in this thread; returning True stops the run with what
    it has.
    """
    look = Look()
    here = _Run()

    def watch(progress: Any) -> int:
        look.round, look.steps = progress.round, progress.steps
        look.violation, look.objective = progress.violation, progress.objective
        look.done, look.of = progress.done, progress.of
        return here.answer

    found: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work(watch))
        except BaseException as error:
            failed.append(error)
        finally:
            here.end()

    # A daemon: should an abandoned run take long to notice, the program may end all the same.
    thread = threading.Thread(target=run, name="rampart", daemon=True)
    try:
        thread.start()
        while not here.has_ended_within(_BETWEEN_LOOKS):
            if on_look is not None and on_look(look):
                here.answer = _library.STOP
    except BaseException:  # Ctrl-C, or an error in a callback
        here.answer = _library.ABANDON
        if thread.ident is None:  # it did not even start
            here.end()
        here.has_ended_within(_PATIENCE)
        raise
    if failed:
        error = failed[0]
        if isinstance(error, Cancelled):
            # SystemExit ends a thread without a word.
            raise (SystemExit if here.at_exit else KeyboardInterrupt) from error
        raise error
    if on_look is not None:
        on_look(look)
    return found[0]


class _Run:
    """What the two threads of a run tell each other.

    A lock and no ``threading.Event``, whose own lock would stay taken if Ctrl-C came inside it.
    """

    going: ClassVar[set[_Run]] = set()

    def __init__(self) -> None:
        self.answer = _library.GO_ON
        self.at_exit = False
        self._ended = False
        self._busy = threading.Lock()
        self._busy.acquire()
        self.going.add(self)

    def end(self) -> None:
        self.going.discard(self)
        self._ended = True
        with suppress(RuntimeError):  # it has ended before
            self._busy.release()

    def has_ended_within(self, seconds: float) -> bool:
        return self._ended or self._busy.acquire(timeout=seconds)


@atexit.register
def _abandon_runs() -> None:
    """An interpreter that ends stops the threads that call it, which the library cannot survive."""
    runs = list(_Run.going)
    for run in runs:
        run.at_exit = True
        run.answer = _library.ABANDON
    for run in runs:
        run.has_ended_within(_PATIENCE_AT_EXIT)


if hasattr(os, "register_at_fork"):  # a child has none of the threads of its parent
    os.register_at_fork(after_in_child=_Run.going.clear)


class Talk:
    """Progress for people: a bar of tqdm in a notebook that has it, elsewhere on stderr.

    In a terminal one line changes; elsewhere a line is added from time to time.
    """

    def __init__(self, verbose: int) -> None:
        self._on = bool(verbose)
        self._shown = False
        self._bar = _notebook_bar() if self._on else None
        self._changes = self._bar is not None or sys.stderr.isatty()
        self._last = 0.0 if self._changes else time.monotonic()

    def show(self, look: Look) -> None:
        now = time.monotonic()
        if not self._on or now - self._last < (
            _BETWEEN_CHANGES if self._changes else _BETWEEN_LINES
        ):
            return
        self._last = now
        if self._bar is not None:
            self._bar.total, self._bar.n = look.of or None, look.done or look.round
            self._bar.set_postfix_str(look.words())
        else:
            before, after = ("\r\x1b[K", "") if self._changes else ("", "\n")
            sys.stderr.write(f"{before}rampart: {look.words()}{after}")
            sys.stderr.flush()
            self._shown = self._changes

    def end(self, words: str) -> None:
        if not self._on:
            return
        if self._bar is not None:
            self._bar.set_postfix_str(words)
            self._bar.close()
            return
        sys.stderr.write(("\r\x1b[K" if self._shown else "") + f"rampart: {words}\n")
        sys.stderr.flush()


def _notebook_bar() -> Any:
    if "ipykernel" not in sys.modules:
        return None
    try:
        from tqdm.notebook import tqdm

        return tqdm(desc="rampart", leave=True)
    except ImportError:  # without ipywidgets it cannot be made either
        return None
