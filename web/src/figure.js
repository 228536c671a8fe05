// A chart with all that belongs to it: caption, legend, a sentence for those who cannot see it, and
// the numbers behind it.

import { element } from "./dom.js";
import { table } from "./table.js";

/**
 * draw(width): the chart as SVG, called again whenever the width changes.
 * summary: what the chart shows, in a sentence.
 * numbers: {head, rows, most} of the table behind it.
 * drawn(svg): called with each new drawing.
 */
export function figure({ title, text, legend, draw, summary, numbers, drawn }) {
  const place = element("div", { class: "drawing" });
  const made = element("figure", { class: "chart" },
    element("figcaption", {}, element("strong", {}, title), text ? ` ${text}` : null),
    legend,
    place,
    element("details", {},
      element("summary", {}, "Numbers", element("span", { class: "unseen" }, ` behind “${title}”`)),
      table({ label: title, ...numbers })));
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.floor(place.clientWidth);
    if (width === last || width === 0) return;
    last = width;
    const svg = draw(width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", summary);
    place.replaceChildren(svg);
    drawn?.(svg);
  }).observe(place);
  return made;
}
