// Data for test pages, as JSON on standard output: every section, with what may go wrong in each.
//
//   node sample.mjs rich|hostile|one|several|bare

const hostile = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)>";
const long = "a-name-that-somebody-has-made-up-without-a-single-space-".repeat(4);

/** The same numbers in every run (mulberry32). */
function random_numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const uniform = random_numbers(2015);
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());

const costs = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];

function series(loss, label, scale, published) {
  const points = costs.map((d) => {
    const rejected = Math.max(0, 0.55 - 1.1 * d) * scale + 0.01;
    const accuracy = 1 - 0.16 * d * scale;
    const value = (mean, sd) => ({ mean, sd });
    const point = {
      reject_cost: d,
      risk: value(d * rejected + (1 - rejected) * (1 - accuracy), 0.004 * scale),
      rejection_rate: value(rejected, 0.03),
      accepted_accuracy: value(accuracy, 0.01),
    };
    if (published) {
      point.published = {
        risk: value(point.risk.mean * 1.15 + 0.004, 0.003),
        rejection_rate: value(Math.min(1, rejected * 0.9 + 0.02), d < 0.3 ? 0.02 : null),
        accepted_accuracy: d === 0.05 ? null : value(accuracy - 0.01, null),
      };
    }
    return point;
  });
  return { loss, label, points };
}

/** The same over draws: every one a number, and the published value's place among them. */
function drawn(name) {
  const data = { ...comparison(name), draws: 4, text: "Four draws of 300 rows." };
  for (const { points } of data.series) {
    for (const point of points.filter(({ published }) => published)) {
      const keys = ["risk", "rejection_rate", "accepted_accuracy"];
      const each = (make) => Object.fromEntries(keys.map((key) => [key, make(point[key], point.published[key])]));
      point.draws = each(({ mean, sd }) => [mean - sd, mean, mean + sd, null]);
      point.place = each(({ mean, sd }, published) => published &&
        { in_sd: published.sd == null ? null : (published.mean - mean) / sd, below: 1, above: 2 });
    }
  }
  return data;
}

function comparison(name) {
  return {
    name,
    source: "Table 4 of the paper",
    text: "Ten-fold cross-validation, repeated ten times, with C and gamma chosen on the training folds.",
    series: [
      series("double-ramp", "double ramp", 1, true),
      series("double-hinge", "double hinge", 1.5, true),
      series("generalized-hinge", "generalized hinge", 1.8, false),
    ],
    trivial: costs.map((d) => ({ reject_cost: d, reject_all: d, never_reject: 0.09, majority: 0.64 })),
  };
}

/** The smallest cost is so low that nothing is answered: no accuracy, no spread. */
function all_rejected() {
  const data = comparison("Nothing answered");
  delete data.source;
  data.series = data.series.slice(0, 1);
  data.series[0].points = data.series[0].points.slice(0, 3);
  for (const point of data.series[0].points.slice(0, 2)) {
    point.accepted_accuracy = null;
    point.rejection_rate = { mean: 1, sd: 0 };
    point.risk = { mean: point.reject_cost, sd: 0 };
  }
  data.trivial = data.trivial.slice(0, 3);
  return data;
}

function losses(rho, same_places) {
  const ramp = (s) => Math.max(0, 1 - s) - Math.max(0, -1 - s);
  const curves = [
    ["double ramp", (t) => 0.2 * ramp(t - rho) + 0.8 * ramp(t + rho)],
    ["double hinge", (t) => Math.max(0, -t * 0.8 + 0.72, -t * 0.2 + 0.72)],
    ["generalized hinge", (t) => (t < 0 ? 1 - 4 * t : Math.max(0, 1 - t))],
    ["0-d-1", (t) => (t < -rho ? 1 : t <= rho ? 0.2 : 0)],
  ];
  return {
    name: `Losses, rho = ${rho}`,
    text: "Cost of a rejection d = 0.2. The double ramp stays bounded.",
    x: "t = y f(x)",
    y: "loss",
    curves: curves.map(([label, loss], index) => {
      const count = same_places ? 241 : 100 + index;
      return { label, points: Array.from({ length: count }, (_, k) => {
        const t = -3 + 6 * k / (count - 1);
        return [t, loss(t)];
      }) };
    }),
  };
}

function plane(name, f, { box = [-1, 1, -1, 1], columns = 81, rows = 61, rho = 0.7, points = 240, ...more } = {}) {
  const [x0, x1, y0, y1] = box;
  const values = [];
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      values.push(f(x0 + (x1 - x0) * column / (columns - 1), y0 + (y1 - y0) * row / (rows - 1)));
    }
  }
  return {
    name,
    text: "Learnt from 240 rows, of which one in ten has the wrong label.",
    x: "x1", y: "x2", projected: false, box, columns, rows, values, rho,
    points: Array.from({ length: points }, () => {
      const x = x0 + (x1 - x0) * uniform();
      const y = y0 + (y1 - y0) * uniform();
      const score = f(x, y);
      return [x, y, (score > 0) !== (uniform() < 0.1) ? 1 : -1, Math.abs(Math.abs(score) - rho) < 0.35 ? 1 : 0,
        score > rho ? 1 : score < -rho ? -1 : 0];
    }),
    ...more,
  };
}

/** A model on `rows` cases whose scores and errors are made up, but fit together. */
function model({ name, classes, rows = 400, rho = 0.7, d = 0.2, columns = ["age", "income", "years at the bank", "loans"], ...more }) {
  const cases = Array.from({ length: rows }, () => {
    const y = uniform() < 0.45 ? -1 : 1;
    return { y, f: y * 1.1 + 0.9 * normal() };
  });
  const answer = ({ f }) => (f > rho ? 2 : f < -rho ? 0 : 1);
  const table = [-1, 1].map((own) => [0, 1, 2].map((column) =>
    cases.filter((at) => at.y === own && answer(at) === column).length));
  const rejected = table[0][1] + table[1][1];
  const answered = rows - rejected;
  const wrong = table[0][2] + table[1][0];
  const order = [...cases].sort((a, b) => Math.abs(b.f) - Math.abs(a.f));
  let errors = 0;
  const curve = order.map((at, k) => {
    if (Math.sign(at.f) !== at.y) ++errors;
    const accepted = k + 1;
    const risk = errors / accepted;
    const half = 1.96 * Math.sqrt((risk * (1 - risk) + 1 / accepted) / accepted);
    return { coverage: accepted / rows, risk, low: Math.max(0, risk - half), high: Math.min(1, risk + half),
      threshold: Math.abs(at.f), accepted, errors };
  }).filter((_, k) => k % 3 === 0 || k === rows - 1);
  const rejected_cases = cases.map((at, k) => ({ ...at, k })).filter((at) => answer(at) === 1)
    .sort((a, b) => Math.abs(a.f) - Math.abs(b.f));
  const edges = Array.from({ length: 33 }, (_, k) => -4 + k / 4);
  const counts = (own) => edges.slice(1).map((high, k) =>
    cases.filter(({ y, f }) => y === own && f >= edges[k] && f < high).length);
  return {
    name, classes, text: "Trained on 400 rows, measured on others.",
    facts: [["loss", "double ramp"], ["kernel", "rbf, gamma 0.125"], ["C", "2"], ["mu", "1"],
      ["rejection band", `|f(x)| ≤ ${rho}`], ["support vectors", "61 of 400"], ["status", "converged after 5 rounds"]],
    reject_cost: d,
    metrics: {
      rows, risk: ((d ?? 0.1) * rejected + wrong) / rows, rejection_rate: rejected / rows,
      rejection_interval: [Math.max(0, rejected / rows - 0.045), Math.min(1, rejected / rows + 0.045)],
      coverage: answered / rows,
      accepted_accuracy: answered ? 1 - wrong / answered : null,
      accuracy_interval: answered ? [1 - wrong / answered - 0.02, Math.min(1, 1 - wrong / answered + 0.01)] : null,
      class_rejection: table.map((row) => row[1] / (row[0] + row[1] + row[2])),
      aurc: 0.0213, excess_aurc: 0.0091, table,
      trivial: { reject_all: d ?? 0.1, never_reject: errors / rows, majority: 0.45, majority_label: classes[1] },
    },
    confidence: 0.95,
    curve,
    histogram: { edges, negative: counts(-1), positive: counts(1) },
    rho,
    plane: plane("The model’s regions", (x, y) => 2.2 * Math.sin(2 * x) + 1.6 * y,
      { rho, box: [-2, 2, -1.6, 1.6] }),
    worklist: {
      total: rejected, reasons: { ambiguous: rejected }, case: "row", usual_of: "training",
      rows: rejected_cases.slice(0, 40).map(({ k, f, y }) => ({ case: String(k + 1), leans_to: classes[f > 0 ? 1 : 0],
        score: f, reason: "ambiguous", truly: classes[y > 0 ? 1 : 0],
        stands_out: columns.slice(0, k % 4).map((column, j) => ({ column, value: 12345 - k, usual: 0.012, distance: 3.5 - 2 * j }))
          .concat(k % 3 ? [] : [{ column: columns[0], value: columns[1], share: 0.004 }]) })),
    },
    importance: { rows: 400, repeats: 5, columns_total: columns.length + 3, columns: columns.map((column, k) => ({ column,
      risk: { mean: 0.1 - 0.03 * k, sd: 0.02 }, rejection_rate: { mean: (k - 2) * 0.04, sd: 0.01 } })) },
    weights: columns.map((column, k) => ({ column, weight: 1.5 - 0.7 * k })),
    command: "rampart train train.csv -o model.json --kernel rbf -g 0.125 -c 2",
    own_cost: d, command_note: "",
    rounds: [61.2, 48.9, 44.1, 43.2, 43.15],
    zones: [
      { zone: "safe", negative: 112, positive: 131 }, { zone: "margin", negative: 21, positive: 18 },
      { zone: "plateau", negative: 44, positive: 51 }, { zone: "near miss", negative: 3, positive: 5 },
      { zone: "ignored outlier", negative: 6, positive: 9 },
    ],
    outliers: Array.from({ length: 15 }, (_, k) => ({ row: 17 + 11 * k, label: classes[k % 2], score: -3.2 + 0.4 * k })),
    outliers_total: 15,
    ...more,
  };
}

function rich() {
  const circle = (x, y) => 2.5 - 6 * (x * x + y * y);
  return {
    title: "The paper, measured again",
    subtitle: "Published numbers beside those this program finds",
    generator: "rampart 0.1.0",
    notes: ["Every number here was measured by the program that wrote this page, on data it names; those of the paper stand beside them."],
    comparisons: [comparison("Ionosphere"), drawn("Synthetic 1"), all_rejected(),
      { name: "Parkinsons", text: "Ten-fold cross-validation.",
        missing: "The data are not here: put parkinsons/parkinsons.libsvm into the folder that RAMPART_DATA names." }],
    functions: [losses(0.7, true), losses(2, false)],
    planes: [
      plane("Square, linear kernel", (x, y) => 3 * (y - 0.2 * x),
        { lines: [{ label: "true boundary", points: [[-1, -0.1], [1, 0.15]] }, { label: "noise-free optimum", points: [[-1, -0.3], [1, 0.3]] }] }),
      plane("Circle, rbf kernel", circle, { box: [-1.2, 1.2, -1, 1] }),
      plane("No band", (x, y) => x * y * 3, { rho: 0, points: 0, box: [0, 100, -1, 1] }),
      plane("Everything rejected", (x) => 0.1 * x, { rho: 5, points: 900, columns: 2, rows: 2 }),
    ],
    models: [model({ name: "square.json on test.csv", classes: ["-1", "1"] })],
  };
}

function trapped() {
  const classes = [hostile, long];
  const projected = plane("First two principal components", (x, y) => x - y,
    { projected: true, x: hostile, y: long, box: [-30, 40, -2, 2] });
  projected.text = "They hold 41.2 % of the variance.";
  for (const part of ["values", "columns", "rows"]) delete projected[part];
  const nobody = model({ name: "Nobody is answered", classes: ["benign", "malignant"], rho: 1e6, rows: 40,
    rounds: [1.5], zones: [], outliers: [], outliers_total: 0, plane: undefined, facts: [] });
  nobody.metrics.class_rejection = [1, null];
  nobody.warning = hostile;
  const [first, second, third] = nobody.worklist.rows;
  Object.assign(first, { reason: "unfamiliar", detail: hostile, leans_to: null, score: null });
  Object.assign(second, { reason: "unseen", detail: long, case: hostile });
  Object.assign(third, { reason: hostile, case: long });
  nobody.worklist = { ...nobody.worklist, case: hostile, reasons: { ambiguous: 37, unfamiliar: 1, unseen: 1, [hostile]: 1 }, usual_of: "these rows" };
  nobody.metrics.trivial.reject_all = 0.01;
  return {
    title: hostile, subtitle: long, generator: hostile, notes: [hostile, long],
    comparisons: [{ ...comparison(hostile), text: hostile, source: long,
      series: ["one", hostile, long, "four", "five", "six"].map((label, k) => series(label, label, 0.5 + 0.2 * k, k % 2 === 0)) },
    { name: long, missing: hostile, text: long }],
    functions: [{ ...losses(0.5, true), name: hostile, x: hostile, y: long }],
    planes: [{ ...projected, lines: [{ label: hostile, points: [[-30, -1], [40, 1]] }] }],
    models: [
      model({ name: hostile, classes, text: hostile, d: null, columns: [hostile, long, "", "two\nlines \"quoted\"", hostile], rounds: [], plane: projected, outliers_total: 900,
        facts: [[hostile, hostile], ["short", long], [long, "short"]] }),
      nobody,
    ],
  };
}

/** A page about one model. */
const one = () => ({ title: "Loans of May", subtitle: "model.json on may.csv", generator: "rampart 0.1.0",
  models: [model({ name: "model.json on may.csv", classes: ["pays", "default"] })] });

/** Several models on the same cases, one of which answers all of them. */
const several = () => ({ title: "a.json, b.json, c.json on may.csv", generator: "rampart 0.1.0",
  models: ["a.json", "b.json", "c.json"].map((name, k) => model({ name, classes: ["pays", "default"], rho: 0.7 - 0.35 * k })),
  compared: [0, 0.01, -0.02].map((difference, k) => ({ different_answers: 20 * k, difference,
    interval: [difference - 0.015 * k, difference + 0.005 * k] })) });

/** No more than the contract asks for. */
const bare = () => ({ title: "Nothing measured", generator: "rampart 0.1.0" });

process.stdout.write(JSON.stringify({ rich, hostile: trapped, one, several, bare }[process.argv[2]]()));
