#!/usr/bin/env python3
"""data/published.csv, the paper's figures: every cell is there, and its three numbers fit together.

On the same rows risk = d·rr + (1 − rr)(1 − accuracy). The paper prints means over the folds and
repetitions of cross-validation, so what it prints may also differ by how rr and accuracy vary
together there: not at all where nothing or everything is rejected, a little elsewhere. The cells
that differ by more than rounding are known; a typing error would add one, or remove one.
"""

import csv

from project import ROOT, report

TABLES = {"tab:Synth1": "synthetic1", "tab:Synth2": "synthetic2", "tab:Ionosphere": "ionosphere",
          "tab:Park": "parkinsons"}
LOSSES = ["double-ramp", "double-hinge"]
COSTS = [round(0.05 * k, 2) for k in range(1, 11)]
MOST = 0.008  # nothing differs by more

# d of the cells whose numbers fit together only up to what varies between folds
DIFFER = {
    ("synthetic1", "double-ramp"): [.05, .1, .15, .2, .25, .3],
    ("synthetic1", "double-hinge"): [.1, .15, .2, .25, .35, .4, .45],
    ("synthetic2", "double-ramp"): [.05, .1, .15, .2, .25, .3],
    ("synthetic2", "double-hinge"): [.05, .1, .15, .2, .25, .3, .4],
    ("ionosphere", "double-ramp"): [.05],
    ("ionosphere", "double-hinge"): [.15, .3, .35],
    ("parkinsons", "double-ramp"): [.1, .2, .25],
    ("parkinsons", "double-hinge"): [.1, .15, .2, .25, .3, .4],
}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def difference(row):
    """How far the printed risk is from what the two rates say, beyond what rounding explains."""
    d, risk, rejected = (float(row[key]) for key in ("reject_cost", "risk", "rejection_rate"))
    wrong = 1 - float(row["accepted_accuracy"] or 0)
    # three decimals of the risk, two of the percentages
    rounding = 5e-4 + 5e-5 * abs(d - wrong) + 5e-5 * (1 - rejected) + 1e-9
    return max(0, abs(d * rejected + (1 - rejected) * wrong - risk) - rounding)


def complaints(path):
    found = []
    rows = read(path)
    cells = [(row["table"], row["set"], row["loss"], float(row["reject_cost"])) for row in rows]
    expected = [(table, name, loss, d) for table, name in TABLES.items() for d in COSTS
                for loss in LOSSES]
    if cells != expected:
        found.append("the rows are not those of the paper's four tables, in their order")
    for row in rows:
        where = f"{row['set']}, {row['loss']}, d = {row['reject_cost']}"
        for name in ("risk", "rejection_rate", "accepted_accuracy"):
            for key in (name, name + "_sd"):
                if row[key] and not 0 <= float(row[key]) <= 1:
                    found.append(f"{where}: {key} = {row[key]} is not a fraction")
        rejected = float(row["rejection_rate"])
        if (row["accepted_accuracy"] == "") != (rejected == 1):
            found.append(f"{where}: an accuracy if and only if something is accepted")
        known = float(row["reject_cost"]) in DIFFER[row["set"], row["loss"]]
        beyond = difference(row)
        if (beyond > 0) != known:
            found.append(f"{where}: risk and rates {'differ' if beyond else 'no longer differ'}")
        if beyond > MOST or (beyond > 0 and rejected in (0, 1)):
            found.append(f"{where}: risk and rates differ by {beyond:.4f} more than rounding")
    return found


def complaints_about_settings(path, published):
    sets = [(row["table"], row["set"]) for row in read(path)]
    wanted = list(dict.fromkeys((row["table"], row["set"]) for row in read(published)))
    return [] if sets == wanted else [f"{path.name}: not the sets of {published.name}"]


if __name__ == "__main__":
    PUBLISHED = ROOT / "data" / "published.csv"
    report(complaints(PUBLISHED)
           + complaints_about_settings(ROOT / "data" / "experiments.csv", PUBLISHED))
