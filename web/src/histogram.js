// The scores of both classes, one above and one below the line, with the band between them.

import { rect, ruleX, ruleY, text } from "@observablehq/plot";
import { draw } from "./draw.js";
import { figure } from "./figure.js";
import { count, number, short } from "./format.js";
import { area_sample, legend } from "./legend.js";

export function histogram({ histogram: { edges, negative, positive }, classes, rho }) {
  const bins = negative.map((_, k) => ({
    low: edges[k], high: edges[k + 1], negative: negative[k], positive: positive[k] }));
  const most = Math.max(1, ...negative, ...positive);
  const sum = (counts) => counts.reduce((total, value) => total + value, 0);
  return figure({
    title: "Scores by class",
    text: "How many cases have which score f(x). Between −ρ and ρ the model does not answer.",
    legend: legend([
      [`truly ${classes[1]} (above)`, area_sample({ fill: "var(--positive)" })],
      [`truly ${classes[0]} (below)`, area_sample({ fill: "var(--negative)" })],
      [`reject: |f| ≤ ρ = ${number(rho)}`, area_sample({ fill: "url(#hatch)" })],
    ]),
    draw: (width) => draw({
      width, height: Math.max(240, Math.min(360, 0.5 * width)), marginLeft: 48, marginRight: 16,
      x: { label: "score f(x)", domain: [edges[0], edges[edges.length - 1]],
        ticks: Math.max(4, width / 80) },
      y: { label: null, domain: [-1.08 * most, 1.08 * most], grid: true, ticks: 6,
        tickFormat: (value) => (Number.isInteger(value) ? count(Math.abs(value)) : "") },
      marks: [
        rect([0], { x1: -rho, x2: rho, y1: -1.08 * most, y2: 1.08 * most, fill: "url(#hatch)", clip: true }),
        ruleX([-rho, rho], { stroke: "var(--muted)", strokeDasharray: "4 3", clip: true }),
        rect(bins, { x1: "low", x2: "high", y1: 0, y2: "positive", fill: "var(--positive)", inset: 0.5 }),
        rect(bins, { x1: "low", x2: "high", y1: (bin) => -bin.negative, y2: 0, fill: "var(--negative)", inset: 0.5 }),
        ruleY([0]),
        text([short(classes[1], 24)], { frameAnchor: "top-left", dx: 6, dy: 2, fill: "var(--positive)", fontWeight: 600 }),
        text([short(classes[0], 24)], { frameAnchor: "bottom-left", dx: 6, dy: -2, fill: "var(--negative)", fontWeight: 600 }),
      ],
    }),
    summary: `Histogram of the scores from ${number(edges[0])} to ${number(edges[edges.length - 1])}: ` +
      `${sum(positive)} cases of ${classes[1]} above the line, ${sum(negative)} of ${classes[0]} below; ` +
      `rejected between ${number(-rho)} and ${number(rho)}.`,
    numbers: {
      head: ["score from", "to", `truly ${classes[0]}`, `truly ${classes[1]}`],
      rows: bins.map((bin) => [number(bin.low), number(bin.high), count(bin.negative), count(bin.positive)]),
    },
  });
}
