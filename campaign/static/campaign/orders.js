// The orders form: a tap on a place of the chart adds the shortest way to it, as the list beside it does; what is typed is kept as a
// draft on the server, and leaving warns only while something is not kept yet.

import { keeper } from "./drafts.js";

const WORDS = { kept: "Changes saved as a draft.", unkept: "Changes not saved yet." };

const form = () => document.querySelector("#orders-form");

function say(state) {
  const place = document.querySelector(".draft-state");
  if (place) place.textContent = WORDS[state];
}

const draft = keeper({ form, say });

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("#orders-form .place");
  if (!place) return;
  const goal = form().elements.goal;
  const add = form().querySelector('[name="act"][value="add"]');
  if (!goal || !add || ![...goal.options].some((option) => option.value === place.dataset.code)) return;
  form().elements.next.value = "";
  goal.value = place.dataset.code;
  add.click();
});

document.addEventListener("input", (event) => {
  if (event.target.form?.id === "orders-form" && !["next", "goal"].includes(event.target.name)) draft.changed();
});

document.addEventListener("change", (event) => {
  const { form: its, name, value } = event.target;
  if (its?.id !== "orders-form" || !["next", "goal"].includes(name) || !value) return;
  its.elements[name === "next" ? "goal" : "next"].value = "";
  its.querySelector('[name="act"][value="add"]')?.click();
});

document.addEventListener("htmx:before:request", ({ target, detail: { ctx } }) => {
  if (target.id !== "orders-form") return;
  const { fetch } = ctx;
  ctx.fetch = (...request) => draft.quiet().then(() => fetch(...request));
});

// every button of the form sends what was typed, and the server keeps it
document.addEventListener("submit", (event) => {
  if (event.target.id === "orders-form") draft.settled();
});
