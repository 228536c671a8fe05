// Measured against published: risk, rejection and accuracy against the cost d of a rejection.

import { areaY, dot, line, ruleX } from "@observablehq/plot";
import { element } from "./dom.js";
import { color, dash, draw, symbol } from "./draw.js";
import { figure } from "./figure.js";
import { fixed, percent, percent_ticks, spread } from "./format.js";
import { band_sample, dot_sample, legend, line_sample } from "./legend.js";

const measures = [
  { key: "risk", title: "Risk", text: "The mean cost per case; lower is better. The axis need not begin at 0.",
    format: (value) => fixed(value, 4), tick: undefined },
  { key: "rejection_rate", title: "Rejected", text: "The share of cases left unanswered.",
    format: percent, tick: percent_ticks(1) },
  { key: "accepted_accuracy", title: "Right when answering", text: "Among the answered cases.",
    format: percent, tick: percent_ticks(1) },
];

const rules = [
  { key: "reject_all", label: "always rejecting" },
  { key: "never_reject", label: "never rejecting" },
  { key: "majority", label: "always answering the same" },
];

export function comparison(data) {
  const parts = [data.source ? element("p", { class: "source" }, data.source) : null,
    data.text ? element("p", {}, data.text) : null];
  if (data.missing) {
    return [...parts, element("p", { class: "missing" }, element("strong", {}, "Not measured. "),
      data.missing)];
  }
  const series = data.series ?? [];
  return [...parts, key_of(series, data.trivial ?? [], data.draws),
    element("div", { class: "charts" }, measures.map((measure) => chart(data, series, measure)))];
}

function key_of(series, trivial, draws) {
  const entries = series.map(({ label }, index) => [label,
    line_sample({ stroke: color(index), strokeDasharray: dash(index) }),
    dot_sample({ fill: color(index), symbol: symbol(index) })]);
  entries.push([draws ? "± standard deviation between draws" : "± standard deviation",
    band_sample({ fill: "currentColor", fillOpacity: 0.2 })]);
  if (series.some(({ points }) => points.some((point) => point.draws))) {
    entries.push(["small: single draws", dot_sample({ fill: "currentColor", r: 1.5 })]);
  }
  if (has_published(series)) {
    entries.push(["hollow: published", dot_sample({ stroke: "currentColor", strokeWidth: 1.5 })]);
  }
  if (trivial.length) {
    const [bottom, top] = domain_of(series, "risk");
    entries.push(...rules.map((rule, index) => {
      // a rule far from all methods would press these together: it is named in the text, not drawn
      const above = trivial.every((at) => at[rule.key] > top);
      const below = trivial.every((at) => at[rule.key] < bottom);
      const place = above ? "above" : below ? "below" : null;
      return [`risk of ${rule.label}${place ? ` (${fixed(trivial[0][rule.key], 2)}, ${place} the chart)` : ""}`,
        line_sample({ ...rule_style, strokeDasharray: dash(index + 1) })];
    }));
  }
  return legend(entries);
}

const rule_style = { stroke: "var(--muted)", strokeWidth: 1.5 };

const has_published = (series) =>
  series.some(({ points }) => points.some((point) => point.published));

const mean = (value) => value?.mean ?? NaN;
const low = (value) => mean(value) - (value?.sd ?? 0);
const high = (value) => mean(value) + (value?.sd ?? 0);

function chart(data, series, measure) {
  const { key, format } = measure;
  const trivial = key === "risk" ? data.trivial ?? [] : [];
  const domain = domain_of(series, key);
  return figure({
    title: measure.title,
    text: measure.text,
    draw: (width) => draw({
      width, height: Math.max(220, Math.min(320, 0.75 * width)),
      marginLeft: 48, marginRight: 12, marginTop: 24,
      x: { label: "cost of a rejection, d", nice: true, ticks: Math.max(3, width / 70) },
      y: { domain, label: null, grid: true, tickFormat: measure.tick, ticks: 5 },
      marks: [
        ...series.map(({ points }, index) => areaY(points, {
          x: "reject_cost", y1: (point) => low(point[key]), y2: (point) => high(point[key]),
          fill: color(index), fillOpacity: 0.15, clip: true })),
        ...rules.filter(() => trivial.length).map((rule, index) => line(trivial, {
          x: "reject_cost", y: rule.key, ...rule_style, strokeDasharray: dash(index + 1),
          clip: true })),
        ...series.map(({ points }, index) => dot(single_draws(points, key), {
          x: "reject_cost", y: "value", fill: color(index), fillOpacity: 0.6, r: 1.5, clip: true })),
        ...series.map(({ points }, index) => line(points, {
          x: "reject_cost", y: (point) => mean(point[key]), stroke: color(index), strokeWidth: 2,
          strokeDasharray: dash(index) })),
        ...series.map(({ points }, index) => dot(points, {
          x: "reject_cost", y: (point) => mean(point[key]), fill: color(index), r: 3.5,
          symbol: symbol(index) })),
        ...series.flatMap(({ points }, index) => {
          const published = points.filter((point) => point.published?.[key]);
          return [
            ruleX(published, { x: "reject_cost", y1: (point) => low(point.published[key]),
              y2: (point) => high(point.published[key]), stroke: color(index), clip: true }),
            dot(published, { x: "reject_cost", y: (point) => mean(point.published[key]),
              stroke: color(index), strokeWidth: 1.5, r: 5, symbol: symbol(index) }),
          ];
        }),
      ],
    }),
    summary: summary_of(data, series, measure),
    numbers: numbers_of(series, trivial, measure),
  });
}

const single_draws = (points, key) => points.flatMap(({ reject_cost, draws }) =>
  (draws?.[key] ?? []).filter(Number.isFinite).map((value) => ({ reject_cost, value })));

/** Where a published value lies among the draws, in words. */
function place_of(point, key) {
  const place = point?.place?.[key];
  if (!place) return "–";
  const off = place.in_sd == null ? "" : `${place.in_sd < 0 ? "" : "+"}${fixed(place.in_sd, 1)} sd, `;
  return `${off}${place.below} below, ${place.above} above`;
}

/**
 * The measured and published values with their spread. The trivial rules do not count: where they
 * are far away, the differences between the methods would vanish.
 */
function domain_of(series, key) {
  const values = series.flatMap(({ points }) => points.flatMap((point) =>
    [point[key], point.published?.[key]].flatMap((value) => [low(value), high(value)]))).filter(Number.isFinite);
  const top = Math.max(...values);
  const bottom = Math.min(...values);
  if (values.length === 0 || key === "rejection_rate") return [0, 1];
  if (key === "risk") {
    const room = 0.08 * (top - bottom) || 0.1 * top || 0.1;
    return [Math.max(0, bottom - room), top + room];
  }
  const floor = Math.floor(20 * bottom) / 20;
  return [Math.max(0, floor === 1 ? 0.95 : floor), Math.max(1, top)];
}

function summary_of(data, series, { key, title, format }) {
  const sentences = series.filter(({ points }) => points.length).map(({ label, points }) => {
    const first = points[0];
    const last = points[points.length - 1];
    return `${label} goes from ${format(first[key]?.mean)} at d = ${first.reject_cost} ` +
      `to ${format(last[key]?.mean)} at d = ${last.reject_cost}`;
  });
  return `${title} against the cost of a rejection, ${data.name}: ${sentences.join("; ")}.`;
}

function numbers_of(series, trivial, { key, format }) {
  const costs = [...new Set(series.flatMap(({ points }) => points.map((at) => at.reject_cost)))];
  costs.sort((a, b) => a - b);
  const any = (name) => series.map(({ points }) => points.some((point) => point[name]));
  const published = any("published");
  const placed = any("place");
  return {
    head: ["d",
      ...series.flatMap(({ label }, index) => [label,
        ...(published[index] ? [`${label}, published`] : []),
        ...(placed[index] ? ["its place among the draws"] : [])]),
      ...(trivial.length ? rules.map(({ label }) => label) : [])],
    rows: costs.map((cost) => {
      const rule = trivial.find((at) => at.reject_cost === cost);
      return [String(cost),
        ...series.flatMap(({ points }, index) => {
          const point = points.find((at) => at.reject_cost === cost);
          return [spread(point?.[key], format),
            ...(published[index] ? [spread(point?.published?.[key], format)] : []),
            ...(placed[index] ? [place_of(point, key)] : [])];
        }),
        ...(trivial.length ? rules.map(({ key: name }) => format(rule?.[name])) : [])];
    }),
  };
}
