// R after each round of training, which no round raises.

import { dot, line } from "@observablehq/plot";
import { draw } from "./draw.js";
import { figure } from "./figure.js";
import { number } from "./format.js";

export function rounds(values) {
  const points = values.map((value, k) => [k + 1, value]);
  const last = values[values.length - 1];
  return figure({
    title: "R after each round",
    text: "What training minimises; each round solves a convex problem, and none raises R.",
    draw: (width) => draw({
      width, height: Math.max(200, Math.min(300, 0.5 * width)), marginLeft: 56, marginRight: 16,
      x: { label: "round", domain: [1, Math.max(2, values.length)], tickFormat: "d", insetLeft: 8, insetRight: 8,
        ticks: Math.min(Math.max(1, values.length - 1), Math.floor(width / 60)) },
      y: { label: "R", grid: true, nice: true, ticks: 5 },
      marks: [
        line(points, { stroke: "var(--series-0)", strokeWidth: 2 }),
        dot(points, { fill: "var(--series-0)", r: values.length > 40 ? 2 : 3.5 }),
      ],
    }),
    summary: `The objective R after each of ${values.length} rounds: from ${number(values[0])} to ${number(last)}.`,
    numbers: {
      head: ["round", "R"],
      rows: points.map(([round, value]) => [String(round), number(value, 8)]),
    },
  });
}
