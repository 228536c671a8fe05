// What drives the answers: what shuffling a column does, and the weights of a linear model.

import { barX, ruleX, ruleY } from "@observablehq/plot";
import { element } from "./dom.js";
import { draw } from "./draw.js";
import { figure } from "./figure.js";
import { about, count, number, short } from "./format.js";
import { legend, area_sample } from "./legend.js";

const most_bars = 12;
const cases = 1000;
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${about(Math.abs(value))}`;

export function drivers({ importance, weights, classes }) {
  const made = [];
  if (importance?.columns?.length) {
    const { rows, repeats, columns, columns_total: total } = importance;
    made.push(element("p", {}, `The values of one column were dealt anew among ${count(rows)} of these cases, ${repeats} times. ` +
      "The more the cost rises, the more the answers depend on the column. Columns that tell the same stand in for each other." +
      (columns.length < total ? ` Of ${count(total)} columns, the ${count(columns.length)} that vary most were tried.` : "")));
    made.push(element("div", { class: "pair" },
      shuffled(columns, "risk", "Cost without a column", "cost of 1000 cases, change"),
      shuffled([...columns].sort((a, b) => Math.abs(b.rejection_rate.mean) - Math.abs(a.rejection_rate.mean)), "rejection_rate",
        "Cases for a person without a column", "cases of 1000 for a person, change")));
  }
  if (weights?.length) made.push(weight_figure(weights, classes));
  return made;
}

/** Names of columns to the left, as wide as they need to be. */
const bars = (names, width) => {
  const letters = Math.max(...names.map((name) => [...name].length));
  const room = Math.min(letters, Math.floor(0.38 * width / 7));
  return {
    width, height: 26 * names.length + 56, marginLeft: 14 + 7 * room, marginRight: 16, marginTop: 8,
    y: { domain: names.map((_, k) => k), label: null, tickSize: 0, padding: 0.25, tickFormat: (k) => short(names[k], room) },
  };
};

function shuffled(columns, key, title, axis) {
  const shown = columns.slice(0, most_bars).map((column, k) => ({ ...column, k, ...change(column[key]) }));
  const names = shown.map(({ column }) => column);
  return figure({
    title,
    text: columns.length > shown.length ? `The ${shown.length} columns that matter most; the table has all.` : null,
    draw: (width) => draw({
      ...bars(names, width),
      x: { label: axis, grid: true, nice: true, ticks: Math.max(3, width / 100) },
      marks: [
        barX(shown, { y: "k", x: "mean", fill: key === "risk" ? "var(--series-0)" : "var(--series-3)" }),
        ruleY(shown, { y: "k", x1: "low", x2: "high", stroke: "currentColor" }),
        ruleX([0]),
      ],
    }),
    summary: `${title}: ${shown.slice(0, 5).map(({ column, mean }) => `${column} ${signed(mean)}`).join(", ")} for ${cases} cases.`,
    numbers: {
      head: ["column", `${axis}`, "± standard deviation"],
      rows: columns.map((column) => [column.column, signed(cases * column[key].mean), about(cases * column[key].sd)]),
      most: 200,
    },
  });
}

const change = ({ mean, sd }) => ({ mean: cases * mean, low: cases * (mean - sd), high: cases * (mean + sd) });

function weight_figure(weights, classes) {
  const shown = weights.slice(0, most_bars).map((of, k) => ({ ...of, k }));
  return figure({
    title: "Weights",
    text: `f(x) is the sum of the scaled features times these, plus b. A high value speaks for ${classes[1]} where the weight is positive, ` +
      `for ${classes[0]} where it is negative.` + (weights.length > shown.length ? ` The ${shown.length} largest; the table has more.` : ""),
    legend: legend([
      [`for ${classes[1]}`, area_sample({ fill: "var(--positive)" })],
      [`for ${classes[0]}`, area_sample({ fill: "var(--negative)" })],
    ]),
    draw: (width) => draw({
      ...bars(shown.map(({ column }) => column), Math.min(width, 720)),
      x: { label: "weight", grid: true, nice: true, ticks: Math.max(3, Math.min(width, 720) / 100) },
      marks: [
        barX(shown, { y: "k", x: "weight", fill: ({ weight }) => (weight < 0 ? "var(--negative)" : "var(--positive)") }),
        ruleX([0]),
      ],
    }),
    summary: `The largest weights: ${shown.slice(0, 5).map(({ column, weight }) => `${column} ${number(weight)}`).join(", ")}.`,
    numbers: { head: ["column", "weight"], rows: weights.map(({ column, weight }) => [column, number(weight)]), most: 200 },
  });
}
