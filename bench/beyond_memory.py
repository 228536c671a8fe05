"""Training on rows on disk, under a limit of memory that they do not fit into."""

import contextlib
import os
import shutil
import time
from pathlib import Path

from measure import program
from suite import RAMPART, results, say, value

CGROUPS = Path("/sys/fs/cgroup")
FEATURES = 100
BYTES_A_ROW = 8 * FEATURES
CHUNK = 8 << 20


@contextlib.contextmanager
def memory_limit(limit):
    """A function for a child process, which may then hold so many bytes, the pages of files that it
    reads among them; None if this machine or user cannot limit that."""
    group = None
    try:
        group = limited_group(limit)
        yield group and (lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
    finally:
        if group:
            group.rmdir()


def limited_group(limit):
    """A new control group of either version, or None."""
    version_1 = (CGROUPS / "memory").is_dir()
    group = (CGROUPS / "memory" if version_1 else CGROUPS) / f"rampart-bench-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        return None
    try:
        (group / ("memory.limit_in_bytes" if version_1 else "memory.max")).write_text(str(limit))
    except OSError:
        group.rmdir()
        return None
    return group


def write_parts(folder, generate, total):
    """Files of together `total` bytes. Four are different, the others copies of them: the
    disk does not know, and text for all of them would take as much room again."""
    rows = min(10**6, total // BYTES_A_ROW // 4)
    parts = [folder / f"part-{n:04}.rows" for n in range(total // BYTES_A_ROW // rows)]
    for n, part in enumerate(parts):
        if part.exists():
            continue
        if n >= 4:
            shutil.copyfile(parts[n % 4], part)
            continue
        text = folder / "part.svm"
        generate(text, "dense", rows, FEATURES, 0, 100 + n)
        program([RAMPART, "convert", text, part, "--quiet"], os.sched_getaffinity(0))
        text.unlink()
    return parts


def forget(parts):
    """Takes files out of the page cache."""
    for part in parts:
        with open(part, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def reading_speed(parts):
    """Bytes a second of plain reading from the disk, one file after the other."""
    forget(parts)
    buffer = bytearray(CHUNK)
    begin, total = time.perf_counter(), 0
    for part in parts:
        with open(part, "rb", buffering=0) as file:
            while count := file.readinto(buffer):
                total += count
    forget(parts)
    return total / (time.perf_counter() - begin)


def measure(bench, target, generate, gigabytes, limit_gigabytes):
    folder = bench.folder / "parts"
    folder.mkdir(exist_ok=True)
    try:
        parts = write_parts(folder, generate, int(gigabytes * 1e9))
        size = sum(part.stat().st_size for part in parts)
        speed = reading_speed(parts)
        say(f"  {size / 1e9:.3g} GB of rows, plain reading {speed / 1e6:.0f} MB/s")
        command = [RAMPART, "train", folder / "part-*.rows", "-o", bench.folder / "disk.json",
                   "--kernel", "linear", "--scale", "none", "-c", 1, "--reject-cost", 0.2,
                   "--unfamiliar", 0, "--json", "--timing", "--quiet"]
        with memory_limit(int(limit_gigabytes * 1e9)) as limited:
            if limited is None:
                bench.note("memory cannot be limited here (no right to make a cgroup):"
                           " target 8 is measured without a limit")
            run = program(command, os.sched_getaffinity(0), before=limited or (lambda: None))
    finally:
        shutil.rmtree(folder)
    told = results(run.output)[0]
    facts = {"R": told["objective"], "gap": told["gap"]}
    if told["status"] != "converged":
        facts["problem"] = "did not converge"
    elif limited is None:
        facts["problem"] = "no limit"
    what = f"{size / 1e9:.3g} GB under {limit_gigabytes:.3g} GB"
    passes = told["steps"]
    bench.row(target, f"{what}: GB read (not s)", value("rampart", run.bytes_read / 1e9),
              value(f"{passes} passes of the solver x {size / 1e9:.3g} GB of files", passes * size / 1e9),
              1.1, **facts)
    bench.note(f"target 8: {run.bytes_read / size:.2f} readings of the files, counted by the system in bytes"
               f" from the disk; {passes} of them are passes of the solver")
    bench.row(target, f"{what}: wall", value("rampart", run.cpu, run.wall),
              value(f"plain reading of as much, {speed / 1e6:.0f} MB/s", run.bytes_read / speed),
              1 / 0.8, by="wall", **facts)
