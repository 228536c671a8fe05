"""How the benchmarks run programs: pinned, taking turns, CPU seconds beside wall seconds."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


@dataclass
class Run:
    """One run of a program, or what a program says of a part of itself."""
    cpu: float
    wall: float
    output: str = ""
    bytes_read: int = 0  # from disks


@dataclass
class Side:
    """All runs of one side of a comparison. `peer`: among the peers of one name only the best
    counts, so those that lag far behind in the first turn are not run again."""
    name: str
    run: object  # a function without arguments that returns a Run
    peer: str = ""
    runs: list = field(default_factory=list)

    @property
    def cpu(self):
        return statistics.median(run.cpu for run in self.runs)

    @property
    def wall(self):
        return statistics.median(run.wall for run in self.runs)

    @property
    def output(self):
        return self.runs[-1].output


def program(command, cores=(0,), seconds=None, before=lambda: None):
    """Runs a command to its end on these cores; None if it takes more than so many seconds. The
    process calls `before` before it becomes the command."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=output, stderr=errors,
                                 env={**os.environ, **ONE_THREAD},
                                 preexec_fn=lambda: (os.sched_setaffinity(0, cores), before()))
        late = threading.Event()
        alarm = threading.Timer(seconds or 0, lambda: (late.set(), os.kill(child.pid, 9)))
        if seconds is not None:
            alarm.start()
        _, status, used = os.wait4(child.pid, 0)
        alarm.cancel()
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            return None
        for stream in (output, errors):
            stream.seek(0)
        if child.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: code {child.returncode}:"
                               f" {errors.read()[-500:]}")
        return Run(used.ru_utime + used.ru_stime, wall, output.read(), used.ru_inblock * 512)


@contextlib.contextmanager
def burn_a_core(core):
    """Meanwhile, another process keeps this core busy."""
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"],
                             preexec_fn=lambda: os.sched_setaffinity(0, [core]))
    time.sleep(0.1)
    try:
        yield
    finally:
        child.kill()
        child.wait()


def peak_megabytes(command):
    """The most memory a command held at a time. By GNU time, for what a child of a large process
    tells of itself begins with the memory of that process."""
    with tempfile.NamedTemporaryFile("r") as told:
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", told.name, *map(str, command)],
                       check=True, capture_output=True, env={**os.environ, **ONE_THREAD})
        return int(told.read().split()[-1]) / 1024


@dataclass
class Counts:
    """How often everything is run: three times as often where it takes less than half a second,
    for that is easily disturbed."""
    runs: int = 5
    long_runs: int = 3
    long_seconds: float = 20
    short_seconds: float = 0.5

    def of(self, wall):
        if wall > self.long_seconds:
            return self.long_runs
        return 3 * self.runs if wall < self.short_seconds and self.runs > 1 else self.runs


def take_turns(sides, counts):
    """Runs every side in turn until each has its number of runs. The first turn shows how many."""
    for side in sides:
        side.runs.append(side.run())
    best = {}
    for side in sides:
        best[side.peer] = min(best.get(side.peer, float("inf")), side.runs[0].cpu)
    while True:
        left = [side for side in sides if wants_more(side, best, counts)]
        if not left:
            return
        for side in left:
            side.runs.append(side.run())


def wants_more(side, best, counts):
    if side.peer and side.runs[0].cpu > 1.3 * best[side.peer]:
        return False
    return len(side.runs) < counts.of(side.runs[0].wall)


def best_peer(sides, peer):
    """Of the sides that stand for one peer the fastest."""
    all_of_it = [side for side in sides if side.peer == peer]
    repeated = [side for side in all_of_it if len(side.runs) > 1]
    return min(repeated or all_of_it, key=lambda side: side.cpu)
