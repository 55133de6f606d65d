// What the chart shows: each layer has a box to tick, and this browser remembers which are ticked.

const KEPT = "chart-layers";

export function layers(chart) {
  const boxes = chart.frame?.querySelector(".layers");
  if (!boxes) return;
  const kept = remembered();
  const apply = () => {
    for (const box of boxes.querySelectorAll("input")) chart.svg.classList.toggle(`no-${box.name}`, !box.checked);
    chart.refresh();
  };
  for (const box of boxes.querySelectorAll("input")) box.checked = kept[box.name] ?? box.checked;
  boxes.addEventListener("change", () => {
    const now = Object.fromEntries([...boxes.querySelectorAll("input")].map((box) => [box.name, box.checked]));
    try {
      localStorage.setItem(KEPT, JSON.stringify(now));
    } catch { /* a browser that keeps nothing shows what is ticked until the page is left */ }
    apply();
  });
  boxes.hidden = false;
  apply();
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}
