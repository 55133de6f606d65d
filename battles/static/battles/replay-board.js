// The board on a canvas: the view of it, and where ships lie between one phase and the next. What it measures by is its space.

import { FONT, blasts, broadsides, fans, ground, labels, lines, melees, rose, wakes } from "./replay-layers.js";
import { drawShip } from "./replay-ship.js";
import { bases, beams, waters, weather } from "./replay-sea.js";
import { spaceOf, swing } from "./replay-space.js";

const INKS = ["ink", "ink-soft", "sheet-high", "bad", "warn", "chart-sea", "chart-land", "chart-shallow", "chart-shore", "chart-grid", "rule", "sea-ink"];

// What is left free about the ships when all of them are shown, in pixels: at the edges, for the buttons at the right, for the clock above.
const [EDGE, BUTTONS, CLOCK] = [14, 52, 40];

export class Board {
  constructor(canvas, doc, colourNames) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.doc = doc;
    this.space = spaceOf(doc);
    this.colourNames = colourNames;
    this.view = { x: 0, y: 0, scale: 8 };
    this.chosen = -1;
    this.spots = new Map();
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(`--${name}`).trim();
    this.ink = Object.fromEntries(INKS.map((name) => [name, value(name)]));
    this.colours = {};
    for (const side of this.doc.sides) this.colours[side.id] = value(this.colourNames[side.id] || "ink-soft") || this.ink["ink-soft"];
  }

  fit() {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.width = Math.max(1, box.width);
    this.height = Math.max(1, box.height);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
  }

  centre(ship) {
    return this.space.centre(ship.q, ship.r);
  }

  // The view that shows every ship on the board; null when there are none. `stray`: leaves out the few farthest ones.
  overall(state, stray = false) {
    const places = state.ships.filter((ship) => ship.there && !ship.gone).map((ship) => this.centre(ship));
    if (!places.length) return null;
    const { framed, least } = this.space.scales;
    const span = (axis) => {
      const sorted = places.map((place) => place[axis]).sort((a, b) => a - b);
      const cut = stray ? Math.floor(sorted.length * 0.03) : 0;
      return [sorted[cut], sorted[sorted.length - 1 - cut]];
    };
    const [[west, east], [north, south]] = [span(0), span(1)];
    const [wide, high] = this.space.margin;
    const [across, down] = [this.width - 2 * EDGE - BUTTONS, this.height - 2 * EDGE - CLOCK];
    const scale = Math.min(framed, Math.max(least, Math.min(across / (east - west + wide), down / (south - north + high))));
    return { x: (west + east + BUTTONS / scale) / 2, y: (north + south - CLOCK / scale) / 2, scale };
  }

  // The view with a ship in the middle, near enough to be looked at.
  about(ship) {
    const [x, y] = this.centre(ship);
    return { x, y, scale: Math.max(this.space.scales.chosen, this.view.scale) };
  }

  toScreen([x, y]) {
    return [(x - this.view.x) * this.view.scale + this.width / 2, (y - this.view.y) * this.view.scale + this.height / 2];
  }

  zoom(factor, at = [this.width / 2, this.height / 2]) {
    const { view } = this;
    const { least, most } = this.space.scales;
    const x = (at[0] - this.width / 2) / view.scale + view.x;
    const y = (at[1] - this.height / 2) / view.scale + view.y;
    view.scale = Math.min(most, Math.max(least, view.scale * factor));
    view.x = x - (at[0] - this.width / 2) / view.scale;
    view.y = y - (at[1] - this.height / 2) / view.scale;
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
  }

  bring(ship) {
    Object.assign(this.view, this.about(ship));
  }

  // Whether a ship is drawn within the canvas.
  inSight(n) {
    const [x, y] = this.spots.get(n) ?? [-1, -1];
    return x >= 0 && y >= 0 && x <= this.width && y <= this.height;
  }

  // The board as it is drawn now with lines of text above it, as a PNG: ink and lettering are in the picture, so it needs no style sheet.
  picture([title, ...lines]) {
    const sheet = document.createElement("canvas");
    const [line, pad] = [22, 12];
    const head = pad * 2 + 26 + lines.length * line;
    sheet.width = Math.round(this.width * this.ratio);
    sheet.height = Math.round((this.height + head) * this.ratio);
    const c = sheet.getContext("2d");
    c.scale(this.ratio, this.ratio);
    c.fillStyle = this.ink["sheet-high"];
    c.fillRect(0, 0, this.width, this.height + head);
    c.fillStyle = this.ink.ink;
    c.textBaseline = "top";
    c.font = `600 20px ${FONT}`;
    c.fillText(title, pad, pad, this.width - 2 * pad);
    c.font = `16px ${FONT}`;
    lines.forEach((text, n) => c.fillText(text, pad, pad + 28 + n * line, this.width - 2 * pad));
    c.drawImage(this.canvas, 0, head, this.width, this.height);
    return new Promise((done) => { sheet.toBlob(done, "image/png"); });
  }

  // The ship nearest to a point of the canvas, -1 where none is within a thumb's width.
  shipAt(px, py) {
    let [found, least] = [-1, Math.max(22, Math.min(40, this.view.scale)) ** 2];
    for (const [n, [x, y]] of this.spots) {
      const away = (x - px) ** 2 + (y - py) ** 2;
      if (away < least) [found, least] = [n, away];
    }
    return found;
  }

  // before, after: states around the phase; ops: what happens in it; p: 0..1 how far it has come.
  draw(before, after, ops, p) {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ground(this);
    const open = this.doc.board === "sea";
    if (open) waters(this, after);
    const poses = this.#poses(before, after, ops, p);
    wakes(this, after, ops, p);
    this.spots = new Map();
    for (const pose of poses) this.spots.set(pose.ship.n, this.toScreen([pose.x, pose.y]));
    const chosen = poses.find((pose) => pose.ship.n === this.chosen);
    if (chosen) fans(this, chosen);
    lines(this, p >= 1 ? after : before);
    if (open) { bases(this, poses); beams(this, p >= 1 ? after : before); }
    for (const pose of poses) drawShip(this, pose);
    broadsides(this, ops, p);
    melees(this, ops);
    if (open) weather(this, after);
    labels(this, poses);
    blasts(this, ops, p);
    rose(this, after.wind);
  }

  // Ships in one place lie side by side, where the board has places that hold several.
  #offsets(state) {
    const { space } = this;
    const offsets = new Map();
    if (space.crowd) {
      const here = new Map();
      for (const ship of state.ships) {
        if (!ship.there) continue;
        const key = `${ship.q},${ship.r}`;
        if (!here.has(key)) here.set(key, []);
        here.get(key).push(ship.n);
      }
      for (const ships of here.values()) {
        if (ships.length > 1) ships.forEach((n, i) => offsets.set(n, (i - (ships.length - 1) / 2) * space.crowd));
      }
    }
    return (ship) => {
      const by = offsets.get(ship.n) ?? 0;
      const turn = space.turn(ship.f);
      const [x, y] = this.centre(ship);
      return [x + by * Math.cos(turn), y + by * Math.sin(turn)];
    };
  }

  #poses(before, after, ops, p) {
    const [start, end] = [this.#offsets(before), this.#offsets(after)];
    const paths = new Map();
    const moves = ops.filter(([kind]) => kind === "M");
    moves.forEach(([, n, path], k) => paths.set(n, [path, moves.length > 1 ? k / (moves.length - 1) : 0]));
    const poses = [];
    for (const ship of before.ships) {
      const then = after.ships[ship.n];
      if (!ship.there && !(then.there && p > 0)) continue;
      if (p >= 1 && !then.there) continue;
      const shown = p >= 1 ? then : { ...ship, there: true };
      const moved = paths.get(ship.n);
      if (!ship.there || p >= 1) poses.push(this.#pose(shown, end(then), then.f));
      else if (moved) poses.push(this.#along(shown, moved[0], Math.min(1, Math.max(0, (p - moved[1] * 0.55) / 0.45)), start(ship), end(then)));
      else {
        const [a, b] = [start(ship), end(then)];
        const heading = ship.f + swing(this.space, ship.f, then.f) * p;
        poses.push(this.#pose(shown, [a[0] + (b[0] - a[0]) * p, a[1] + (b[1] - a[1]) * p], heading));
      }
    }
    return poses;
  }

  #pose(ship, [x, y], facing) {
    return { ship, x, y, turn: this.space.turn(facing) };
  }

  #along(ship, path, part, start, end) {
    const points = [];
    for (let i = 0; i < path.length; i += 3) points.push([...this.space.centre(path[i], path[i + 1]), path[i + 2]]);
    const last = points.length - 1;
    [points[0][0], points[0][1]] = start;
    [points[last][0], points[last][1]] = end;
    const at = part * last;
    const k = Math.min(last, Math.floor(at));
    const next = points[Math.min(last, k + 1)];
    const rest = at - k;
    const place = [points[k][0] + (next[0] - points[k][0]) * rest, points[k][1] + (next[1] - points[k][1]) * rest];
    return this.#pose(ship, place, points[k][2] + swing(this.space, points[k][2], next[2]) * rest);
  }
}
