// Composing fleets: ships are dragged into squadrons, and a tap on the chart places a fleet. Both only fill in the form, which does
// everything without this script too.

const form = () => document.querySelector("#compose");
const button = (value) => form().querySelector(`button[name=act][value="${value}"]`);
document.documentElement.classList.add("scripted");

// Enter in a text field keeps what was typed; the first button of a form would do something else.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#compose input[type=text]")) return;
  event.preventDefault();
  button("save").click();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("#compose .place-of")) button("save").click();
});

// A dragged ship takes the ticked ones along if it is one of them.
document.addEventListener("dragstart", (event) => {
  const ship = event.target.closest?.(".ship");
  if (!ship) return;
  const tick = ship.querySelector("input");
  if (!tick.checked) {
    for (const other of form().querySelectorAll("input[name=ship]:checked")) other.checked = false;
    tick.checked = true;
  }
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", tick.value);
});

const targetOf = (event) => event.target.closest?.("#compose [data-to]");

document.addEventListener("dragover", (event) => {
  const target = targetOf(event);
  for (const other of document.querySelectorAll(".drop")) if (other !== target) other.classList.remove("drop");
  if (!target) return;
  event.preventDefault();
  target.classList.add("drop");
});

document.addEventListener("drop", (event) => {
  const target = targetOf(event);
  if (!target) return;
  event.preventDefault();
  form().querySelector("#to").value = target.dataset.to;
  button("move").click();
});

document.addEventListener("dragend", () => {
  for (const other of document.querySelectorAll(".drop")) other.classList.remove("drop");
});

// Places lie close together, so a tap is for the nearest one within a thumb's reach.
const REACH = 30; // CSS pixels

function nearest(chart, x, y) {
  let found = null;
  let least = REACH;
  for (const place of chart.querySelectorAll(".place")) {
    const box = place.querySelector(".dot").getBoundingClientRect();
    const away = Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
    if (away < least) [found, least] = [place, away];
  }
  return found;
}

document.addEventListener("click", (event) => {
  const chart = event.target.closest?.(".compose-chart svg");
  const chosen = document.querySelector("#chart-fleet");
  const place = chart && chosen && nearest(chart, event.clientX, event.clientY);
  if (!place) return;
  document.getElementById(chosen.value).value = place.dataset.code;
  button("save").click();
});
