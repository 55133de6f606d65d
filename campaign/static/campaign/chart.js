// Pan and zoom of the chart: pointer (mouse, pen, one and two fingers), wheel and keyboard. Without it the drawing is whole.

const LEAST = 60; // chart units across: closer in, the coast shows no more detail
const STEP = 1.4;
const NEAR = 22; // pixels: marks of one kind that are nearer to each other than this are drawn as one
const LINES = 14; // of a mark's title
// where a report's ring may stand, in pixels from its spot, when an ensign or another ring is there
const LIFTS = [[0, 0], [0, -42], [-44, -26], [44, -42], [0, 34], [-44, 26]];

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
    [this.fleets, this.sightings, this.battles] = [".fleet", ".sighting", ".battle"].map((kind) => marksOf(svg, kind));
    svg.classList.add("live");
    this.home();
    this.listen();
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
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.letter(); });
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

  // fleets with their names, reports beside them, then the words of reports and places, each where it covers nothing that came before
  letter() {
    const k = this.k;
    const fleets = folded(this.fleets, NEAR * k, (n) => ` +${n} fleet${n === 1 ? "" : "s"}`);
    const battles = folded(this.battles, NEAR * k);
    const sightings = folded(this.sightings, NEAR * k, (n) => ` +${n} more`);
    const taken = fleets.flatMap(({ down, ...mark }) => [
      around(mark, -5, down - 28, 28, down - 10, k),
      around(mark, -6, down - 10, 6, down + 6, k),
    ]);
    taken.push(...battles.map((mark) => around(mark, -38, -12, -14, 12, k)));
    for (const mark of fleets) this.words(mark, taken, 0, mark.down, 9, -9, 24, [0, -54, 26]);
    for (const mark of sightings) {
      const free = LIFTS.find(([x, y]) => !taken.some((box) => overlap(box, around(mark, x - 11, y - 11, x + 11, y + 11, k))));
      mark.lift = free ?? LIFTS[1];
      const [x, y] = mark.lift;
      mark.el.querySelector(".leader").setAttribute("d", `M0 0L${x} ${y}`);
      mark.el.querySelector(".lifted").setAttribute("transform", `translate(${x} ${y})`);
      taken.push(around(mark, x - 11, y - 11, x + 11, y + 11, k));
    }
    for (const mark of sightings) this.words(mark, taken, ...mark.lift, 14, -9, 7);
    this.places(taken);
    for (const mark of this.svg.querySelectorAll(".degree")) {
      const at = mark.dataset.at;
      const across = mark.classList.contains("x");
      mark.setAttribute("transform", across ? `translate(${at} ${Math.max(0, this.y)})` : `translate(${Math.max(0, this.x)} ${at})`);
    }
    this.scaleBar();
  }

  // the words of a mark to its right or left, or a fleet's also above its ensign or below, where there is room and the frame does not
  // cut them off; else none
  words(mark, taken, dx, dy, gap, above, below, shifts = [0]) {
    const { width, height } = this.box;
    const frame = [this.x, this.y, this.x + width * this.k, this.y + height * this.k];
    const long = longest(mark.words);
    const sides = [[dx + gap - 2, dx + gap + long + 3, gap], [dx - gap - long - 3, dx - gap + 2, -gap]];
    const spots = shifts.flatMap((shift) => sides.map(([left, right, at]) => (
      { shift, at, box: around(mark, left, dy + shift + above, right, dy + shift + below, this.k) })));
    const free = spots.filter(({ box }) => !taken.some((other) => overlap(other, box)));
    const chosen = free.find(({ box }) => box[0] >= frame[0] && box[2] <= frame[2]) ?? free[0];
    mark.el.classList.toggle("crowded", !chosen);
    if (!chosen) return;
    taken.push(chosen.box);
    mark.words.setAttribute("transform", `translate(${chosen.at} ${mark.line + chosen.shift})`);
    mark.words.setAttribute("text-anchor", chosen.at < 0 ? "end" : "start");
  }

  places(taken) {
    const k = this.k;
    for (const place of this.svg.querySelectorAll(".place")) {
      const { e: x, f: y } = place.transform.baseVal.consolidate().matrix;
      const text = place.querySelector(".place-name");
      const long = (text.textContent.length * 6.6 + 4) * k;
      const right = [x + 5 * k, y - 8 * k, x + 8 * k + long, y + 6 * k];
      const left = [x - 8 * k - long, y - 8 * k, x - 5 * k, y + 6 * k];
      const free = [right, left].find((box) => !taken.some((other) => overlap(box, other)));
      place.classList.toggle("crowded", !free);
      if (!free) continue;
      taken.push(free);
      text.setAttribute("x", free === left ? "-7" : "7");
      text.setAttribute("text-anchor", free === left ? "end" : "start");
    }
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

// the marks of a kind with their spots, the weightiest first
function marksOf(svg, kind) {
  const marks = [...svg.querySelectorAll(kind)].map((el) => {
    const { e: x, f: y } = el.transform.baseVal.consolidate().matrix;
    const standing = el.querySelector(".standing");
    const down = standing ? standing.transform.baseVal.consolidate().matrix.f : 0;
    const words = el.querySelector(".words");
    const line = words ? words.transform.baseVal.consolidate().matrix.f : 0;
    return { el, x, y, down, words, line, side: el.dataset.side, weight: Number(el.dataset.weight), count: Number(el.dataset.count) };
  });
  return marks.sort((a, b) => b.weight - a.weight);
}

// marks that would cover each other become one, the weightiest, whose title names the others; more: the words for their number
function folded(marks, near, more) {
  const drawn = [];
  for (const mark of marks) {
    const host = drawn.find((other) => other.side === mark.side && Math.abs(other.x - mark.x) < near && Math.abs(other.y - mark.y) < near);
    mark.el.classList.toggle("folded", Boolean(host));
    mark.under = [];
    if (host) host.under.push(mark);
    else drawn.push(mark);
  }
  for (const { el, under } of drawn) {
    const lines = [el, ...under.map((other) => other.el)].map((each) => each.dataset.line);
    if (lines.length > LINES) lines.splice(LINES - 1, lines.length, `and ${lines.length - LINES + 1} more`);
    el.querySelector("title").textContent = lines.join("\n");
    const tail = el.querySelector(".more");
    if (tail && more) tail.textContent = under.length ? more(under.reduce((sum, other) => sum + other.count, 0)) : "";
  }
  return drawn;
}

// a box of pixels about a mark's spot, in chart units
function around(mark, left, top, right, bottom, k) {
  return [mark.x + left * k, mark.y + top * k, mark.x + right * k, mark.y + bottom * k];
}

// pixels of the longest line of a mark's words, measured once for each wording
const measured = new Map();
function longest(words) {
  const lengths = [...words.querySelectorAll("text")].map((text) => {
    const key = `${text.classList} ${text.textContent}`;
    if (!measured.has(key)) measured.set(key, text.getComputedTextLength());
    return measured.get(key);
  });
  return Math.max(0, ...lengths);
}

// the window stays on the paper; a window wider than the paper is centred on it
function kept(at, size, paper) {
  return size >= paper ? (paper - size) / 2 : Math.min(Math.max(at, 0), paper - size);
}

function overlap(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function start() {
  for (const svg of document.querySelectorAll("svg.chart:not(.live)")) new Chart(svg);
}

start();
document.addEventListener("htmx:after:swap", start);
