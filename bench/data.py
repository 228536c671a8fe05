"""Data for the benchmarks: normal features, a curved boundary in five directions, 10 % of the
labels flipped. E|x - z|^2 = 8 whatever the number of features, so gamma = 0.125 suits all."""

import math
import random


def dense(rows, features, seed):
    """Yields (label, features) pairs; the boundary depends on the number of features only."""
    shape = random.Random(1234 + features)
    directions = [[shape.gauss(0, 1) / math.sqrt(features) for _ in range(features)]
                  for _ in range(5)]
    draw = random.Random(seed)
    scale = 2 / math.sqrt(features)
    for _ in range(rows):
        x = [round(draw.gauss(0, scale), 6) for _ in range(features)]
        z = [sum(a * b for a, b in zip(direction, x)) / scale for direction in directions]
        f = z[0] * z[1] + 0.8 * z[2] + math.sin(1.5 * z[3]) + 0.5 * (z[4] ** 2 - 1)
        label = 1 if f > 0 else -1
        yield (-label if draw.random() < 0.1 else label), x


def write_libsvm(path, rows):
    with open(path, "w", encoding="ascii") as file:
        for label, x in rows:
            values = " ".join(f"{j}:{value:g}" for j, value in enumerate(x, 1))
            file.write(f"{label:+d} {values}\n")
