// Editing many ships: a column whose value is changed is ticked, so that no value is left out for want of a tick.
const tick = (field) => {
  const box = field.closest(".bulk-row")?.querySelector("input[name^='set-']");
  if (box && field !== box) box.checked = true;
};
document.addEventListener("input", (event) => tick(event.target));
// what was typed while the page was still loading
for (const field of document.querySelectorAll(".bulk-row input:not([type='checkbox']), .bulk-row textarea")) {
  if (field.value !== field.defaultValue) tick(field);
}
