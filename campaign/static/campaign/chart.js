// Pan and zoom of the chart: pointer (mouse, pen, one and two fingers), wheel and keyboard. Without it the drawing is whole.

import { Choice } from "./chart-choice.js";
import { layers } from "./chart-layers.js";
import { Letters } from "./chart-letters.js";
import { Measure } from "./chart-measure.js";

const LEAST = 60; // chart units across: closer in, the coast shows no more detail
const STEP = 1.4;

class Chart {
  constructor(svg) {
    this.svg = svg;
    this.frame = svg.closest(".chart-frame");
    this.width = Number(svg.dataset.width);
    this.height = Number(svg.dataset.height);
    this.unitsAMile = Number(svg.dataset.mile);
    const [x, y, w, h] = svg.getAttribute("viewBox").split(/\s+/).map(Number);
    this.first = { x, y, w, h };
    this.pointers = new Map();
    this.letters = new Letters(svg);
    svg.classList.add("live");
    this.home();
    this.listen();
    if (!svg.closest(".chart-layout")) return; // the chart of a form is to look at and to pick places on
    layers(this);
    new Measure(this);
    new Choice(this);
  }

  get box() {
    return this.svg.getBoundingClientRect();
  }

  home() {
    // the whole of the first view fits, and the rest of the frame is filled with chart
    const { width, height } = this.box;
    const k = Math.max(this.first.w / width, this.first.h / height);
    const cx = this.first.x + this.first.w / 2;
    const cy = this.first.y + this.first.h / 2;
    this.show(cx - (k * width) / 2, cy - (k * height) / 2, k);
  }

  show(x, y, k) {
    const { width, height } = this.box;
    if (!width || !height) return;
    const most = Math.max(this.width / width, this.height / height);
    this.k = Math.min(Math.max(k, LEAST / width), most);
    const w = this.k * width;
    const h = this.k * height;
    this.x = kept(x, w, this.width);
    this.y = kept(y, h, this.height);
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${w} ${h}`);
    // on the frame, which has no id: htmx copies the attributes of what it swaps by id, and the policy forbids a copied style
    (this.frame ?? this.svg).style.setProperty("--k", this.k);
    this.refresh();
  }

  zoom(factor, clientX, clientY) {
    const { left, top, width, height } = this.box;
    const px = (clientX ?? left + width / 2) - left;
    const py = (clientY ?? top + height / 2) - top;
    const before = this.k;
    const k = Math.min(Math.max(before * factor, LEAST / width), Math.max(this.width / width, this.height / height));
    this.show(this.x + px * (before - k), this.y + py * (before - k), k);
  }

  pan(dx, dy) {
    this.show(this.x + dx * this.k, this.y + dy * this.k, this.k);
  }

  // everything that depends on the scale but the drawing itself
  letter() {
    const { width, height } = this.box;
    this.letters.set([this.x, this.y, this.x + width * this.k, this.y + height * this.k], this.k);
    for (const mark of this.svg.querySelectorAll(".degree")) {
      const at = mark.dataset.at;
      const across = mark.classList.contains("x");
      mark.setAttribute("transform", across ? `translate(${at} ${Math.max(0, this.y)})` : `translate(${Math.max(0, this.x)} ${at})`);
    }
    this.scaleBar();
  }

  // letter it in the next frame, once
  refresh() {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.letter(); });
  }

  // the spot of the chart under a point of the window
  spot(clientX, clientY) {
    const { left, top } = this.box;
    return [this.x + (clientX - left) * this.k, this.y + (clientY - top) * this.k];
  }

  get centre() {
    const { width, height } = this.box;
    return [this.x + (width * this.k) / 2, this.y + (height * this.k) / 2];
  }

  // bring a spot into view, in the middle unless it is well inside already
  seek(x, y) {
    const { width, height } = this.box;
    const [px, py] = [(x - this.x) / this.k, (y - this.y) / this.k];
    if (px > 60 && py > 60 && px < width - 60 && py < height - 60) return;
    this.show(x - (width * this.k) / 2, y - (height * this.k) / 2, this.k);
  }

  scaleBar() {
    const bar = this.frame?.querySelector(".scale-bar");
    if (!bar) return;
    const pixels = this.unitsAMile / this.k;
    const miles = [500, 250, 200, 100, 50, 25, 20, 10, 5, 2, 1].find((n) => n * pixels <= 170) ?? 1;
    bar.querySelector("path").setAttribute("d", `M1 8v8h${(miles * pixels).toFixed(1)}V8`);
    bar.querySelector("text").textContent = `${miles} nautical mile${miles === 1 ? "" : "s"}`;
  }

  listen() {
    const svg = this.svg;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.travel = 0;
    });
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      svg.addEventListener(end, (event) => {
        this.pointers.delete(event.pointerId);
        if (!this.pointers.size) svg.classList.remove("moving");
      });
    }
    // a drag that ends on a fleet is not a click on it
    svg.addEventListener("click", (event) => { if (this.travel > 6) { event.preventDefault(); event.stopPropagation(); } }, true);
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.key(event));
    for (const tool of this.frame?.querySelectorAll("[data-zoom]") ?? []) {
      tool.addEventListener("click", () => this.tool(tool.dataset.zoom));
    }
    const tools = this.frame?.querySelector(".chart-tools");
    if (tools) tools.hidden = false;
    new ResizeObserver(() => this.show(this.x, this.y, this.k)).observe(svg);
  }

  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    this.travel += Math.abs(dx) + Math.abs(dy);
    if (this.travel > 6 && !this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    if (others.length === 1) {
      const [other] = others;
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (before && now) this.zoom(before / now, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
    } else if (!others.length && this.travel > 3) {
      this.svg.classList.add("moving");
      this.pan(-dx, -dy);
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = 60;
    const acts = {
      "+": () => this.zoom(1 / STEP), "=": () => this.zoom(1 / STEP), "-": () => this.zoom(STEP), 0: () => this.home(),
      ArrowLeft: () => this.pan(-far, 0), ArrowRight: () => this.pan(far, 0),
      ArrowUp: () => this.pan(0, -far), ArrowDown: () => this.pan(0, far),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  tool(name) {
    if (name === "home") this.home();
    else this.zoom(name === "in" ? 1 / STEP : STEP);
  }
}

// the window stays on the paper; a window wider than the paper is centred on it
function kept(at, size, paper) {
  return size >= paper ? (paper - size) / 2 : Math.min(Math.max(at, 0), paper - size);
}

function start() {
  for (const svg of document.querySelectorAll("svg.chart:not(.live)")) new Chart(svg);
}

start();
document.addEventListener("htmx:after:swap", start);
