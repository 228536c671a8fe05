// Rows in a plane: over two features with the regions of the answers, otherwise projected, without.

import { contour, dot, line, rect, text } from "@observablehq/plot";
import { color, dash, draw } from "./draw.js";
import { figure } from "./figure.js";
import { number, percent, short } from "./format.js";
import { area_sample, dot_sample, legend, line_sample } from "./legend.js";

const negative = "var(--negative)";
const positive = "var(--positive)";
const fills = ["var(--negative-region)", "url(#hatch)", "var(--positive-region)"];
const edge = { stroke: "currentColor", strokeWidth: 1.4 };
const surface = { stroke: "currentColor", strokeWidth: 1.4, strokeDasharray: "5 4" };

const sides = [-1, 1];
const answers = [-1, 0, 1];
const colors = { "-1": negative, 0: "var(--muted)", 1: positive };

/** The shape is the true class. On a plane with regions, which show the answers, the colour is too. */
const mark = (sign, support) => ({
  symbol: sign < 0 ? "circle" : "triangle",
  stroke: colors[sign],
  strokeWidth: 1.3,
  fill: support ? colors[sign] : "none",
});

/** Without regions the colour is the answer that the case got, and wrong answers are filled. */
const answered_mark = (sign, answer) => ({
  symbol: sign < 0 ? "circle" : "triangle",
  stroke: colors[answer],
  strokeWidth: 1.3,
  fill: answer === -sign ? colors[answer] : "none",
});

export function plane(data, classes = ["−1", "+1"]) {
  return data.values ? with_regions(data, classes) : projected(data, classes);
}

const class_name = (classes, sign) => classes[sign < 0 ? 0 : 1];

function with_regions(data, classes) {
  const points = data.points ?? [];
  const lines = data.lines ?? [];
  const regions = regions_of(data);
  const kinds = sides.flatMap((sign) => [0, 1].map((support) => ({ style: mark(sign, support),
    label: `${class_name(classes, sign)}${support ? ", support vector" : ""}`,
    points: points.filter(([, , own, is]) => own === sign && Boolean(is) === Boolean(support)) })));
  const shares = regions.map(({ share }) => percent(share, 0));
  return figure({
    title: data.name,
    text: data.text,
    legend: legend([
      [`answer ${classes[0]}`, area_sample({ fill: fills[0] })],
      ["reject", area_sample({ fill: fills[1] })],
      [`answer ${classes[1]}`, area_sample({ fill: fills[2] })],
      [data.rho > 0 ? `f = ±ρ, ρ = ${number(data.rho)}` : "f = 0", line_sample(edge)],
      ...(data.rho > 0 ? [["f = 0", line_sample(surface)]] : []),
      ...lines.map(({ label }, index) => [label, line_sample(extra(index))]),
      ...legend_of(kinds),
    ]),
    draw: (width) => drawing(data, kinds, Math.min(width, 720), (marks_of_points) => [
      ...regions_marks(data, lines), ...marks_of_points,
      text(regions.filter((region) => region.depth > 2), {
        x: "x", y: "y", text: (region) => region_name(region.zone, classes),
        fill: "currentColor", stroke: "var(--paper)", strokeWidth: 4, fontSize: 13, fontWeight: 600,
      }),
    ]),
    summary: `Decision regions, ${data.name}: on ${shares[0]} of the area the answer is ` +
      `${classes[0]}, on ${shares[1]} none, on ${shares[2]} ${classes[1]}. ${points.length} points, ` +
      `${points.filter((point) => point[3]).length} of them support vectors.`,
    numbers: {
      head: ["class", data.x, data.y, "support vector"],
      rows: points.map(([x, y, sign, support]) =>
        [class_name(classes, sign), number(x), number(y), support ? "yes" : "no"]),
      most: 200,
    },
  });
}

function projected(data, classes) {
  const points = data.points ?? [];
  const told = (answer) => (answer === 0 ? "to a person" : `answered ${class_name(classes, answer)}`);
  const kinds = sides.flatMap((sign) => answers.map((answer) => ({ style: answered_mark(sign, answer),
    label: `truly ${class_name(classes, sign)}, ${told(answer)}${answer === -sign ? " (wrong)" : ""}`,
    points: points.filter((point) => point[2] === sign && point[4] === answer) })));
  return figure({
    title: data.name,
    text: data.text,
    legend: legend(legend_of(kinds)),
    draw: (width) => drawing(data, kinds, Math.min(width, 720), (marks_of_points) => marks_of_points),
    summary: `${data.name}, ${points.length} cases by the answer they got: ${kinds.filter((kind) => kind.points.length)
      .map((kind) => `${kind.points.length} ${kind.label}`).join("; ")}.`,
    numbers: {
      head: ["truly", "answer", data.x, data.y],
      rows: points.map(([x, y, sign, , answer]) => [class_name(classes, sign),
        answer === 0 ? "to a person" : class_name(classes, answer), number(x), number(y)]),
      most: 200,
    },
  });
}

const legend_of = (kinds) => kinds.filter((kind) => kind.points.length).map(({ label, style }) => [label, dot_sample(style)]);

const extra = (index) => ({ stroke: color(index + 2), strokeWidth: 2, strokeDasharray: dash(index + 2) });

/** marks(marks of the points): all marks, in the order of drawing. */
function drawing(data, kinds, width, marks) {
  const [x0, x1, y0, y1] = data.box;
  const shape = (y1 - y0) / (x1 - x0);  // kept where that is bearable
  const inner = width - 60;
  const height = Math.round(inner * (shape >= 0.5 && shape <= 1.3 ? shape : 0.75)) + 66;
  const many = kinds.reduce((sum, kind) => sum + kind.points.length, 0) > 600;
  return draw({
    width, height, marginLeft: 46, marginRight: 14, marginTop: 24, marginBottom: 42,
    x: { domain: [x0, x1], label: short(data.x, 40), ticks: Math.max(3, width / 80) },
    y: { domain: [y0, y1], label: short(data.y, 40), ticks: Math.max(3, height / 60) },
    marks: marks(kinds.map(({ style, points }) => dot(points, { ...style, r: many ? 2 : 3.2, clip: true }))),
  });
}

function regions_marks(data, lines) {
  const [x0, x1, y0, y1] = data.box;
  // Plot takes a grid's values at the middles of its cells, here they are at the nodes: the cells
  // of the outermost nodes reach half a step beyond the box, and are cut there.
  const step_x = (x1 - x0) / (data.columns - 1);
  const step_y = (y1 - y0) / (data.rows - 1);
  const grid = {
    width: data.columns, height: data.rows,
    x1: x0 - step_x / 2, x2: x1 + step_x / 2, y1: y0 - step_y / 2, y2: y1 + step_y / 2,
    clip: true,
  };
  const level = (at, options) => contour(data.values, { ...grid, thresholds: [at], ...options });
  const rho = Math.max(0, data.rho);
  return [
    rect([0], { x1: x0, x2: x1, y1: y0, y2: y1, fill: fills[0] }),
    ...(rho > 0 ? [level(-rho, { fill: fills[1] })] : []),
    level(rho, { fill: fills[2] }),
    ...lines.map(({ points }, index) => line(points, { ...extra(index), clip: true })),
    ...(rho > 0 ? [level(-rho, { fill: "none", ...edge }), level(0, { fill: "none", ...surface })] : []),
    level(rho, { fill: "none", ...edge }),
  ];
}

const region_name = (zone, classes) => (zone === 1 ? "reject" : `answer ${short(classes[zone / 2], 12)}`);

/**
 * The three regions: their share of the grid, and the node that is farthest from their edges, which
 * is where the name goes. Farthest in steps of the grid, by the usual two sweeps; among equals the
 * one nearest to the region's middle.
 */
function regions_of({ box: [x0, x1, y0, y1], columns, rows, values, rho }) {
  const zone = values.map((f) => (f > rho ? 2 : f < -rho ? 0 : 1));
  const depth = zone.map(() => Infinity);
  const sweep = (order, before) => {
    for (const k of order) {
      const column = k % columns;
      const row = (k - column) / columns;
      for (const [across, up] of before) {
        const inside = column + across >= 0 && column + across < columns && row + up >= 0 && row + up < rows;
        const other = k + across + up * columns;
        const far = inside && zone[other] === zone[k] ? depth[other] + 1 : 1;
        depth[k] = Math.min(depth[k], far);
      }
    }
  };
  const order = zone.map((_, k) => k);
  sweep(order, [[-1, 0], [0, -1], [-1, -1], [1, -1]]);
  sweep(order.reverse(), [[1, 0], [0, 1], [1, 1], [-1, 1]]);
  return [0, 1, 2].map((own) => {
    const nodes = order.filter((k) => zone[k] === own);
    const place = (k) => [k % columns, Math.floor(k / columns)];
    const middle = [0, 1].map((axis) => nodes.reduce((sum, k) => sum + place(k)[axis], 0) / nodes.length);
    const off = (k) => Math.hypot(place(k)[0] - middle[0], place(k)[1] - middle[1]);
    const best = nodes.reduce((a, b) =>
      (depth[b] > depth[a] || (depth[b] === depth[a] && off(b) < off(a)) ? b : a), nodes[0] ?? 0);
    const [column, row] = place(best);
    return {
      zone: own,
      share: nodes.length / zone.length,
      depth: nodes.length ? depth[best] : 0,
      x: x0 + (x1 - x0) * column / (columns - 1),
      y: y0 + (y1 - y0) * row / (rows - 1),
    };
  });
}
