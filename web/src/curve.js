// The risk–coverage curve: the error rate among the answered cases, the most certain first.

import { areaY, dot, line, ruleX } from "@observablehq/plot";
import { at_coverage } from "./coverage.js";
import { draw } from "./draw.js";
import { figure } from "./figure.js";
import { count, interval, level, number, percent, percent_ticks } from "./format.js";
import { band_sample, dot_sample, legend, line_sample } from "./legend.js";

const curve_style = { stroke: "var(--series-0)", strokeWidth: 2 };
const band_style = { fill: "var(--series-0)", fillOpacity: 0.18 };
const here_style = { stroke: "currentColor", strokeDasharray: "2 3" };
const point_style = { r: 6, stroke: "var(--series-1)", strokeWidth: 2.5, symbol: "diamond" };

/** Returns the figure and show(rejection rate), which marks what the slider says. */
export function curve_figure(model) {
  const { curve, metrics } = model;
  const top = top_of(curve, metrics);
  const own = metrics.accepted_accuracy == null ? []
    : [{ coverage: metrics.coverage, risk: 1 - metrics.accepted_accuracy }];
  let svg = null;
  let chosen = null;
  const show = (rejection_rate) => {
    chosen = rejection_rate;
    if (svg) mark(svg, curve, 1 - chosen);
  };
  const made = figure({
    title: "Errors among the answered",
    text: "Cases are answered in the order of their certainty |f(x)|: the clearest first, the doubtful last.",
    legend: legend([
      ["error rate", line_sample(curve_style)],
      [`${level(model.confidence ?? 0.95)} interval`, band_sample(band_style)],
      ["the model’s own band", dot_sample(point_style)],
      ["the slider’s choice", line_sample(here_style), dot_sample({ fill: "currentColor", r: 3.5 })],
    ]),
    draw: (width) => draw({
      width, height: Math.max(240, Math.min(380, 0.55 * width)), marginLeft: 48, marginRight: 16,
      x: { domain: [0, 1], label: "share answered", tickFormat: percent_ticks(1), ticks: Math.max(4, width / 90) },
      y: { domain: [0, top], label: "error rate", tickFormat: percent_ticks(top), grid: true, ticks: 6 },
      marks: [
        areaY(curve, { x: "coverage", y1: "low", y2: "high", ...band_style, clip: true }),
        line(curve, { x: "coverage", y: "risk", ...curve_style, clip: true }),
        ruleX([metrics.coverage], { stroke: point_style.stroke, strokeOpacity: 0.5 }),
        dot(own, { x: "coverage", y: "risk", ...point_style }),
      ],
    }),
    drawn: (drawing) => {
      svg = drawing;
      if (chosen != null) mark(svg, curve, 1 - chosen);
    },
    summary: `Error rate among the answered cases against the share answered: ` +
      `${[0.25, 0.5, 0.75, 1].map((coverage) =>
        `${percent(at_coverage(curve, coverage).risk)} at ${percent(coverage, 0)}`).join(", ")}. ` +
      (own.length
        ? `The model answers ${percent(metrics.coverage)} with an error rate of ${percent(own[0].risk)}.`
        : "The model answers none."),
    numbers: {
      head: ["share answered", "answered", "errors", "error rate", "interval", "|f| at least"],
      rows: curve.map((point) => [percent(point.coverage), count(point.accepted), number(point.errors),
        percent(point.risk, 2), interval([point.low, point.high]), number(point.threshold)]),
    },
  });
  return { figure: made, show };
}

/** The first few cases have intervals up to 1, which would leave no room for the rest. */
function top_of(curve, metrics) {
  const settled = curve.filter(({ coverage }) => coverage >= 0.1);
  const rates = (settled.length ? settled : curve).flatMap(({ risk, high }) => [risk, high]);
  const own = metrics.accepted_accuracy == null ? 0 : 1 - metrics.accepted_accuracy;
  return Math.min(1, Math.max(0.01, ...rates.map((rate) => 1.05 * rate), 1.2 * own));
}

/** Moves the slider's mark; the scales are those of the drawing. */
function mark(svg, curve, coverage) {
  const x = svg.scale("x");
  const y = svg.scale("y");
  const part = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  svg.querySelector(".chosen")?.remove();
  const group = part("g", { class: "chosen" });
  const at = x.apply(coverage);
  const [bottom, top] = y.range;
  group.append(part("line", { x1: at, x2: at, y1: bottom, y2: top, stroke: "currentColor",
    "stroke-dasharray": here_style.strokeDasharray }));
  const found = at_coverage(curve, coverage);
  if (found && found.risk <= y.domain[1]) {
    group.append(part("circle", { cx: at, cy: y.apply(found.risk), r: 4, fill: "currentColor" }));
  }
  svg.append(group);
}
