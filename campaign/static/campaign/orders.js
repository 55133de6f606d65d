// The orders form: a tap on a place of the chart adds the shortest way to it, as the list beside it does; what is typed is kept as a
// draft on the server, and leaving warns only while something is not kept yet.

const WAIT = 500; // milliseconds between the last change and its keeping
let timer = 0;
let changes = 0; // since the page was opened
let kept = 0; // of these

const form = () => document.querySelector("#orders-form");

function say(words) {
  const place = document.querySelector(".draft-state");
  if (place) place.textContent = words;
}

async function keep() {
  const data = new FormData(form());
  const until = changes;
  data.set("act", "keep");
  try {
    const answer = await fetch(form().action, { method: "POST", body: data, keepalive: true });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    kept = Math.max(kept, until);
    if (kept === changes) say("Changes saved as a draft.");
  } catch {
    say("Changes not saved yet.");
  }
}

function changed() {
  changes += 1;
  clearTimeout(timer);
  timer = setTimeout(keep, WAIT);
}

function settled() {
  clearTimeout(timer);
  kept = changes;
}

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
  if (event.target.form?.id === "orders-form" && !["next", "goal"].includes(event.target.name)) changed();
});

document.addEventListener("change", (event) => {
  const { form: its, name, value } = event.target;
  if (its?.id !== "orders-form" || !["next", "goal"].includes(name) || !value) return;
  its.elements[name === "next" ? "goal" : "next"].value = "";
  its.querySelector('[name="act"][value="add"]')?.click();
});

// every button of the form sends what was typed, and the server keeps it
document.addEventListener("submit", (event) => {
  if (event.target.id === "orders-form") settled();
});

window.addEventListener("beforeunload", (event) => {
  if (kept !== changes) event.preventDefault();
});
