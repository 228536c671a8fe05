// The one place that calls Plot.

import { plot } from "@observablehq/plot";

/**
 * Plot gives each drawing a <style> of its own, which the page's security policy would refuse:
 * it goes before the drawing enters the document, and page.css has the same rules.
 */
export function draw(options) {
  const drawing = plot({ className: "plot", marginBottom: 42, ...options });
  for (const style of drawing.querySelectorAll("style")) style.remove();
  return drawing;
}

// Shapes and dashes distinguish lines and marks without their colours.
const symbols = ["circle", "square", "triangle", "diamond", "star"];
const dashes = ["none", "9 4", "3 3", "9 3 2 3", "14 4"];

// After five, the same colours come with other marks.
const turn = (index) => (index + Math.floor(index / 5)) % 5;
export const symbol = (index) => symbols[turn(index)];
export const dash = (index) => dashes[turn(index)];
export const color = (index) => `var(--series-${index % 5})`;
