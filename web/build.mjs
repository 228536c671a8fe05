// Bundles the page into one file without its data, and writes it twice: as HTML, and as C++.
//
//   node build.mjs page.html page_template.cpp

import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const source = (name) => join(here, "src", name);

async function bundle(name) {
  const { outputFiles, metafile } = await build({
    entryPoints: [source(name)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: here,
    format: "iife",
    charset: "ascii",  // the page says it is UTF-8, but a hash should not depend on who saves it
    target: ["chrome100", "firefox100", "safari15.4"],
    legalComments: "none",
    logLevel: "warning",
  });
  return { text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs) };
}

/** The licences of what is in the page, each once with the packages it covers: they ask to be kept. */
async function licences(inputs) {
  const packages = new Set(inputs.flatMap((path) => path.match(/^node_modules\/((@[^/]+\/)?[^/]+)/)?.[1] ?? []));
  const texts = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name}: no licence file`);
    const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r", "").trim();
    const notice = text.split("\n").filter((line) => /^copyright /i.test(line.trim())).join("\n");
    const terms = text.replace(notice, "").replaceAll("--", "- -").trim();
    texts.set(terms, [...(texts.get(terms) ?? []), `${name}: ${notice}`]);
  }
  return [...texts].map(([terms, names]) => `${names.join("\n")}\n\n${terms}`).join("\n\n");
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/** Only these very texts run and style the page; nothing is loaded, embedded or sent. */
const policy = (script, style) =>
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;

/** Pieces that compilers take: ISO C++ asks for no more than 65536 characters in a literal. */
function as_cpp(text) {
  const mark = "rampart_page";
  if (text.includes(`)${mark}"`)) throw new Error(`the page contains )${mark}"`);
  const letters = [...text];
  const pieces = [];
  for (let k = 0; k < letters.length; k += 16000) {
    pieces.push(`    R"${mark}(${letters.slice(k, k + 16000).join("")})${mark}",\n`);
  }
  return `// Written by web/build.mjs.
#include "render/page_template.hpp"

#include <array>

namespace rampart::tool {
namespace {
constexpr std::array<std::string_view, ${pieces.length}> pieces = {
${pieces.join("")}};
}  // namespace

std::span<const std::string_view> page_template() { return pieces; }

std::string_view why_no_page() { return {}; }

}  // namespace rampart::tool
`;
}

const [html_path, cpp_path] = process.argv.slice(2);
const [template, script, style] =
  await Promise.all([readFile(source("page.html"), "utf8"), bundle("main.js"), bundle("page.css")]);
const parts = { POLICY: policy(script.text, style.text), STYLE: style.text, SCRIPT: script.text,
  LICENCES: await licences(script.inputs) };
const page = template.replace(/@(POLICY|STYLE|SCRIPT|LICENCES)@/g, (_, name) => parts[name]);
if (page.split("@DATA@").length !== 2) throw new Error("the page must have one place for its data");
if (page.includes("\r")) throw new Error("a browser would change the line ends, and the hashes not fit");
await writeFile(html_path, page);
await writeFile(cpp_path, as_cpp(page));
