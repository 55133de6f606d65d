// A tap on a place of the chart adds the shortest way to it, as the list beside it does.

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("#orders-form .place");
  if (!place) return;
  const form = document.querySelector("#orders-form");
  const goal = form.elements.goal;
  const add = form.querySelector('[name="act"][value="add"]');
  if (!goal || !add || ![...goal.options].some((option) => option.value === place.dataset.code)) return;
  form.elements.next.value = "";
  goal.value = place.dataset.code;
  add.click();
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id !== "orders-form" || !["next", "goal"].includes(event.target.name) || !event.target.value) return;
  form.elements[event.target.name === "next" ? "goal" : "next"].value = "";
  form.querySelector('[name="act"][value="add"]')?.click();
});
