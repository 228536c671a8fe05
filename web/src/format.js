// Numbers as people read them. Spaces before units do not break.

export const minus = (text) => text.replace("-", "−");

/** Up to this many significant digits, without trailing zeros. */
export function number(value, digits = 4) {
  if (value == null) return "–";
  return minus(String(Number(value.toPrecision(digits))));
}

/** A value of the data: whole numbers are exact. */
export const value_text = (value) => (Number.isInteger(value) ? minus(value.toLocaleString("en")) : number(value, 6));

export const fixed = (value, digits) => (value == null ? "–" : minus(value.toFixed(digits)));

export const count = (value) => (value == null ? "–" : value.toLocaleString("en"));

export const percent = (fraction, digits = 1) =>
  fraction == null ? "–" : `${minus((100 * fraction).toFixed(digits))}\u00a0%`;

/** Ticks of an axis of shares that ends here. */
export const percent_ticks = (top) => (fraction) => percent(fraction, top < 0.04 ? 1 : 0);

/** A confidence level: 95 %, 99.9 %. */
export const level = (fraction) => `${Number((100 * fraction).toFixed(3))}\u00a0%`;

export const interval = (pair, format = percent) =>
  pair == null ? null : `${format(pair[0])} to ${format(pair[1])}`;

/** mean ± standard deviation, of what may be absent */
export function spread(value, format) {
  if (value == null) return "–";
  return value.sd == null ? format(value.mean) : `${format(value.mean)} ± ${format(value.sd)}`;
}

/** A name that fits into a chart. Texts around it have the whole. */
export function short(text, length = 16) {
  const letters = [...text];
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join("")}…`;
}

/** A count of cases that is an expectation: whole from ten on, one digit below. */
export const about = (value) => (value >= 9.95 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ""));

export const quoted = (name) => `‘${name}’`;
