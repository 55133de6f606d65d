// A mark and its row in the lists are one thing: choosing either lights up both. A chosen fleet shows how far it can sail.
// The filter of the sightings works on rows and marks alike.

import { spotOf } from "./chart-letters.js";

export class Choice {
  constructor(chart) {
    this.chart = chart;
    this.svg = chart.svg;
    this.said = chart.frame.querySelector(".chart-said");
    this.rows = [...document.querySelectorAll(".chart-layout [data-numbers].seen")];
    this.marks = [...this.svg.querySelectorAll(".sighting")];
    this.fleetRows = new Map([...document.querySelectorAll("[data-fleet]")].map((row) => [row.dataset.fleet, row]));
    this.svg.addEventListener("click", (event) => this.tapped(event));
    for (const button of document.querySelectorAll(".chart-layout .show")) {
      button.hidden = false;
      button.addEventListener("click", () => this.fromList(button.closest("li")));
    }
    this.filter = document.querySelector(".sightings-list .filter");
    if (!this.filter) return;
    this.filter.hidden = false;
    this.filter.addEventListener("input", () => this.sift());
    this.filter.addEventListener("submit", (event) => event.preventDefault());
  }

  tapped(event) {
    const fleet = event.target.closest(".fleet");
    const seen = event.target.closest(".sighting");
    if (fleet && this.fleetRows.has(fleet.dataset.code) && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.fleet(fleet);
    } else if (seen) {
      const row = this.rows.find((each) => one(each, seen));
      this.light(seen, row);
      this.tell(seen.querySelector("title").textContent.split("\n")[0]);
      this.open(row);
    }
  }

  fromList(row) {
    if (row.dataset.fleet) {
      const fleet = [...this.svg.querySelectorAll(".fleet")].find((each) => each.dataset.code === row.dataset.fleet);
      if (fleet) this.fleet(fleet);
    } else {
      const mark = this.marks.find((each) => one(each, row));
      if (mark?.classList.contains("old")) this.layer("old");
      this.layer("enemy");
      this.light(mark, row);
    }
    const now = this.svg.querySelector(".chosen");
    if (!now) return;
    const { x, y } = spotOf(now);
    this.chart.seek(x, y);
    this.chart.frame.scrollIntoView({ block: "nearest" });
  }

  // a layer that is off hides what was asked for
  layer(name) {
    const box = this.chart.frame.querySelector(`.layers [name="${name}"]`);
    if (!box || box.checked) return;
    box.checked = true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }

  light(mark, row) {
    for (const each of document.querySelectorAll(".chart-layout .chosen")) each.classList.remove("chosen");
    this.svg.querySelector(".reach").setAttribute("d", "");
    mark?.classList.add("chosen");
    row?.classList.add("chosen");
  }

  open(row) {
    const folded = row?.closest("details");
    if (folded) folded.open = true;
    row?.scrollIntoView({ block: "nearest" });
  }

  async fleet(mark) {
    const row = this.fleetRows.get(mark.dataset.code);
    this.layer("own");
    this.light(mark, row);
    this.tell(`${mark.dataset.line}.`, ...[...row.querySelectorAll("a")].map((link) => [link.textContent, link.href]));
    try {
      const answer = await fetch(row.dataset.reach, { headers: { Accept: "application/json" } });
      if (!answer.ok || !mark.classList.contains("chosen")) return;
      const { path, words } = await answer.json();
      this.svg.querySelector(".reach").setAttribute("d", path);
      if (words) this.said.append(document.createElement("br"), words);
    } catch { /* offline: the fleet is chosen all the same */ }
  }

  tell(words, ...links) {
    this.said.replaceChildren(words);
    for (const [text, href] of links) {
      const link = Object.assign(document.createElement("a"), { textContent: text, href });
      this.said.append(" ", link);
    }
    this.said.hidden = false;
  }

  sift() {
    const { age, kind, words } = this.filter.elements;
    const wanted = words.value.trim().toLowerCase();
    let left = 0;
    const fits = new Set();
    for (const row of this.rows) {
      const fit = (!age.value || Number(row.dataset.hours) <= Number(age.value))
        && (!kind.value || row.dataset.kinds.split(" ").includes(kind.value))
        && (!wanted || row.textContent.toLowerCase().includes(wanted));
      row.hidden = !fit;
      if (!fit) continue;
      left += 1;
      for (const number of row.dataset.numbers.split(" ")) fits.add(`${row.dataset.side} ${number}`);
      const folded = row.closest("details");
      if (folded && (age.value || kind.value || wanted)) folded.open = true;
    }
    for (const mark of this.marks) {
      const any = mark.dataset.numbers.split(" ").some((number) => fits.has(`${mark.dataset.side} ${number}`));
      mark.classList.toggle("filtered", !any);
    }
    this.filter.querySelector("[role=status]").textContent = `${left} of ${this.rows.length} shown`;
    this.chart.refresh();
  }
}

// whether a mark and a row are of the same contacts of the same side
function one(a, b) {
  const numbers = b.dataset.numbers.split(" ");
  return a.dataset.side === b.dataset.side && a.dataset.numbers.split(" ").some((number) => numbers.includes(number));
}
