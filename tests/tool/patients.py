"""A table of patients as the tests of answers use it: an id, a number that is never missing (age), one
that often is (dose), a category (sex), and the label (outcome)."""

import random

from rampart_command import CommandTest

HEADER = ["name", "age", "dose", "sex", "outcome"]


def patients(count, seed, prefix="p"):
    """Sick patients are older and get more; the classes overlap. No two rows are the same."""
    dice = random.Random(seed)
    rows = []
    for n in range(count):
        sick = n % 2
        dose = round(dice.gauss(2 * sick, 1), 3)
        rows.append([f"{prefix}{n}", round(dice.gauss(50 + 10 * sick, 8), 9),
                     "" if dice.random() < 0.2 else dose, dice.choice("FM"),
                     "sick" if sick else "well"])
    return rows


class PatientsTest(CommandTest):
    def plant_table(self, name, rows):
        return self.plant(name, [HEADER, *rows])

    def train_on_patients(self, *options, count=300, model="model.json"):
        self.plant_table("train.csv", patients(count, seed=1))
        return self.train("train.csv", "--id", "name", *options, model=model)
