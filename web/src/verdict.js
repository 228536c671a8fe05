// The verdict: of 1000 cases like these, how many are answered, how many of these wrongly, how many
// go to a person, and what that costs.

import { element } from "./dom.js";
import { about, count, level, number, quoted } from "./format.js";
import { main_reason } from "./worklist.js";

const cases = 1000;

/** Expected counts of 1000 cases; those of wrong answers with their interval. */
export function of_thousand({ metrics, confidence }) {
  const [negative, positive] = metrics.table;
  const answered = cases * metrics.coverage;
  const among = metrics.accuracy_interval;
  return {
    answered,
    wrong: metrics.rows ? cases * (negative[2] + positive[0]) / metrics.rows : 0,
    low: among ? answered * (1 - among[1]) : 0,
    high: among ? answered * (1 - among[0]) : 0,
    person: cases * metrics.rejection_rate,
    confidence: confidence ?? 0.95,
  };
}

/** The three sentences of the verdict, as pieces: numbers are in strong type. */
export function verdict_text(model) {
  const { answered, wrong, low, high, person, confidence } = of_thousand(model);
  const strong = (text) => element("strong", {}, text);
  const start = `Of ${cases} cases like these, the model answers `;
  const why = main_reason(model.worklist);
  const end = why ? `, ${why}.` : ".";
  if (answered === 0) return [start, strong("none"), `. All go to a person${end}`];
  return [start, strong(person === 0 ? "all" : about(answered)), ". About ", strong(about(wrong)),
    about(wrong) === "1" ? " of these answers is wrong" : " of these answers are wrong",
    ` (${level(confidence)} interval: ${about(low)} to ${about(high)}). `,
    ...(person === 0 ? ["None goes to a person."]
      : [strong(about(person)), about(person) === "1" ? " case goes to a person" : " cases go to a person", end])];
}

/** What each class meets with, as counts of these rows: a rare class may fare badly in good totals. */
export function class_texts({ metrics: { table, rows }, classes }) {
  return classes.map((name, k) => {
    const column = 2 * k;
    const own = table[k];
    const given = table[0][column] + table[1][column];
    const false_ones = table[1 - k][column];
    const total = own[0] + own[1] + own[2];
    const passed = own[2 - column];
    const other = quoted(classes[1 - k]);
    return `Answers ${quoted(name)} in ${count(given)} of ${count(rows)} cases` +
      (given ? `, ${count(false_ones)} of them wrongly` : "") +
      (total ? `. Of ${count(total)} cases that are truly ${quoted(name)}, ${count(own[column])} get this answer, ` +
        `${count(passed)} pass as ${other} and ${count(own[1])} go to a person.`
        : `. No case is truly ${quoted(name)}.`);
  });
}

export function verdict(model) {
  return element("section", { class: "verdict", "aria-label": "Verdict" },
    element("div", { class: "opening" },
      element("div", {}, element("p", { class: "headline" }, verdict_text(model)), thousand_bar(model)),
      model.metrics.trivial ? costs(model) : null),
    model.warning ? element("p", { class: "warning" }, model.warning) : null,
    element("ul", { class: "classes" }, class_texts(model).map((text) => element("li", {}, text))));
}

/** A bar of 1000 cases: right, wrong, to a person. */
function thousand_bar(model) {
  const { answered, wrong, person } = of_thousand(model);
  const parts = [["right", "answered rightly", answered - wrong], ["wrong", "answered wrongly", wrong],
    ["person", "to a person", person]];
  const bar = element("div", { class: "thousand", "aria-hidden": "true" }, parts.map(([kind, , value]) => {
    const part = element("span", { class: kind });
    part.style.setProperty("flex-grow", value);
    return part;
  }));
  return [bar, element("ul", { class: "shares" }, parts.map(([kind, name, value]) =>
    element("li", {}, element("span", { class: `sample ${kind}`, "aria-hidden": "true" }),
      element("strong", {}, about(value)), ` ${name}`)))];
}

function costs({ metrics: { risk, trivial }, reject_cost: d }) {
  const rules = [
    ["with this model", risk],
    ["answering every case", trivial.never_reject],
    ["giving every case to a person", trivial.reject_all],
    [`always answering ${quoted(trivial.majority_label ?? "the same")}`, trivial.majority],
  ].filter(([, cost]) => cost != null);
  const most = Math.max(...rules.map(([, cost]) => cost)) || 1;
  const [best, cheapest] = rules.slice(1).reduce((a, b) => (b[1] < a[1] ? b : a));
  const saved = cases * (cheapest - risk);
  const end = saved > 0
    ? `The model saves ${about(saved)} against the best of the other rules, ${best}.`
    : saved === 0 ? `${capital(best)} costs the same.` : `${capital(best)} is cheaper on these cases.`;
  return element("div", { class: "costs" },
    element("p", { class: "caption" }, element("strong", {}, `What ${cases} cases cost`),
      d == null ? "" : `, where a wrong answer costs 1 and a case for a person ${number(d)}`),
    element("dl", {}, rules.map(([name, cost], k) => {
      const bar = element("span", { class: k === 0 ? "bar own-cost" : "bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", cost / most);
      return element("div", {}, element("dt", {}, name), element("dd", {}, bar, element("span", {}, about(cases * cost))));
    })),
    element("p", { class: saved > 0 ? "note" : "note warning" }, end));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
