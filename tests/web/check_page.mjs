// What every page must hold, whatever its data. Opens pages in a browser, from their files.
//
//   node check_page.mjs WEB BROWSER PAGE…
//
// WEB is the folder web/ of a build (for playwright-core), BROWSER a chromium. Each complaint is one
// line on standard output; leaves with 1 if there are any. RAMPART_SCREENSHOTS names a folder for pictures.

import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [web, browser_path, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(web), "package.json"))("playwright-core");

const views = [400, 1400].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme })));
const complaints = [];

const measured = (data) => (data.models ?? []).filter(({ metrics }) => metrics?.table);

/** Opens the page as people would, and listens for all that it does. */
async function open(browser, path, { width, scheme }, complain) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme,
    reducedMotion: "reduce" });
  const page = await context.newPage();
  const address = pathToFileURL(resolve(path)).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complain(`page error: ${error.message}`));
  page.on("dialog", (dialog) => { complain(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url() !== address) complain(`request: ${request.url()}`);
  });
  await page.goto(address);
  if (await page.locator("details[open]").count()) complain("something is unfolded from the start");
  await first_screen(page, complain);
  await page.evaluate(() => document.querySelectorAll("details.more").forEach((part) => { part.open = true; }));
  await page.waitForFunction(() => [...document.querySelectorAll(".drawing")].every((place) => place.firstChild),
    null, { timeout: 10_000 }).catch(() => complain("some charts were never drawn"));
  return { context, page };
}

/** Numbers of the verdict, counted again from the table of answers. */
function verdict_of({ metrics: { table, rows, accuracy_interval: among } }) {
  const answered = 1000 * (table[0][0] + table[0][2] + table[1][0] + table[1][2]) / rows;
  return { answered, wrong: 1000 * (table[0][2] + table[1][0]) / rows, person: 1000 * (table[0][1] + table[1][1]) / rows,
    low: among ? answered * (1 - among[1]) : 0, high: among ? answered * (1 - among[0]) : 0 };
}

const opening = /^Of 1000 cases like these, the model answers ([\d.]+|all)\. About ([\d.]+) of these answers (?:is|are) wrong \([\d.]+\s% interval: ([\d.]+) to ([\d.]+)\)\. (?:([\d.]+) cases? goe?s? to a person(?:, .+)?\.|None goes to a person\.)$/;

/** A page about models opens with a verdict that is true, and needs no scrolling. */
async function first_screen(page, complain) {
  const data = JSON.parse(await page.locator("#data").textContent());
  const models = measured(data);
  if (!models.length || [data.comparisons, data.functions, data.planes].some((items) => items?.length)) return;
  const headline = page.locator(".headline").first();
  const { height } = page.viewportSize();
  const box = await headline.boundingBox();
  const lengthy = [data.title, data.subtitle, ...models.flatMap(({ classes, name }) => [...classes, name])].some((text) => text?.length > 60);
  if (!lengthy && (box.y + box.height > 0.6 * height)) complain(`the verdict ends at ${box.y + box.height} of ${height} pixels`);
  if (models.length > 1) return;
  const want = verdict_of(models[0]);
  const told = await headline.textContent();
  if (want.answered === 0) {
    if (!told.startsWith("Of 1000 cases like these, the model answers none. All go to a person")) complain(`verdict: ${told}`);
    return;
  }
  const said = opening.exec(told);
  const numbers = said && [said[1] === "all" ? 1000 : said[1], said[2], said[3], said[4], said[5] ?? 0];
  if (!said || ![want.answered, want.wrong, want.low, want.high, want.person].every((value, k) => close(numbers[k], value))) {
    complain(`verdict: '${told}' is not ${JSON.stringify(want)}`);
  }
}

/** The worklist has a row for each case, and says how many there are. */
async function look_at_worklists(page, data, complain) {
  const lists = (data.models ?? []).map(({ worklist }) => worklist).filter((list) => list?.total);
  const tables = await page.locator("table.worklist").all();
  if (tables.length !== lists.length) complain(`${tables.length} worklists, not ${lists.length}`);
  for (const [k, list] of lists.entries()) {
    const cases = await tables[k].locator("tbody th").allTextContents();
    if (JSON.stringify(cases) !== JSON.stringify(list.rows.map((row) => row.case))) complain(`worklist ${k}: ${cases.slice(0, 3)}`);
    for (const [column, key] of [[1, "leans_to"], [5, "truly"]]) {
      const cells = await tables[k].locator(`tbody tr > :nth-child(${column + 1})`).allTextContents();
      list.rows.forEach((row, n) => { if (cells[n] !== (row[key] ?? "neither")) complain(`worklist ${k}: ${key} of ${row.case} is ${cells[n]}`); });
    }
  }
}

/** How many charts the data ask for. */
function charts_of(data) {
  const important = ({ importance }) => Boolean(importance?.columns?.length);
  const models = (data.models ?? []).map((model) => [model.metrics && model.curve?.length,
    model.histogram?.negative?.length, model.plane, model.zones?.length, model.rounds?.length,
    important(model), important(model), model.weights?.length].filter(Boolean).length);
  if (measured(data).length > 1) models.push(1);
  const compared = (data.comparisons ?? []).filter(({ missing }) => !missing).length;
  return 3 * compared + (data.functions ?? []).length + (data.planes ?? []).length +
    models.reduce((sum, count) => sum + count, 0);
}

/** Runs in the browser: what is wrong with the document. */
function look(expected_charts) {
  const found = [];
  const name = (element) => element.closest("figure")?.querySelector("figcaption strong")?.textContent.slice(0, 40) ?? element.tagName;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const widest = [...document.body.querySelectorAll("*")]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1 && !element.closest(".scroll"));
    found.push(`wider than the window: ${root.scrollWidth} > ${root.clientWidth}: ${widest.slice(0, 3).map((e) => `${e.tagName}.${e.className.baseVal ?? e.className}`)}`);
  }

  const ranks = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((h) => Number(h.tagName[1]));
  if (ranks.filter((rank) => rank === 1).length !== 1 || ranks[0] !== 1) found.push(`headings: no single h1: ${ranks}`);
  ranks.forEach((rank, k) => { if (k && rank > ranks[k - 1] + 1) found.push(`headings: h${rank} after h${ranks[k - 1]}`); });
  for (const landmark of ["header", "main", "footer"]) {
    if (document.querySelectorAll(`body > ${landmark}`).length !== 1) found.push(`not one ${landmark}`);
  }
  if (document.querySelector("img, iframe, object, link, [onerror], [onclick]")) found.push("a foreign element");
  if (document.scripts.length !== 2) found.push(`${document.scripts.length} scripts`);

  const figures = [...document.querySelectorAll("figure")];
  if (figures.length !== expected_charts) found.push(`${figures.length} charts, not ${expected_charts}`);
  for (const figure of figures) {
    const svg = figure.querySelector(".drawing > svg");
    if (!svg) { found.push(`${name(figure)}: no drawing`); continue; }
    const box = svg.getBoundingClientRect();
    if (box.width < 200 || box.height < 80) found.push(`${name(svg)}: ${box.width}×${box.height}`);
    const marks = [...svg.querySelectorAll(":scope > g")]
      .filter((group) => !/axis|grid/.test(group.getAttribute("aria-label") ?? ""))
      .flatMap((group) => [...group.querySelectorAll("path, rect, circle, line")])
      .filter((mark) => mark.getAttribute("d") !== "" && !mark.closest("clipPath"));
    if (!marks.length) found.push(`${name(svg)}: no marks`);
    if (/NaN|Infinity|undefined/.test(svg.outerHTML)) found.push(`${name(svg)}: NaN in the drawing`);
    if (svg.getAttribute("role") !== "img" || svg.getAttribute("aria-label")?.length < 20) found.push(`${name(svg)}: not told`);
    if (/NaN|undefined|Infinity|null/.test(svg.getAttribute("aria-label"))) found.push(`${name(svg)}: told as ${svg.getAttribute("aria-label")}`);
    if (svg.querySelector("style, [style*=url]")) found.push(`${name(svg)}: a style of its own`);
    if (!figure.querySelector("details table thead th")) found.push(`${name(svg)}: no table`);
    const frame = figure.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const at = text.getBoundingClientRect();
      if (at.width && (at.left < frame.left - 1 || at.right > frame.right + 1)) found.push(`${name(svg)}: '${text.textContent.slice(0, 40)}' leaves its chart`);
    }
  }
  for (const input of document.querySelectorAll("input")) {
    if (!input.labels.length) found.push("an input without a label");
  }
  return found;
}

/** Runs in the browser: the contours lie where the grid, interpolated, has their levels. */
function look_at_contours(data) {
  const found = [];
  const planes = [...(data.planes ?? []), ...(data.models ?? []).map(({ plane }) => plane)].filter((plane) => plane?.values);
  const drawings = [...document.querySelectorAll(".drawing > svg")].filter((svg) => svg.querySelector("[aria-label=contour]"));
  if (drawings.length !== planes.length) return [`${drawings.length} planes, not ${planes.length}`];
  let points = 0;
  planes.forEach(({ box: [x0, x1, y0, y1], columns, rows, values, rho }, k) => {
    const x = drawings[k].scale("x");
    const y = drawings[k].scale("y");
    const range = Math.max(...values) - Math.min(...values);
    for (const path of drawings[k].querySelectorAll("[aria-label=contour] path")) {
      for (const [, px, py] of (path.getAttribute("d") ?? "").matchAll(/[ML](-?[\d.e-]+),(-?[\d.e-]+)/g)) {
        const column = (x.invert(Number(px)) - x0) / (x1 - x0) * (columns - 1);
        const row = (y.invert(Number(py)) - y0) / (y1 - y0) * (rows - 1);
        if (column < 0.01 || row < 0.01 || column > columns - 1.01 || row > rows - 1.01) continue;
        const left = Math.floor(column);
        const low = Math.floor(row);
        const at = (c, r) => values[(low + r) * columns + left + c];
        const [s, t] = [column - left, row - low];
        const f = (1 - t) * ((1 - s) * at(0, 0) + s * at(1, 0)) + t * ((1 - s) * at(0, 1) + s * at(1, 1));
        const miss = Math.min(...[-rho, 0, rho].map((level) => Math.abs(f - level)));
        if (miss > 1e-3 * range) found.push(`plane ${k}: a contour at f = ${f}, rho = ${rho}`);
        ++points;
      }
    }
  });
  if (planes.some(({ values, rho }) => values.some((f) => f > rho) && values.some((f) => f < rho)) && !points) {
    found.push("no contour points were compared");
  }
  return found.slice(0, 3);
}

/** What the slider must say, counted again from the curve. */
function expected(model, rate) {
  const coverage = 1 - rate;
  const curve = [{ coverage: 0, errors: 0, low: model.curve[0].low, high: model.curve[0].high },
    ...model.curve.map((at) => ({ ...at, errors: at.coverage * at.risk }))];
  const k = Math.max(1, curve.findIndex((at) => at.coverage >= coverage - 1e-12));
  const [a, b] = [curve[k - 1], curve[k]];
  const mix = (key) => a[key] + (coverage - a.coverage) / (b.coverage - a.coverage) * (b[key] - a[key]);
  return { reviewed: 1000 * rate, errors: 1000 * mix("errors"), low: 1000 * coverage * mix("low"), high: 1000 * coverage * mix("high"),
    risk: model.reject_cost == null ? null : model.reject_cost * rate + mix("errors") };
}

/** How much a coverage costs above the least at this d, on the convex hull of the curve: by brute force. */
function best_share(model, d) {
  const points = [[0, 0], ...model.curve.map(({ coverage, risk }) => [coverage, coverage * risk])];
  const hull = (at) => {
    let lowest = Infinity;
    for (const [x, y] of points.filter((point) => point[0] <= at)) {
      for (const [u, v] of points.filter((point) => point[0] >= at)) {
        lowest = Math.min(lowest, u === x ? Math.min(y, v) : y + (v - y) * (at - x) / (u - x));
      }
    }
    return lowest;
  };
  const least = Math.min(...points.map(([x, y]) => d * (1 - x) + y));
  return (coverage) => d * (1 - coverage) + hull(coverage) - least;
}

const sentence = /^Of the next 1000 cases like these a person would review ([\d.]+), and about ([\d.]+) errors? would pass \([\d.]+\s% interval: ([\d.]+) to ([\d.]+)\)\.$/;
const close = (text, value) => Math.abs(Number(text) - value) <= (value >= 9.9 ? 0.51 : 0.0501);

async function move_slider(page, data, complain) {
  const models = (data.models ?? []).filter(({ metrics, curve }) => metrics?.table && curve?.length);
  const reviews = await page.locator(".review").all();
  if (reviews.length !== models.length) complain(`${reviews.length} sliders, not ${models.length}`);
  for (const [k, model] of models.entries()) {
    const slider = reviews[k].locator("input[type=range]");
    const live = reviews[k].locator("[aria-live=polite]");
    const figure = page.locator("figure:has(.chosen)").nth(k);
    const verify = async () => {
      const percents = Number(await slider.inputValue());
      const own_share = model.metrics.rejection_rate;
      const rate = percents === Math.round(100 * own_share) ? own_share : percents / 100;
      const [told, price] = await live.locator("p").allTextContents();
      const want = expected(model, rate);
      const where = await figure.evaluate((own) => {
        const svg = own.querySelector(".drawing > svg");
        return svg.scale("x").invert(Number(svg.querySelector(".chosen line").getAttribute("x1")));
      });
      if (Math.abs(where - (1 - rate)) > 1e-6) complain(`slider: at ${rate}, marked at ${where}`);
      if (rate === 1) {
        if (told !== "Of the next 1000 cases like these a person would review 1000, and no error would pass.") complain(`slider: ${told}`);
      } else {
        const said = sentence.exec(told);
        if (!said || ![want.reviewed, want.errors, want.low, want.high].every((value, i) => close(said[i + 1], value))) {
          complain(`slider: '${told}' is not ${JSON.stringify(want)}`);
        }
      }
      const said = /^At d = ([\d.]+) that is a risk of ([\d.]+) per case\.$/.exec(price);
      if (model.command) {
        const command = await reviews[k].locator("code").textContent();
        const cost = Number(command.slice(`${model.command} --reject-cost `.length));
        const best = best_share(model, cost);
        if (!command.startsWith(`${model.command} --reject-cost `) || !(cost >= 0.001 && cost <= 0.5)) complain(`slider: ${command}`);
        const own = model.own_cost != null && Math.round(100 * model.metrics.rejection_rate) === Math.round(100 * rate);
        if (own && cost !== model.own_cost) complain(`slider: the model's own cost is not ${cost}`);
        if (!own && cost > 0.001 && cost < 0.5 && best(1 - rate) > 2e-3) complain(`slider: at ${rate}, d = ${cost} is not the best by ${best(1 - rate)}`);
      }
      if (want.risk == null ? price !== "" : !said || Math.abs(Number(said[2]) - want.risk) > 6e-5) {
        complain(`slider: '${price}' is not ${want.risk}`);
      }
      return told;
    };
    const texts = new Set([await verify()]);
    await slider.focus();
    for (const key of ["Home", "ArrowRight", "PageUp", "PageUp", "ArrowLeft", "End", "ArrowLeft", "PageDown"]) {
      await page.keyboard.press(key);
      texts.add(await verify());
    }
    if (texts.size < 6) complain(`slider: its keys gave only ${texts.size} texts`);
    await reviews[k].getByRole("button").click();
    if (Number(await slider.inputValue()) !== Math.round(100 * model.metrics.rejection_rate)) complain("slider: does not go back");
  }
}

/** Charts follow their place: all are drawn again for another window. */
async function resize(page, complain) {
  await page.setViewportSize({ width: 650, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll(".drawing")].every((place) =>
    Number(place.firstChild?.getAttribute("width")) === Math.floor(place.clientWidth)),
  null, { timeout: 5000 }).catch(() => complain("some charts do not follow the window"));
}

const browser = await chromium.launch({ executablePath: browser_path, chromiumSandbox: process.getuid() !== 0 });
for (const path of pages) {
  for (const view of views) {
    const complain = (text) => complaints.push(`${basename(path)}, ${view.width} px, ${view.scheme}: ${text}`);
    const { context, page } = await open(browser, path, view, complain);
    const data = JSON.parse(await page.locator("#data").textContent());
    (await page.evaluate(look, charts_of(data))).forEach(complain);
    (await page.evaluate(look_at_contours, data)).forEach(complain);
    await look_at_worklists(page, data, complain);
    const folder = process.env.RAMPART_SCREENSHOTS;
    if (folder) {
      await page.screenshot({ fullPage: true, path: join(folder, `${basename(path, ".html")}-${view.width}-${view.scheme}.png`) });
    }
    if (view.scheme === "light") {
      await move_slider(page, data, complain);
      await page.evaluate(() => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
      (await page.evaluate(look, charts_of(data))).forEach((text) => complain(`with all tables open: ${text}`));
      await resize(page, complain);
    }
    await context.close();
  }
}
await browser.close();
for (const complaint of complaints) console.log(complaint);
process.exitCode = complaints.length ? 1 : 0;
