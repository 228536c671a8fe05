"""What the suites of targets share (kernel.py, linear.py): the table, what is kept of it, the page that it fills."""

import argparse
import dataclasses
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Counts, Run, Side

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
RAMPART = os.environ.get("RAMPART", str(BUILD / "rampart"))


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def results(output):
    """What `train --json` said: a list, also of one."""
    told = json.loads(output)
    return told.get("results", [told])


def alone(side):
    """The runs of a side, without reading and writing: training alone."""
    told = [json.loads(run.output) for run in side.runs]
    return Side(side.name, None, runs=[Run(one["cpu_seconds"], one["seconds"]) for one in told])


def value(name, cpu, wall=None):
    """Numbers that stand where medians of seconds do."""
    return Side(name, None, runs=[Run(cpu, cpu if wall is None else wall)])


class Bench:
    """What the targets of a suite share: a folder for data, the rows of the table."""

    def __init__(self, folder, options):
        self.folder = Path(folder)
        self.quick = options.quick
        self.counts = Counts(options.runs, options.long_runs)
        self.rows = []
        self.notes = []

    def row(self, target, what, ours, peer, limit, by="cpu", **facts):
        """Adds a line. `ours`, `peer`: the sides; `limit`: the largest ratio that is allowed, or None
        where nothing is judged; `facts`: more columns, and a `problem` if the answer is wrong."""
        row = {"target": target, "what": what, "peer": peer.name, "by": by, "limit": limit,
               "ours": [ours.cpu, ours.wall], "theirs": [peer.cpu, peer.wall],
               "ratio": getattr(ours, by) / getattr(peer, by),
               "runs": [[[run.cpu, run.wall] for run in side.runs] for side in (ours, peer)],
               **facts}
        right = row.get("problem") is None
        row["met"] = None if self.quick or limit is None else right and row["ratio"] <= limit
        self.rows.append(row)
        print(line_of(row), flush=True)

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)
            say(text)


@dataclasses.dataclass
class Suite:
    """A list of targets under one name."""
    name: str
    description: str
    targets: dict  # number: function of a Bench
    titles: dict  # number: text
    bench: type  # of Bench
    needed: dict  # program: the package that brings it
    packages: tuple  # whose versions matter
    page: Path
    foot: str  # below the table
    add_options: object = None  # function of a parser

    @property
    def results(self):
        return BUILD / f"bench-{self.name}.json"

    @property
    def marks(self):
        return (f"<!-- written by bench/run {self.name} -->",
                f"<!-- end of what bench/run {self.name} wrote -->")


# The table

COLUMNS = ["#", "what", "rampart CPU s", "wall s", "against", "CPU s", "wall s", "ratio", "at most",
           "met", "R", "gap", "R vs ref."]
WIDTHS = [2, 53, 13, 8, 44, 8, 8, 8, 7, 14, 12, 8, 9]


def cells(row):
    number = lambda value, form: "" if value is None else format(value, form)
    met = {True: "yes", False: "no", None: ""}[row["met"]]
    if row.get("problem"):
        met = f"no: {row['problem']}"
    return [str(row["target"]), row["what"], number(row["ours"][0], ".4g"),
            number(row["ours"][1], ".4g"), row["peer"], number(row["theirs"][0], ".4g"),
            number(row["theirs"][1], ".4g"),
            number(row["ratio"], ".3g") + ("" if row["by"] == "cpu" else " w"),
            number(row["limit"], ".3g"), met, number(row.get("R"), ".8g"),
            number(row.get("gap"), ".1e"), number(row.get("difference"), ".1e")]


def line_of(row):
    return joined(cells(row))


def joined(texts):
    return "| " + " | ".join(f"{text:<{width}}" for text, width in zip(texts, WIDTHS)) + " |"


def header():
    return joined(COLUMNS) + "\n|" + "|".join("-" * (width + 2) for width in WIDTHS) + "|"


# Where it was measured


def machine():
    facts = dict(line.split(":", 1) for line in text_of("lscpu").splitlines() if ":" in line)
    get = lambda name: " ".join(facts.get(name, "?").split())
    return (f"{get('Model name')}, {get('CPU(s)')} cores, caches {get('L1d cache')} L1d,"
            f" {get('L2 cache')} L2, {get('L3 cache')} L3, {memory_gigabytes():.0f} GiB of memory,"
            f" widest vectors {widest(facts.get('Flags', '').split())}")


def widest(flags):
    return "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "SSE"


def versions(packages):
    found = [text_of(RAMPART, "--version").strip()]
    commit = text_of("git", "-C", HERE, "rev-parse", "--short", "HEAD").strip()
    if commit:
        found[0] += f" ({commit})"
    for package in packages:
        version = text_of("dpkg-query", "-W", "-f", "${Version}", package)
        if version:
            found.append(f"{package} {version}")
    return ", ".join(found)


def text_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def memory_gigabytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


# What is kept


def kept(suite):
    return json.loads(suite.results.read_text(encoding="utf-8")) if suite.results.exists() else {}


def keep(suite, target, bench, rows, notes):
    """Adds a target to the results of earlier runs; what another machine measured goes."""
    found = kept(suite)
    if found.get("machine") != machine():
        found = {"machine": machine(), "targets": {}}
    found["targets"][str(target)] = {
        "date": datetime.date.today().isoformat(), "versions": versions(suite.packages),
        "rows": rows, "notes": notes, "load": os.getloadavg()[0],
        "runs": [bench.counts.runs, bench.counts.long_runs]}
    suite.results.parent.mkdir(exist_ok=True)
    suite.results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def write_page(suite):
    found = kept(suite)
    targets = {int(number): target for number, target in found.get("targets", {}).items()}
    if not targets:
        sys.exit("bench: there are no results yet: run without --from-results first")
    before, rest = suite.page.read_text(encoding="utf-8").split(suite.marks[0])
    after = rest.split(suite.marks[1])[1]
    text = [f"Machine: {found['machine']}."]
    for said in sorted({(target["date"], target["versions"]) for target in targets.values()}):
        which = [str(n) for n, target in sorted(targets.items())
                 if (target["date"], target["versions"]) == said]
        text.append(f"Measured {said[0]}: {said[1]} (targets {', '.join(which)}).")
    judged = [row["met"] for target in targets.values() for row in target["rows"]
              if row["met"] is not None]
    text.append(f"{sum(judged)} of {len(judged)} lines are met.")
    table = [header()] + [line_of(row) for _, target in sorted(targets.items())
                          for row in target["rows"]]
    notes = [f"- {note}" for _, target in sorted(targets.items()) for note in target["notes"]]
    missing = [str(number) for number in suite.targets if number not in targets]
    if missing:
        notes.append(f"- not measured: {', '.join(missing)}")
    parts = ["\n".join(text), "\n".join(table), suite.foot, "\n".join(notes)]
    suite.page.write_text(before + suite.marks[0] + "\n\n" + "\n\n".join(filter(None, parts))
                          + "\n\n" + suite.marks[1] + after, encoding="utf-8")
    say(f"wrote {suite.page.relative_to(HERE.parent)}")


# The command


def parse_arguments(suite):
    parser = argparse.ArgumentParser(
        prog=f"bench/run {suite.name}", description=suite.description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {number:>2}  {title}" for number, title in suite.titles.items()))
    parser.add_argument("targets", nargs="*", type=int, choices=[*suite.targets, []],
                        metavar="TARGET", help="numbers, see below; default: all")
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, single runs, no judgement, to try it out; keeps nothing")
    parser.add_argument("--runs", type=int, default=5, help="of each program; default: 5")
    parser.add_argument("--long-runs", type=int, default=3,
                        help="of programs that take more than 20 s; default: 3")
    parser.add_argument("--write-docs", action="store_true",
                        help=f"fill {suite.page.relative_to(HERE.parent)} with what all runs so far have kept")
    parser.add_argument("--from-results", action="store_true", help="measure nothing, just fill the page")
    parser.add_argument("--folder", help="where the data are made, and left for the next time;"
                                         " default: a temporary folder")
    if suite.add_options:
        suite.add_options(parser)
    options = parser.parse_args()
    if options.quick:
        options.runs = options.long_runs = 1
    options.keep = not options.quick and getattr(options, "most_rows", 10**6) >= 10**6
    if options.write_docs and not options.keep:
        parser.error("--write-docs: not together with what keeps nothing")
    return options


def measure_all(suite, options, folder):
    bench = suite.bench(folder, options)
    for number in sorted(set(options.targets)) or suite.targets:
        say(f"{number}: {suite.titles[number]}")
        rows, notes = len(bench.rows), len(bench.notes)
        suite.targets[number](bench)
        if options.keep:
            keep(suite, number, bench, bench.rows[rows:], bench.notes[notes:])
    print("\n" + suite.foot)
    for note in bench.notes:
        print(f"- {note}")


def main(suite):
    options = parse_arguments(suite)
    needed = {RAMPART: "./dev bench", "lscpu": "util-linux", **suite.needed}
    missing = {package for name, package in needed.items() if shutil.which(name) is None}
    if missing:
        sys.exit(f"bench: something is missing, which these bring: {', '.join(sorted(missing))}")
    if not options.from_results:
        if os.getloadavg()[0] > 0.5:
            say(f"the machine is busy (load {os.getloadavg()[0]:.1f}): times will be too long")
        print(f"{machine()}\n{versions(suite.packages)}\n\n{header()}", flush=True)
        if options.folder:
            Path(options.folder).mkdir(parents=True, exist_ok=True)
            measure_all(suite, options, options.folder)
        else:
            with tempfile.TemporaryDirectory() as folder:
                measure_all(suite, options, folder)
    if options.write_docs or options.from_results:
        write_page(suite)
