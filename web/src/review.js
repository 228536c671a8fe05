// The slider: what a rejection rate would mean for the next thousand cases, and the command for it.

import { cost_for, of_cases } from "./coverage.js";
import { element, fresh_id } from "./dom.js";
import { about, fixed, level, percent } from "./format.js";

const cases = 1000;

export function review_text(model, rejection_rate) {
  const { reviewed, errors, low, high } = of_cases(model.curve, rejection_rate, cases);
  const passed = reviewed === cases
    ? "and no error would pass"
    : `and about ${about(errors)} ${about(errors) === "1" ? "error" : "errors"} would pass ` +
      `(${level(model.confidence ?? 0.95)} interval: ${about(low)} to ${about(high)})`;
  return `Of the next ${cases} cases like these a person would review ${about(reviewed)}, ${passed}.`;
}

export function risk_text(model, rejection_rate) {
  const d = model.reject_cost;
  if (d == null) return null;
  const { errors } = of_cases(model.curve, rejection_rate, cases);
  return `At d = ${d} that is a risk of ${fixed(d * rejection_rate + errors / cases, 4)} per case.`;
}

/**
 * The command that learns for this share: at the model's own, with its own cost of a rejection,
 * elsewhere with the one for which the share is best on these cases.
 */
export function command_text(model, rejection_rate) {
  const own = Math.round(100 * model.metrics.rejection_rate) === Math.round(100 * rejection_rate);
  return `${model.command} --reject-cost ${own && model.own_cost != null ? model.own_cost : cost_for(model.curve, rejection_rate)}`;
}

/** show(rejection rate) is called with every choice. */
export function review(model, show) {
  const { metrics } = model;
  const id = fresh_id("review");
  const own = metrics.rejection_rate;
  const slider = element("input", { type: "range", id, min: 0, max: 100, step: 1,
    value: Math.round(100 * own), "aria-describedby": `${id}-text` });
  const amount = element("span", { class: "amount", "aria-hidden": "true" });
  const sentence = element("p", { class: "sentence" });
  const price = element("p", {});
  const command = element("code", {});
  const back = element("button", { type: "button" }, `Back to the model’s own ${percent(own)}`);
  const pointer = element("span", { class: "own", "aria-hidden": "true" }, "▲");
  pointer.style.setProperty("--at", own);

  const update = () => {
    // The slider goes in whole steps; at that of the model it stands for the model's own share.
    const at_own = slider.valueAsNumber === Math.round(100 * own);
    const rate = at_own ? own : slider.valueAsNumber / 100;
    amount.textContent = percent(rate, at_own ? 1 : 0);
    slider.setAttribute("aria-valuetext", `${amount.textContent} reviewed by a person`);
    sentence.textContent = review_text(model, rate);
    price.textContent = risk_text(model, rate) ?? "";
    if (model.command) command.textContent = command_text(model, rate);
    show(rate);
  };
  slider.addEventListener("input", update);
  back.addEventListener("click", () => {
    slider.value = Math.round(100 * own);
    update();
  });
  update();

  const wrong = metrics.table[0][2] + metrics.table[1][0];
  return element("div", { class: "review" },
    element("div", { class: "question" },
      element("label", { for: id }, "Share of cases that a person reviews"), amount),
    element("div", { class: "track" }, slider, pointer),
    element("div", { class: "live", id: `${id}-text`, "aria-live": "polite" }, sentence, price),
    model.command ? element("div", { class: "command" },
      element("p", { class: "note" }, "The command that learns for this share. Its cost of a rejection is the one at which the share is " +
        "best on these cases; at ▲ it is the model’s own. Put your training file in the place of train.csv." +
        (model.command_note ? ` ${model.command_note}` : "")),
      element("pre", { tabindex: 0, role: "region", "aria-label": "Command" }, command)) : null,
    element("p", { class: "note" }, `▲ The model’s own band rejects ${percent(own)}: ` +
      `${about(cases * own)} of ${cases} reviewed, about ` +
      `${about(metrics.rows ? cases * wrong / metrics.rows : 0)} errors passed. ` +
      "The others are what moving the band would do, without learning anew."),
    back);
}
