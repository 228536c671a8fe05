// One model on one data set: the verdict, what another band would do, who goes to a person, what
// drives the answers, the answers in detail, and last how the model was trained.

import { curve_figure } from "./curve.js";
import { element } from "./dom.js";
import { drivers } from "./drivers.js";
import { count, fixed, interval, level, number, percent, short } from "./format.js";
import { histogram } from "./histogram.js";
import { plane } from "./plane.js";
import { review } from "./review.js";
import { rounds } from "./rounds.js";
import { table } from "./table.js";
import { verdict } from "./verdict.js";
import { worklist } from "./worklist.js";
import { zones } from "./zones.js";

/** part(title, …children): a section with a heading of the right rank. */
export function model(data, part) {
  const { metrics, classes } = data;
  const made = [];
  if (metrics?.table) made.push(verdict(data));
  if (data.text) made.push(element("p", { class: "note" }, data.text, metrics ? ` ${fine_print}` : null));
  if (metrics && data.curve?.length) {
    const curve = curve_figure(data);
    made.push(part("How much should a person review?", metrics.table ? review(data, curve.show) : null, curve.figure));
  }
  if (data.worklist) made.push(part("Who goes to a person", worklist(data)));
  if (data.importance?.columns?.length || data.weights?.length) made.push(part("What drives the answers", drivers(data)));
  const details = [
    metrics ? key_figures(data) : null,
    metrics?.table ? answers(metrics.table, classes) : null,
    data.histogram?.negative?.length ? histogram(data) : null,
    data.plane ? plane(data.plane, classes) : null,
  ].filter(Boolean);
  if (details.length) made.push(part("The answers in detail", details));
  const training = trained(data);
  if (training.length) {
    made.push(element("details", { class: "more" },
      element("summary", {}, "How the model was trained"), training));
  }
  return made;
}

const fine_print = "The figures hold for other cases only if these had no part in training or choosing the model, " +
  "and do not depend on each other. Intervals take the band as fixed beforehand.";

function trained(data) {
  const charts = [data.zones?.length ? zones(data) : null, data.rounds?.length ? rounds(data.rounds) : null].filter(Boolean);
  return [
    data.facts?.length ? facts(data.facts) : null,
    charts.length ? element("div", { class: "pair" }, charts) : null,
    outliers(data),
  ].filter(Boolean);
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
        names.map((name, k) => element("th", { scope: "col" }, k === 1 ? "to a person" : `answered ${name}`)))),
      element("tbody", {}, counts.map((row, k) => {
        const total = row.reduce((sum, value) => sum + value, 0);
        return element("tr", {}, element("th", { scope: "row" }, `truly ${names[2 * k]}`),
          row.map((value, column) => element("td", { class: kinds[k][column] }, count(value),
            element("small", {}, `${total ? percent(value / total) : "–"} ${kinds[k][column] === "none" ? "" : kinds[k][column]}`))));
      }))));
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
