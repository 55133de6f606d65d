// Editing many ships: a column whose value is changed is ticked, so that no value is left out for want of a tick.
document.addEventListener("input", (event) => {
  const row = event.target.closest(".bulk-row");
  const tick = row?.querySelector("input[name^='set-']");
  if (tick && event.target !== tick) tick.checked = true;
});
