// Who goes to a person: the rejected cases, why, and what stands out in them.

import { element } from "./dom.js";
import { count, number, percent, quoted, value_text } from "./format.js";

const reasons = {
  ambiguous: "both classes are possible",
  unfamiliar: "unlike the training cases",
  incomplete: "a value is missing",
  unseen: "a category never met",
  unreadable: "not readable",
};
const reason_text = (reason) => reasons[reason] ?? reason;

/** "cholesterol 564, far above the usual 250", "purpose ‘boat’, as in 2 % of these cases" */
export function stand_out_text({ column, value, usual, distance, share }) {
  if (share != null) return `${column} ${quoted(value)}, as in ${percent(share, share < 0.01 ? 1 : 0)} of these cases`;
  const size = Math.abs(distance) >= 3 ? "far " : Math.abs(distance) >= 2 ? "well " : "";
  return `${column} ${value_text(value)}, ${size}${distance < 0 ? "below" : "above"} the usual ${Math.abs(usual) >= 1000 ? count(Math.round(usual)) : number(usual, 3)}`;
}

export function worklist({ worklist: list, rho, metrics }) {
  const { total, rows } = list;
  if (!total) return [element("p", {}, "Nobody: the model answers all of these cases.")];
  const usual = list.usual_of === "training" ? "the middle of the training rows" : "the mean of these rows";
  return [
    element("p", {}, `${count(total)} of ${count(metrics?.rows ?? total)} cases` +
      (why_text(list) ? `, ${why_text(list)}` : "") + ". " +
      order_text(list)),
    element("div", { class: "scroll tall", role: "region", tabindex: 0, "aria-label": "Cases for a person" },
      element("table", { class: "stacked worklist" },
        element("thead", {}, element("tr", {}, [list.case ?? "row", "leans to", "way to an answer", "why a person", "what stands out", "truly"]
          .map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows.map((row) => element("tr", {},
          element("th", { scope: "row" }, row.case),
          cell("leans to", row.leans_to == null ? "neither" : row.leans_to),
          cell("way to an answer", row.reason !== "ambiguous" || row.score == null || !(rho > 0) ? "–" : percent(Math.min(1, Math.abs(row.score) / rho), 0)),
          cell("why", row.detail ? `${reason_text(row.reason)}: ${row.detail}` : reason_text(row.reason)),
          cell("stands out", row.stands_out?.length
            ? element("ul", {}, row.stands_out.map((of) => element("li", {}, stand_out_text(of)))) : "nothing"),
          cell("truly", row.truly ?? "–")))))),
    element("p", { class: "note" }, "The way to an answer is |f(x)| as a share of the band’s half width ρ. " +
      `What stands out is at least one standard deviation from the usual, ${usual}, or a category of at most a tenth of the cases.`),
  ];
}

const whys_of = ({ reasons: counts = {} } = {}) =>
  Object.entries(counts).filter(([, of]) => of > 0).sort((a, b) => b[1] - a[1]);

/** "because both classes are possible", or of several reasons "244 because …, 22 because …" */
function why_text(list) {
  const whys = whys_of(list);
  if (whys.length === 1) return `because ${because(whys[0][0])}`;
  return whys.map(([reason, of]) => `${count(of)} because ${because(reason)}`).join(", ");
}

/** Cases with a reason of their own come before those that are merely uncertain. */
function order_text({ total, rows, reasons: counts = {} }) {
  const own = Object.entries(counts).some(([reason, of]) => of > 0 && reason !== "ambiguous");
  const order = !own ? "the least certain first"
    : counts.ambiguous > 0 ? "first those with a reason of their own, then the least certain"
      : "by their reasons";
  return `${rows.length < total ? `${count(rows.length)} are listed` : "They are listed"}, ${order}.`;
}

/** Why they go to a person, for the verdict: the reason of more than half, else every reason with its count. */
export function main_reason(list) {
  const whys = whys_of(list);
  if (!whys.length) return null;
  const all = whys.reduce((sum, [, of]) => sum + of, 0);
  const [reason, of] = whys[0];
  if (2 * of <= all) return `here ${why_text(list)}`;
  return `${whys.length > 1 ? "most of them " : ""}because ${because(reason)}`;
}

const because = (reason) => ({
  ambiguous: "both classes are possible", unfamiliar: "they are unlike the training cases",
  incomplete: "a value is missing", unseen: "they have a category never met",
  unreadable: "they cannot be read" }[reason] ?? `of ${quoted(reason)}`);

/** On a narrow page each cell stands in a line of its own, with its name. */
const cell = (name, content) => element("td", { "data-name": name }, content);
