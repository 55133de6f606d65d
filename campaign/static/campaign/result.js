// The result sheet: what is typed is kept as a draft, a ship's figures open on demand, and a lost connection loses nothing.

import { keeper } from "./drafts.js";

const WORDS = {
  kept: "Saved as a draft. It is not entered yet.",
  unkept: "No connection. What you typed is kept on this device, not on the site yet. Trying again.",
};

const form = () => document.querySelector("#result-form");

function say(state) {
  const place = document.querySelector(".draft-state");
  if (!place) return;
  place.textContent = WORDS[state];
  place.classList.toggle("unkept", state === "unkept");
}

const draft = keeper({ form, say, store: () => form()?.dataset.store ?? "" });

const rowOf = (code) => document.getElementById(`ship-${code}`);
const figuresOf = (row) => row.querySelector(".figures");

function setField(field, value) {
  if (field.type === "checkbox") field.checked = [value].flat().map(String).includes(field.value);
  else field.value = value ?? "";
}

// The bounds of the figures are those of the ship, and what they say is what the sheet or the draft has.
function openFigures(row) {
  if (figuresOf(row)) return;
  const { code, kind, most, figures } = row.dataset;
  const model = document.querySelector(`template[data-kind="${CSS.escape(kind)}"]`);
  const made = document.createElement("template");
  made.innerHTML = model.innerHTML.replaceAll("SHIP", code);
  const bounds = most ? most.split(" ").map((pair) => pair.split(":")) : [];
  made.content.querySelectorAll(".figure-fields")[0]?.querySelectorAll('input[type="number"]').forEach((field, n) => {
    field.max = bounds[n][0];
    field.value = bounds[n][1];
    const help = field.parentElement.querySelector(".help");
    if (help) help.textContent = `of ${bounds[n][0]}`;
  });
  const said = figures ? JSON.parse(figures) : {};
  for (const field of made.content.querySelectorAll("input, select")) {
    const name = field.name.slice(code.length + 1);
    if (name in said) setField(field, said[name]);
  }
  row.append(made.content);
}

function markTyped(row) {
  row.classList.add("typed");
  const squadron = row.closest(".squadron");
  const badge = squadron.querySelector("summary .badge");
  badge.className = "badge warn";
  badge.textContent = `${squadron.querySelectorAll(".result-row.typed").length} not entered`;
}

function fateChanged(row, fate) {
  if (!fate) figuresOf(row)?.remove();
  else if (fate === "afloat" || fate === "captured") openFigures(row);
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (field.form?.id !== "result-form") return;
  const row = field.closest(".result-row");
  if (row) {
    const fate = row.querySelector("select");
    if (field === fate) fateChanged(row, fate.value);
    else if (!fate.value) fate.value = "afloat";
    markTyped(row);
    draft.changed(fate.name, field.name);
  } else draft.changed(field.name);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('#result-form [value^="open:"]');
  if (!button) return;
  event.preventDefault();
  const row = button.closest(".result-row");
  const there = figuresOf(row);
  if (!there) openFigures(row);
  else there.hidden = !there.hidden;
});

// The page comes back in place of itself, so that without a connection nothing is lost.
document.addEventListener("submit", async (event) => {
  if (event.target.id !== "result-form") return;
  event.preventDefault();
  const data = new FormData(form());
  if (event.submitter) data.set(event.submitter.name, event.submitter.value);
  let answer, text;
  await draft.quiet();
  try {
    answer = await fetch(form().action, { method: "POST", body: data });
    text = await answer.text();
  } catch {
    draft.failed();
    return;
  }
  draft.settled();
  if (answer.status === 204) return;
  const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (!main) return;
  document.querySelector("main").replaceWith(main);
  if (answer.redirected) history.replaceState(null, "", answer.url);
  const goal = main.querySelector('[role="alert"]') ?? main.querySelector(".message") ?? main;
  goal.tabIndex = -1;
  goal.focus();
});

// What an earlier visit could not send.
const left = draft.left();
for (const [name, values] of left) {
  const row = rowOf(name.slice(0, name.lastIndexOf("-")));
  if (row && !form().elements[name]) openFigures(row);
  const fields = form()?.querySelectorAll(`[name="${CSS.escape(name)}"]`) ?? [];
  for (const field of fields) setField(field, field.type === "checkbox" ? values : values[0]);
  if (row) {
    markTyped(row);
    row.closest(".squadron").open = true;
  }
  if (fields.length) draft.changed(name);
}
