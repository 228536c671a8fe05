// Curves of functions of one variable, such as the losses.

import { line, ruleX, ruleY } from "@observablehq/plot";
import { color, dash, draw } from "./draw.js";
import { figure } from "./figure.js";
import { number, short } from "./format.js";
import { legend, line_sample } from "./legend.js";

export function functions(data) {
  const curves = data.curves ?? [];
  const style = (index) => ({ stroke: color(index), strokeDasharray: dash(index), strokeWidth: 2 });
  return figure({
    title: data.name,
    text: data.text,
    legend: legend(curves.map(({ label }, index) => [label, line_sample(style(index))])),
    draw: (width) => draw({
      width, height: Math.max(240, Math.min(400, 0.6 * width)), marginLeft: 44,
      x: { label: short(data.x, 40), ticks: Math.max(4, width / 80) },
      y: { label: short(data.y, 40), grid: true, nice: true },
      marks: [
        ruleX([0], { stroke: "var(--edge)" }),
        ruleY([0], { stroke: "var(--edge)" }),
        ...curves.map(({ points }, index) => line(points, style(index))),
      ],
    }),
    summary: `${data.name}: ${curves.map(({ label, points }) => {
      const values = points.map(([, y]) => y);
      return `${label} between ${number(Math.min(...values))} and ${number(Math.max(...values))}`;
    }).join("; ")}; for ${data.x} from ${number(least(curves))} to ${number(greatest(curves))}.`,
    numbers: numbers_of(data, curves),
  });
}

const places = (curves) => curves.flatMap(({ points }) => points.map(([x]) => x));
const least = (curves) => Math.min(...places(curves));
const greatest = (curves) => Math.max(...places(curves));

/** One column per curve if all have the same places, else one row per point. */
function numbers_of({ x, y }, curves) {
  const first = curves[0]?.points ?? [];
  const together = curves.every(({ points }) =>
    points.length === first.length && points.every(([at], k) => at === first[k][0]));
  if (together) {
    return {
      head: [x, ...curves.map(({ label }) => label)],
      rows: first.map(([at], k) => [number(at), ...curves.map(({ points }) => number(points[k][1]))]),
    };
  }
  return {
    head: ["curve", x, y],
    rows: curves.flatMap(({ label, points }) =>
      points.map(([at, value]) => [label, number(at), number(value)])),
  };
}
