// One model on one data set: what it is, how well it does, and what another band would do.

import { curve_figure } from "./curve.js";
import { element } from "./dom.js";
import { count, fixed, interval, level, number, percent, short } from "./format.js";
import { histogram } from "./histogram.js";
import { plane } from "./plane.js";
import { review } from "./review.js";
import { rounds } from "./rounds.js";
import { table } from "./table.js";
import { zones } from "./zones.js";

const part = (title, ...children) =>
  element("section", {}, element("h3", {}, title), ...children);

export function model(data) {
  const { metrics, classes } = data;
  const made = [data.text ? element("p", {}, data.text) : null];
  if (metrics) {
    made.push(key_figures(data));
    made.push(element("p", { class: "note" }, "All figures are of these rows. They hold for others only if these had no part in " +
      "training or choosing the model, and do not depend on each other; intervals take the band as fixed beforehand."));
    made.push(element("div", { class: "pair" },
      metrics.table ? part("Answers", answers(metrics.table, classes)) : null,
      metrics.trivial ? part("Beside simpler rules", simpler_rules(metrics, classes)) : null));
  }
  if (data.facts?.length) made.push(part("The model", facts(data.facts)));
  if (metrics && data.curve?.length) {
    const curve = curve_figure(data);
    made.push(part("How much should a person review?",
      metrics.table ? review(data, curve.show) : null, curve.figure));
  }
  if (data.histogram?.negative?.length) made.push(part("Scores", histogram(data)));
  if (data.plane) made.push(part("Decision regions", plane(data.plane, classes)));
  const training = [];
  if (data.zones?.length) training.push(zones(data));
  if (data.rounds?.length) training.push(rounds(data.rounds));
  if (training.length || data.outliers_total) {
    made.push(part("Rows and rounds", element("div", { class: "pair" }, training), outliers(data)));
  }
  return made;
}

function key_figures({ metrics, classes, confidence, reject_cost: d }) {
  const range = (pair) => (pair ? `${level(confidence ?? 0.95)} interval ${interval(pair)}` : null);
  const card = (name, value, ...notes) => element("div", { class: "card" },
    element("dt", {}, name), element("dd", { class: "value" }, value),
    notes.filter(Boolean).map((note) => element("dd", { class: "note" }, note)));
  const by_class = (metrics.class_rejection ?? []).map((rate, k) => `${classes[k]}: ${percent(rate)}`);
  return element("dl", { class: "cards" },
    card("Risk", fixed(metrics.risk, 4),
      d == null ? "mean cost per case" : `mean cost per case, a rejection costs ${d}`),
    card("Rejected", percent(metrics.rejection_rate), range(metrics.rejection_interval),
      by_class.length ? `of ${by_class.join(", of ")}` : null),
    card("Right when answering", metrics.accepted_accuracy == null ? "no answers"
      : percent(metrics.accepted_accuracy), range(metrics.accuracy_interval)),
    card("Cases", count(metrics.rows), `${percent(metrics.coverage)} answered`),
    metrics.aurc == null ? null : card("AURC", fixed(metrics.aurc, 4), "the error rate, averaged over all shares answered",
      metrics.excess_aurc == null ? null : `${fixed(metrics.excess_aurc, 4)} above the best order`));
}

function answers(counts, classes) {
  const names = [short(classes[0], 40), "reject", short(classes[1], 40)];
  const kinds = [["right", "none", "wrong"], ["wrong", "none", "right"]];
  return element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "Answers by true class" },
    element("table", { class: "answers" },
      element("thead", {}, element("tr", {}, element("td", {}),
        names.map((name, k) => element("th", { scope: "col" }, k === 1 ? name : `answered ${name}`)))),
      element("tbody", {}, counts.map((row, k) => {
        const total = row.reduce((sum, value) => sum + value, 0);
        return element("tr", {}, element("th", { scope: "row" }, `truly ${names[2 * k]}`),
          row.map((value, column) => element("td", { class: kinds[k][column] }, count(value),
            element("small", {}, `${total ? percent(value / total) : "–"} ${kinds[k][column] === "none" ? "" : kinds[k][column]}`))));
      }))));
}

function simpler_rules({ risk, trivial }) {
  const rules = [
    ["this model", risk],
    ["always reject", trivial.reject_all],
    ["never reject", trivial.never_reject],
    [`always answer ${trivial.majority_label ?? "the same"}`, trivial.majority],
  ].filter(([, cost]) => cost != null);
  const cheapest = Math.min(...rules.slice(1).map(([, cost]) => cost));
  return [
    ...table({ label: "Risk of simpler rules", head: ["rule", "risk"],
      rows: rules.map(([name, cost]) => [name, fixed(cost, 4)]) }),
    element("p", { class: "note" }, cheapest < risk
      ? "One of them is cheaper than this model on these cases."
      : `The cheapest of them costs ${fixed(cheapest, 4)}.`),
  ];
}

const facts = (pairs) => element("dl", { class: "facts" }, pairs.map(([name, value]) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, value))));

function outliers({ outliers: rows = [], outliers_total: total }) {
  if (!total) return null;
  return element("details", { class: "outliers" },
    element("summary", {}, `Ignored outliers (${count(total)})`),
    element("p", { class: "note" }, "Rows far on the wrong side. If they were trained on, training paid their full cost and did not follow them. " +
      "Their labels are worth a second look." +
      (rows.length < total ? ` The list has ${count(rows.length)} of them.` : "")),
    table({ label: "Ignored outliers", head: ["row", "label", "score f(x)"], most: 500,
      rows: rows.map(({ row, label, score }) => [String(row), label, number(score)]) }));
}
