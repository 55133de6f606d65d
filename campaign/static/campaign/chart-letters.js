// Where the marks of the chart and their words stand at a scale, so that nothing covers anything; as campaign/selectors/chart/lettering.py.

const NEAR = 22; // pixels: marks of one kind that are nearer to each other than this are drawn as one
const LINES = 14; // of a mark's title
// where a report's ring may stand, in pixels from its spot, when an ensign or another ring is there
const LIFTS = [[0, 0], [0, -42], [-44, -26], [44, -42], [0, 34], [-44, 26], [44, 26], [-44, 0], [44, -8]];
const BARBS = [[0, -48], [0, 48], [58, 0], [-58, 0], [58, -48], [-58, -48], [58, 48], [-58, 48]];
const SHIFTS = [0, -54, 26]; // a fleet's words stand beside the spot, above the ensign or below

export class Letters {
  constructor(svg) {
    this.svg = svg;
    [this.fleets, this.sightings, this.battles] = [".fleet", ".sighting", ".battle"].map((kind) => marksOf(svg, kind));
    this.barbs = [...svg.querySelectorAll(".barb")].map((el) => (
      { el, spots: el.dataset.spots.trim().split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number)) }));
    this.places = [...svg.querySelectorAll(".place")].map((el) => (
      { el, ...spotOf(el), text: el.querySelector(".place-name") }));
    this.labels = [...svg.querySelectorAll(".label")].map((el) => ({ el, box: turned(el) }));
  }

  // frame: left, top, right, bottom of what is shown, in chart units; k: of them to a pixel
  set(frame, k) {
    this.frame = frame;
    this.k = k;
    this.taken = [];
    const off = (layer) => this.svg.classList.contains(`no-${layer}`);
    const fleets = off("own") ? [] : folded(this.fleets, NEAR * k, (n) => ` +${n} fleet${n === 1 ? "" : "s"}`);
    slotted(fleets, NEAR * k);
    const battles = folded(this.battles, NEAR * k);
    const seen = off("enemy") ? [] : this.sightings.filter(({ el }) => !off("old") || !el.classList.contains("old"));
    const shown = seen.filter(({ el }) => !el.classList.contains("filtered"));
    const sightings = folded(shown, NEAR * k, (n) => ` +${n} more`);
    this.taken.push(...fleets.map((mark) => around(mark, -6, mark.down - 28, 28, mark.down + 6, k)));
    this.taken.push(...battles.map((mark) => around(mark, -38, -12, -14, 12, k)));
    for (const mark of fleets) this.words(mark, 0, mark.down, 9, -9, 24, SHIFTS);
    for (const mark of sightings) this.ring(mark);
    for (const mark of sightings) {
      const old = mark.el.classList.contains("old");
      if (!old && mark.lift) this.words(mark, ...mark.lift, 14, -9, 7);
    }
    if (!off("winds")) for (const barb of this.barbs) this.barb(barb);
    if (off("names")) return;
    for (const place of this.places) this.place(place);
    for (const label of this.labels) this.settled(label.el, [label.box]);
  }

  // the first of some boxes that covers nothing, in the frame if it can be; it is taken, and a mark without any is crowded
  // whole: none that the frame cuts off; only a ring may be
  settled(el, boxes, whole = true) {
    const [left, top, right, bottom] = this.frame;
    const bare = boxes.filter((box) => !this.taken.some((other) => overlap(box, other)));
    const chosen = bare.find((box) => box[0] >= left && box[1] >= top && box[2] <= right && box[3] <= bottom) ?? (whole ? undefined : bare[0]);
    el.classList.toggle("crowded", !chosen);
    if (chosen) this.taken.push(chosen);
    return boxes.indexOf(chosen);
  }

  ring(mark) {
    const boxes = LIFTS.map(([x, y]) => around(mark, x - 11, y - 11, x + 11, y + 11, this.k));
    const n = this.settled(mark.el, boxes, false);
    mark.lift = LIFTS[n];
    mark.el.classList.toggle("folded", n < 0); // left to the list
    if (n < 0) return;
    const [x, y] = mark.lift;
    mark.el.querySelector(".leader").setAttribute("d", `M0 0L${x} ${y}`);
    mark.el.querySelector(".lifted").setAttribute("transform", `translate(${x} ${y})`);
  }

  words(mark, dx, dy, gap, above, below, shifts = [0]) {
    const long = longest(mark.words);
    const sides = [[gap - 2, gap + long + 3, gap], [-gap - long - 3, -gap + 2, -gap]];
    const spots = shifts.flatMap((shift) => sides.map(([left, right, at]) => (
      { shift, at, end: at < 0, box: around(mark, dx + left, dy + shift + above, dx + right, dy + shift + below, this.k) })));
    if (inside(mark, this.frame)) spots.push(...spots.filter(({ shift }) => shift).map((spot) => this.pushed(spot)));
    const chosen = spots[this.settled(mark.el, spots.map(({ box }) => box))];
    if (!chosen) return;
    mark.words.setAttribute("transform", `translate(${chosen.at} ${mark.line + chosen.shift})`);
    mark.words.setAttribute("text-anchor", chosen.end ? "end" : "start");
  }

  // words above or below a mark that a side of the frame would cut off, moved along to that side
  pushed({ box: [left, top, right, bottom], ...spot }) {
    const [west, , east] = this.frame;
    const by = left < west ? Math.ceil((west - left) / this.k) : Math.min(0, Math.floor((east - right) / this.k));
    return { ...spot, at: spot.at + by, box: [left + by * this.k, top, right + by * this.k, bottom] };
  }

  barb({ el, spots }) {
    const k = this.k;
    const all = spots.flatMap(([x, y]) => BARBS.map(([dx, dy]) => ({ x: x + dx * k, y: y + dy * k })));
    const chosen = all[this.settled(el, all.map((spot) => around(spot, -34, -20, 34, 34, k)))];
    if (chosen) el.setAttribute("transform", `translate(${chosen.x} ${chosen.y})`);
  }

  place(place) {
    const long = measure(place.text);
    const n = this.settled(place.el, [around(place, 5, -8, long + 10, 6, this.k), around(place, -long - 10, -8, -5, 6, this.k)]);
    place.text.setAttribute("x", n === 1 ? "-7" : "7");
    place.text.setAttribute("text-anchor", n === 1 ? "end" : "start");
  }
}

// the marks of a kind with their spots, the weightiest first
function marksOf(svg, kind) {
  const marks = [...svg.querySelectorAll(kind)].map((el) => {
    const line = kind === ".fleet" ? 6 : 4;
    return { el, ...spotOf(el), down: 0, words: el.querySelector(".words"), line, side: el.dataset.side, weight: Number(el.dataset.weight), count: Number(el.dataset.count) };
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

// fleets of other sides at one spot, which only the umpire sees, stand below each other
function slotted(fleets, near) {
  for (const [n, mark] of fleets.entries()) {
    const above = fleets.slice(0, n).filter((other) => other.side !== mark.side && Math.abs(other.x - mark.x) < near && Math.abs(other.y - mark.y) < near);
    mark.down = 50 * above.length;
    mark.el.querySelector(".standing").setAttribute("transform", `translate(0 ${mark.down})`);
    mark.el.querySelector(".leader")?.setAttribute("d", `M0 0V${mark.down}`);
  }
}

function inside({ x, y }, [left, top, right, bottom]) {
  return x >= left && y >= top && x <= right && y <= bottom;
}

export function spotOf(el) {
  const { e: x, f: y } = el.transform.baseVal.consolidate().matrix;
  return { x, y };
}

// a name of a sea or a land as a box in chart units, about its own turn
function turned(el) {
  const { x, y, width, height } = el.getBBox();
  const turn = el.transform.baseVal.numberOfItems ? el.transform.baseVal.consolidate().matrix : { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]]
    .map(([px, py]) => [turn.a * px + turn.c * py + turn.e, turn.b * px + turn.d * py + turn.f]);
  const xs = corners.map(([px]) => px);
  const ys = corners.map(([, py]) => py);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

// pixels of a line and of the longest line of a mark's words, measured once for each wording
const measured = new Map();
function measure(text) {
  const key = `${text.classList} ${text.closest(".tier1") ? 1 : 0} ${text.textContent}`;
  if (!measured.get(key)) measured.set(key, text.getComputedTextLength());
  return measured.get(key) || text.textContent.length * 6.6; // a folded mark has no length yet
}

function longest(words) {
  return Math.max(0, ...[...words.querySelectorAll("text")].map(measure));
}

function overlap(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
