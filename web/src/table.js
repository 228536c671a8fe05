// Tables that scroll inside their own box, and say so when they do not show everything.

import { element } from "./dom.js";

/**
 * head: column names; rows: cells as texts, the first being the row's name.
 * stacked: on a narrow page each cell stands in a line of its own, with the name of its column.
 * A table of more than `most` rows shows evenly spaced ones, always with the last.
 */
export function table({ label, head, rows, most = 60, stacked = false }) {
  const shown = thin(rows, most);
  const body = shown.map((row) =>
    element("tr", {}, row.map((cell, column) =>
      column === 0 ? element("th", { scope: "row" }, cell) : element("td", { "data-name": head[column] }, cell))));
  const box = element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": label },
    element("table", { class: stacked ? "stacked" : null },
      element("thead", {}, element("tr", {}, head.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, body)));
  if (shown.length === rows.length) return [box];
  return [box, element("p", { class: "note" },
    `${shown.length} of ${rows.length} rows, evenly spaced.`)];
}

export function thin(rows, most) {
  if (rows.length <= most) return rows;
  const step = (rows.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, k) => rows[Math.round(k * step)]);
}
