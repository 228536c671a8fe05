// Builds the page from the data block: each section whose data are there.

import { compared } from "./compared.js";
import { comparison } from "./comparison.js";
import { element, fresh_id } from "./dom.js";
import { functions } from "./functions.js";
import { model } from "./model.js";
import { plane } from "./plane.js";

const data = JSON.parse(document.getElementById("data").textContent);
const places = []; // what the table of contents lists

function heading(rank, text, listed = true) {
  const id = fresh_id("section");
  if (listed) places.push({ id, rank, text });
  return element(`h${rank}`, { id }, text);
}

const section = (rank, title, ...children) =>
  element("section", {}, heading(rank, title), ...children);

/** A group has a title of its own; what it makes of each item goes below it. */
function group(title, kind, items, make) {
  if (!items?.length) return null;
  const head = heading(2, title);
  return element("section", {}, head, element("div", { class: kind }, items.map(make)));
}

const notes = (data.notes ?? []).map((text) => element("p", { class: "lead" }, text));
const models = data.models ?? [];

/** A page about models alone opens with the verdict; the contents come after it. */
const opens_with_verdict = models.length > 0 &&
  ![data.comparisons, data.functions, data.planes].some((items) => items?.length);

function about_models() {
  if (models.length === 1 && opens_with_verdict) {
    const [verdict, ...parts] = model(models[0], (title, ...children) => section(2, title, ...children));
    return [verdict, contents(), ...parts];
  }
  const measured = models.filter(({ metrics }) => metrics?.table);
  const comparing = measured.length > 1 ? section(2, "The models compared", compared(measured, data.compared)) : null;
  const each = models.map((item) => section(2, item.name, model(item, (title, ...children) =>
    element("section", {}, heading(3, title, false), ...children))));
  return [comparing, opens_with_verdict ? contents() : null, ...each];
}

function contents() {
  if (places.length < 3) return null;
  return element("nav", { "aria-label": "Contents" }, element("ul", {}, places.map(({ id, rank, text }) =>
    element("li", { class: `rank-${rank}` }, element("a", { href: `#${id}` }, text)))));
}

// Where there is something to compare the notes are about the differences, and come after it.
const sections = [
  group("Measured and published", "list", data.comparisons, (item) => section(3, item.name, comparison(item))),
  data.comparisons?.length && notes.length ? section(2, "Where they differ, and why", notes) : null,
  group("Functions", "pair", data.functions, functions),
  group("Decision regions", "pair", data.planes, (item) => plane(item)),
  ...about_models(),
].filter(Boolean);

document.title = data.title;
document.body.append(
  element("header", {},
    element("h1", {}, data.title),
    data.subtitle ? element("p", { class: "subtitle" }, data.subtitle) : null),
  element("main", {},
    data.comparisons?.length ? null : notes,
    opens_with_verdict ? null : contents(),
    sections),
  element("footer", {}, element("p", {}, `Made by ${data.generator}. This file needs no network and sends nothing.`)));
