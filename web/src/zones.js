// Where the rows lie on the loss: one class to the left of the line, the other to the right.

import { barX, ruleX, text } from "@observablehq/plot";
import { draw } from "./draw.js";
import { figure } from "./figure.js";
import { count, short } from "./format.js";
import { area_sample, legend } from "./legend.js";

export function zones({ zones: data, classes }) {
  const most = Math.max(1, ...data.flatMap(({ negative, positive }) => [negative, positive]));
  return figure({
    title: "Zones",
    text: "These rows by their margin t = y f(x), on the double ramp: safe beyond ρ + μ; margin on the first ramp, around ρ; " +
      "plateau between the ramps; near miss on the second ramp, around −ρ; ignored outlier below −ρ − μ². " +
      "The ramps reach into the band, so these are not the counts of answers and rejections.",
    legend: legend([
      [`${classes[0]} (left)`, area_sample({ fill: "var(--negative)" })],
      [`${classes[1]} (right)`, area_sample({ fill: "var(--positive)" })],
    ]),
    draw: (width) => draw({
      width, height: 40 * data.length + 40, marginLeft: 102, marginRight: 8, marginTop: 20, marginBottom: 8,
      x: { domain: [-1.3 * most, 1.3 * most], axis: null },
      y: { domain: data.map(({ zone }) => zone), label: null, tickSize: 0, padding: 0.3,
        tickFormat: (zone) => short(zone, 16) },
      marks: [
        barX(data, { y: "zone", x1: (zone) => -zone.negative, x2: 0, fill: "var(--negative)" }),
        barX(data, { y: "zone", x1: 0, x2: "positive", fill: "var(--positive)" }),
        ruleX([0]),
        text(data, { y: "zone", x: (zone) => -zone.negative, text: (zone) => count(zone.negative),
          textAnchor: "end", dx: -5 }),
        text(data, { y: "zone", x: "positive", text: (zone) => count(zone.positive),
          textAnchor: "start", dx: 5 }),
      ],
    }),
    summary: `Rows in each zone: ${data.map(({ zone, negative, positive }) =>
      `${zone} ${negative} ${classes[0]} and ${positive} ${classes[1]}`).join("; ")}.`,
    numbers: {
      head: ["zone", classes[0], classes[1]],
      rows: data.map((zone) => [zone.zone, count(zone.negative), count(zone.positive)]),
    },
  });
}
