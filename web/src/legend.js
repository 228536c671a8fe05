// Legends whose samples are drawn by the marks of the charts themselves.

import { areaY, dot, line, rect } from "@observablehq/plot";
import { element } from "./dom.js";
import { draw } from "./draw.js";

const width = 30;
const height = 16;

function sample(...marks) {
  const svg = draw({
    width, height, margin: 0, marginBottom: 0, axis: null,
    x: { domain: [0, 1] }, y: { domain: [0, 1] }, marks,
  });
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

const across = [[0, 0.5], [1, 0.5]];
const middle = [[0.5, 0.5]];

export const line_sample = (options) => line(across, { strokeWidth: 2, ...options });
export const dot_sample = (options) => dot(middle, { r: 4.5, ...options });
export const band_sample = (options) => areaY([0, 1], { x: [0, 1], y1: 0.1, y2: 0.9, ...options });
export const area_sample = (options) =>
  rect([0], { x1: 0, x2: 1, y1: 0, y2: 1, inset: 0.5, stroke: "var(--edge)", ...options });

/** entries: [text, mark, …] each */
export function legend(entries) {
  return element("ul", { class: "legend" }, entries.map(([text, ...marks]) =>
    element("li", {}, sample(...marks), element("span", {}, text))));
}
