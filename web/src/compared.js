// Several models on the same cases: their verdicts in a table, their curves in one chart.

import { dot, line } from "@observablehq/plot";
import { at_coverage } from "./coverage.js";
import { element } from "./dom.js";
import { color, dash, draw, symbol } from "./draw.js";
import { figure } from "./figure.js";
import { about, level, percent, percent_ticks } from "./format.js";
import { dot_sample, legend, line_sample } from "./legend.js";
import { table } from "./table.js";
import { of_thousand } from "./verdict.js";

export function compared(models, pairs = []) {
  const cost = ({ metrics }) => 1000 * metrics.risk;
  const best = models.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  const confidence = level(models[0].confidence ?? 0.95);
  const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${about(Math.abs(value))}`;
  const against = ({ difference, interval }) => `${signed(1000 * difference)} (${signed(1000 * interval[0])} to ${signed(1000 * interval[1])})`;
  const doubtful = pairs.filter(({ interval }, k) => k > 0 && interval[0] <= 0 && interval[1] >= 0);
  return [
    element("p", { class: "headline" }, element("strong", {}, best.name), " costs least: ",
      element("strong", {}, about(cost(best))), " for 1000 cases like these."),
    ...table({ label: "The models compared", most: 1000, stacked: true,
      head: ["of 1000 cases", "answered", "of these wrong", "to a person", "cost",
        ...(pairs.length ? [`cost above the first (${confidence} interval)`, "answers unlike the first’s"] : [])],
      rows: models.map((model, k) => {
        const { answered, wrong, low, high, person } = of_thousand(model);
        return [model.name, about(answered), `${about(wrong)} (${about(low)} to ${about(high)})`, about(person), about(cost(model)),
          ...(pairs.length ? (k === 0 ? ["–", "–"]
            : [against(pairs[k]), about(1000 * pairs[k].different_answers / model.metrics.rows)]) : [])];
      }) }),
    doubtful.length ? element("p", { class: "note" },
      "Where an interval holds 0, these cases do not show which of the two models is cheaper.") : null,
    curves(models),
  ];
}

function curves(models) {
  const drawn = models.map((model, index) => ({ ...model, index })).filter(({ curve }) => curve?.length);
  if (!drawn.length) return null;
  const style = (index) => ({ stroke: color(index), strokeDasharray: dash(index), strokeWidth: 2 });
  const own = ({ metrics }) => (metrics.accepted_accuracy == null ? []
    : [{ coverage: metrics.coverage, risk: 1 - metrics.accepted_accuracy }]);
  const settled = drawn.flatMap(({ curve }) => curve.filter(({ coverage }) => coverage >= 0.1).map(({ risk }) => risk));
  const top = Math.min(1, 1.1 * Math.max(0.01, ...settled, ...drawn.flatMap(own).map(({ risk }) => risk)));
  const shares = [0.25, 0.5, 0.75, 1];
  return figure({
    title: "Errors among the answered",
    text: "The lower curve makes fewer errors at the same share of answers. The marks are the models’ own bands.",
    legend: legend(drawn.map(({ name, index }) => [name, line_sample(style(index)),
      dot_sample({ fill: color(index), symbol: symbol(index) })])),
    draw: (width) => draw({
      width, height: Math.max(240, Math.min(380, 0.55 * width)), marginLeft: 48, marginRight: 16,
      x: { domain: [0, 1], label: "share answered", tickFormat: percent_ticks(1), ticks: Math.max(4, width / 90) },
      y: { domain: [0, top], label: "error rate", tickFormat: percent_ticks(top), grid: true, ticks: 6 },
      marks: [
        ...drawn.map(({ curve, index }) => line(curve, { x: "coverage", y: "risk", ...style(index), clip: true })),
        ...drawn.map((model) => dot(own(model), { x: "coverage", y: "risk", r: 6, fill: color(model.index), symbol: symbol(model.index) })),
      ],
    }),
    summary: `Error rate among the answered cases: ${drawn.map(({ name, curve }) => `${name} ${shares.map((share) =>
      `${percent(at_coverage(curve, share).risk)} at ${percent(share, 0)}`).join(", ")}`).join("; ")}.`,
    numbers: {
      head: ["share answered", ...drawn.map(({ name }) => name)],
      rows: Array.from({ length: 20 }, (_, k) => (k + 1) / 20).map((share) => [percent(share, 0),
        ...drawn.map(({ curve }) => percent(at_coverage(curve, share).risk, 2))]),
    },
  });
}
