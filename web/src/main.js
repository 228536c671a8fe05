// Builds the page from the data block: each section whose data are there.

import { comparison } from "./comparison.js";
import { element, fresh_id } from "./dom.js";
import { functions } from "./functions.js";
import { model } from "./model.js";
import { plane } from "./plane.js";

const data = JSON.parse(document.getElementById("data").textContent);
const places = []; // what the table of contents lists

function heading(rank, text) {
  const id = fresh_id("section");
  places.push({ id, rank, text });
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

// Where there is something to compare the notes are about the differences, and come after it.
const sections = [
  group("Measured and published", "list", data.comparisons, (item) => section(3, item.name, comparison(item))),
  data.comparisons?.length && notes.length ? section(2, "Where they differ, and why", notes) : null,
  group("Functions", "pair", data.functions, functions),
  group("Decision regions", "pair", data.planes, (item) => plane(item)),
  ...(data.models ?? []).map((item) => section(2, item.name, model(item))),
].filter(Boolean);

function contents() {
  if (places.length < 3) return null;
  return element("nav", { "aria-label": "Contents" }, element("ul", {}, places.map(({ id, rank, text }) =>
    element("li", { class: `rank-${rank}` }, element("a", { href: `#${id}` }, text)))));
}

document.title = data.title;
document.body.append(
  element("header", {},
    element("h1", {}, data.title),
    data.subtitle ? element("p", { class: "subtitle" }, data.subtitle) : null),
  element("main", {},
    data.comparisons?.length ? null : notes,
    contents(),
    sections),
  element("footer", {}, element("p", {}, `Made by ${data.generator}. This file needs no network and sends nothing.`)));
