// The hex board on a canvas: where ships lie, how they head, who fires at whom. Flat-top hexes, q to the east, r to the south.

const ROOT3 = Math.sqrt(3);
const LEAST = 4;
const STRENGTHS = ["still", "light", "normal", "strong", "gale"];

export const centre = (q, r) => [1.5 * q, ROOT3 * (r + q / 2)];

export class Board {
  constructor(canvas, doc, colourNames) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.doc = doc;
    this.colourNames = colourNames;
    this.view = { x: 0, y: 0, scale: 8 };
    this.chosen = -1;
    this.spots = new Map();
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(`--${name}`).trim();
    this.ink = {};
    for (const name of ["ink", "ink-soft", "sheet-high", "bad", "warn", "chart-sea", "chart-land", "chart-shallow", "chart-shore", "chart-grid", "rule", "sea-ink"]) this.ink[name] = value(name);
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

  // The view that shows the ships on the board, the few farthest ones apart; null when there are none. On a small screen,
  // where that would make them specks, the thick of the fight instead, unless `whole` is asked for.
  overall(state, whole) {
    const places = state.ships.filter((ship) => ship.there && !ship.gone).map((ship) => centre(ship.q, ship.r));
    if (!places.length) return null;
    const span = (axis) => {
      const sorted = places.map((place) => place[axis]).sort((a, b) => a - b);
      const cut = Math.floor(sorted.length * 0.03);
      return [sorted[cut], sorted[sorted.length - 1 - cut]];
    };
    const [[west, east], [north, south]] = [span(0), span(1)];
    const scale = Math.min((this.width - 40) / (east - west + 6), (this.height - 90) / (south - north + 6));
    if (!whole && scale < LEAST) return this.#thick(places);
    return { x: (west + east) / 2, y: (north + south) / 2, scale: Math.min(30, Math.max(2.2, scale)) };
  }

  // Where most ships are in sight at once; stays where it looks while that is nearly as good.
  #thick(places) {
    const [half, high] = [this.width / 2 / (LEAST + 2), this.height / 2 / (LEAST + 2)];
    const inSight = ([x, y]) => places.filter((place) => Math.abs(place[0] - x) < half && Math.abs(place[1] - y) < high);
    let best = inSight([this.view.x, this.view.y]);
    for (const place of places) {
      const seen = inSight(place);
      if (seen.length > best.length * 1.35) best = seen;
    }
    const mean = (axis) => best.reduce((sum, place) => sum + place[axis], 0) / best.length;
    return { x: mean(0), y: mean(1), scale: LEAST + 2 };
  }

  toScreen([x, y]) {
    return [(x - this.view.x) * this.view.scale + this.width / 2, (y - this.view.y) * this.view.scale + this.height / 2];
  }

  zoom(factor, at = [this.width / 2, this.height / 2]) {
    const { view } = this;
    const x = (at[0] - this.width / 2) / view.scale + view.x;
    const y = (at[1] - this.height / 2) / view.scale + view.y;
    view.scale = Math.min(70, Math.max(1.5, view.scale * factor));
    view.x = x - (at[0] - this.width / 2) / view.scale;
    view.y = y - (at[1] - this.height / 2) / view.scale;
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
  }

  // The ship nearest to a point of the canvas, -1 where none is within a thumb's width.
  shipAt(px, py) {
    let [found, least] = [-1, Math.max(22, this.view.scale) ** 2];
    for (const [n, [x, y]] of this.spots) {
      const away = (x - px) ** 2 + (y - py) ** 2;
      if (away < least) [found, least] = [n, away];
    }
    return found;
  }

  // before, after: states around the phase; ops: what happens in it; p: 0..1 how far it has come.
  draw(before, after, ops, p) {
    const { context: c } = this;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.ink["chart-sea"];
    c.fillRect(0, 0, this.width, this.height);
    this.#ground();
    const poses = this.#poses(before, after, ops, p);
    const state = p >= 1 ? after : before;
    this.#wakes(after, ops, p);
    this.spots = new Map();
    for (const pose of poses) this.spots.set(pose.ship.n, this.toScreen([pose.x, pose.y]));
    this.#locks(state);
    for (const pose of poses) this.#ship(pose);
    this.#broadsides(ops, p);
    this.#labels(poses);
    this.#blasts(ops, p);
    this.#rose(after.wind);
  }

  #ground() {
    const { context: c, view } = this;
    for (const [cells, colour] of [[this.doc.shoal, "chart-shallow"], [this.doc.land, "chart-land"]]) {
      c.fillStyle = this.ink[colour];
      for (const [q, r] of cells) { this.#hex(q, r); c.fill(); }
    }
    if (view.scale < 9) return;
    c.strokeStyle = this.ink["chart-grid"];
    c.globalAlpha = Math.min(0.35, (view.scale - 9) / 30);
    c.lineWidth = 0.7;
    const reach = this.width / 2 / view.scale;
    for (let q = Math.floor((view.x - reach) / 1.5) - 1; q <= (view.x + reach) / 1.5 + 1; q += 1) {
      const half = this.height / 2 / view.scale;
      for (let r = Math.floor((view.y - half) / ROOT3 - q / 2) - 1; r <= (view.y + half) / ROOT3 - q / 2 + 1; r += 1) { this.#hex(q, r); c.stroke(); }
    }
    c.globalAlpha = 1;
  }

  #hex(q, r) {
    const { context: c, view } = this;
    const [x, y] = this.toScreen(centre(q, r));
    c.beginPath();
    for (let i = 0; i < 6; i += 1) c.lineTo(x + view.scale * Math.cos((i * Math.PI) / 3), y + view.scale * Math.sin((i * Math.PI) / 3));
    c.closePath();
  }

  // Ships in one hex lie side by side.
  #offsets(state) {
    const here = new Map();
    for (const ship of state.ships) {
      if (!ship.there) continue;
      const key = `${ship.q},${ship.r}`;
      if (!here.has(key)) here.set(key, []);
      here.get(key).push(ship.n);
    }
    const offsets = new Map();
    for (const ships of here.values()) {
      if (ships.length > 1) ships.forEach((n, i) => offsets.set(n, (i - (ships.length - 1) / 2) * 0.62));
    }
    return (ship) => {
      const by = offsets.get(ship.n) ?? 0;
      const turn = (ship.f * Math.PI) / 3;
      const [x, y] = centre(ship.q, ship.r);
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
      if (!ship.there || p >= 1) poses.push(this.#pose(shown, p >= 1 ? end(then) : end(then), then.f));
      else if (moved) poses.push(this.#along(shown, moved[0], Math.min(1, Math.max(0, (p - moved[1] * 0.55) / 0.45)), start(ship), end(then)));
      else {
        const [a, b] = [start(ship), end(then)];
        poses.push(this.#pose(shown, [a[0] + (b[0] - a[0]) * p, a[1] + (b[1] - a[1]) * p], ship.f));
      }
    }
    return poses;
  }

  #pose(ship, [x, y], facing) {
    return { ship, x, y, turn: (facing * Math.PI) / 3 };
  }

  #along(ship, path, part, start, end) {
    const points = [];
    for (let i = 0; i < path.length; i += 3) points.push([...centre(path[i], path[i + 1]), path[i + 2]]);
    const last = points.length - 1;
    [points[0][0], points[0][1]] = start;
    [points[last][0], points[last][1]] = end;
    const at = part * last;
    const k = Math.min(last, Math.floor(at));
    const next = points[Math.min(last, k + 1)];
    const rest = at - k;
    let swing = next[2] - points[k][2];
    if (swing > 3) swing -= 6;
    if (swing < -3) swing += 6;
    const pose = this.#pose(ship, [points[k][0] + (next[0] - points[k][0]) * rest, points[k][1] + (next[1] - points[k][1]) * rest], 0);
    pose.turn = ((points[k][2] + swing * rest) * Math.PI) / 3;
    return pose;
  }

  #wakes(after, ops, p) {
    const { context: c, view } = this;
    const now = ops.some(([kind]) => kind === "M");
    c.lineCap = "round";
    c.lineJoin = "round";
    for (const [n, path] of after.wakes) {
      c.strokeStyle = this.colours[this.doc.ships[n].side];
      c.globalAlpha = 0.28 * (now ? Math.min(1, p * 1.5) : 1);
      c.lineWidth = Math.max(1, view.scale * 0.14);
      c.beginPath();
      for (let i = 0; i < path.length; i += 3) c.lineTo(...this.toScreen(centre(path[i], path[i + 1])));
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  #locks(state) {
    const { context: c, view } = this;
    c.strokeStyle = this.ink.ink;
    c.lineWidth = Math.max(1.5, view.scale * 0.12);
    c.setLineDash([3, 2]);
    for (const [a, b] of state.locks.values()) {
      const [from, to] = [this.spots.get(a), this.spots.get(b)];
      if (!from || !to) continue;
      c.beginPath(); c.moveTo(...from); c.lineTo(...to); c.stroke();
    }
    c.setLineDash([]);
  }

  #ship({ ship, x, y, turn }) {
    const { context: c, view } = this;
    const [px, py] = this.toScreen([x, y]);
    const s = Math.max(5, view.scale);
    if (px < -s || py < -s || px > this.width + s || py > this.height + s) return;
    const made = this.doc.ships[ship.n];
    const wreck = ship.gone === "sunk" || ship.gone === "wrecked";
    c.save();
    c.translate(px, py);
    if (ship.n === this.chosen) {
      c.strokeStyle = this.ink.warn; c.lineWidth = 2.5;
      c.beginPath(); c.arc(0, 0, s * 0.95 + 3, 0, 7); c.stroke();
    }
    c.rotate(turn);
    const [long, broad] = [s * 0.82, s * (s < 8 ? 0.36 : 0.27)];
    c.beginPath();
    c.moveTo(0, -long);
    c.bezierCurveTo(broad * 1.1, -long * 0.55, broad * 1.15, long * 0.3, broad * 0.8, long);
    c.lineTo(-broad * 0.8, long);
    c.bezierCurveTo(-broad * 1.15, long * 0.3, -broad * 1.1, -long * 0.55, 0, -long);
    c.closePath();
    c.fillStyle = wreck ? this.ink["chart-sea"] : this.colours[made.side];
    c.strokeStyle = wreck ? this.ink["ink-soft"] : s < 8 ? this.ink["chart-sea"] : this.ink.ink;
    c.lineWidth = wreck ? 1 : s < 8 ? 0.6 : s * 0.06;
    c.fill(); c.stroke();
    if (wreck) {
      c.beginPath(); c.moveTo(-broad * 1.4, -broad * 1.4); c.lineTo(broad * 1.4, broad * 1.4); c.moveTo(broad * 1.4, -broad * 1.4); c.lineTo(-broad * 1.4, broad * 1.4);
      c.lineWidth = 1.6; c.stroke(); c.restore();
      return;
    }
    this.#sails(ship, made, s, long, broad);
    c.restore();
    if (ship.side !== made.side) this.#flag(px, py, s, this.colours[ship.side]);
    if (ship.flag) this.#pennant(px, py, s, this.colours[ship.side]);
    if (ship.fire) this.#flames(px, py, s);
  }

  // Three masts, one sail less set for each quarter of her hull that is gone.
  #sails(ship, made, s, long, broad) {
    const { context: c } = this;
    if (s < 8) return;
    const masts = [-0.42, 0.05, 0.52];
    const standing = Math.max(0, 3 - Math.round((ship.steps / made.steps) * 3));
    c.fillStyle = this.ink["sheet-high"];
    c.strokeStyle = this.ink.ink;
    c.lineWidth = Math.max(0.5, s * 0.035);
    masts.forEach((at, k) => {
      const wide = broad * (k === 1 ? 2.1 : 1.75);
      c.beginPath();
      if (k < standing) {
        c.moveTo(-wide, at * long + s * 0.07);
        c.quadraticCurveTo(0, at * long - s * 0.2, wide, at * long + s * 0.07);
        c.closePath(); c.fill(); c.stroke();
      } else { c.arc(0, at * long, s * 0.05, 0, 7); c.fillStyle = this.ink.ink; c.fill(); c.fillStyle = this.ink["sheet-high"]; }
    });
  }

  #flag(px, py, s, colour) {
    const { context: c } = this;
    c.fillStyle = colour; c.strokeStyle = this.ink["sheet-high"]; c.lineWidth = 1.2;
    c.beginPath(); c.rect(px + s * 0.2, py - s * 0.75, Math.max(5, s * 0.5), Math.max(3.5, s * 0.34)); c.fill(); c.stroke();
  }

  #pennant(px, py, s, colour) {
    const { context: c } = this;
    const top = py - Math.max(6.5, s * 1.05);
    const size = Math.max(2.6, s * 0.42);
    c.strokeStyle = this.ink.ink; c.lineWidth = s < 8 ? 0.7 : 1.2;
    c.beginPath(); c.moveTo(px, py); c.lineTo(px, top); c.stroke();
    c.fillStyle = colour;
    c.beginPath(); c.moveTo(px, top); c.lineTo(px + size * 1.6, top + size * 0.4); c.lineTo(px, top + size * 0.8); c.closePath(); c.fill(); c.stroke();
  }

  #flames(px, py, s) {
    const { context: c } = this;
    for (const [size, colour] of [[0.55, "#d8431f"], [0.32, "#f5a623"]]) {
      c.fillStyle = colour;
      c.beginPath();
      for (let i = 0; i < 14; i += 1) {
        const away = Math.max(8 * size, s * size) * (i % 2 ? 0.5 : 1);
        c.lineTo(px + away * Math.sin((i * Math.PI) / 7), py - away * Math.cos((i * Math.PI) / 7));
      }
      c.closePath(); c.fill();
    }
  }

  #broadsides(ops, p) {
    const { context: c, view } = this;
    const shots = ops.filter(([kind]) => kind === "F");
    const numbers = new Map();
    shots.forEach(([, from, to, , , hits], k) => {
      const own = shots.length > 1 ? k / (shots.length - 1) : 0;
      const since = p >= 1 ? 0.5 : (p - own * 0.7) / 0.3;
      const [a, b] = [this.spots.get(from), this.spots.get(to)];
      if (since < 0 || !a || !b) return;
      const fade = p >= 1 ? 0.7 : Math.max(0.25, 1 - since * 0.6);
      c.globalAlpha = hits ? fade : fade * 0.45;
      c.strokeStyle = hits ? this.ink.bad : this.ink["ink-soft"];
      c.lineWidth = hits ? Math.min(3, 0.8 + hits * 0.3) : 0.8;
      c.beginPath(); c.moveTo(...a); c.lineTo(...b); c.stroke();
      const away = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const puff = Math.max(1.4, view.scale * 0.42) * (0.6 + Math.min(1, since) * 0.6);
      c.fillStyle = this.ink["sheet-high"];
      for (const out of [0.35, 0.75]) {
        c.globalAlpha = fade * (0.75 - out * 0.4);
        c.beginPath(); c.arc(a[0] + ((b[0] - a[0]) / away) * view.scale * out, a[1] + ((b[1] - a[1]) / away) * view.scale * out, puff * (1 - out * 0.3), 0, 7); c.fill();
      }
      if (hits) numbers.set(to, (numbers.get(to) ?? 0) + hits);
    });
    c.globalAlpha = 1;
    if (view.scale < 5) return;
    c.font = `600 ${Math.min(17, Math.max(11, view.scale * 0.7))}px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (const [n, hits] of numbers) {
      const [x, y] = this.spots.get(n);
      this.#outlined(String(hits), x + view.scale * 0.75, y - view.scale * 0.6, this.ink.bad);
    }
  }

  #blasts(ops, p) {
    const { context: c, view } = this;
    for (const [kind, n, how] of ops) {
      const spot = kind === "X" && how === "blown up" ? this.lastSpots?.get(n) ?? this.spots.get(n) : null;
      if (!spot) continue;
      c.globalAlpha = Math.max(0.25, 1 - p * 0.6);
      c.fillStyle = "#f5a623";
      c.beginPath(); c.arc(...spot, Math.max(6, view.scale) * (0.5 + p), 0, 7); c.fill();
    }
    c.globalAlpha = 1;
    this.lastSpots = this.spots;
  }

  #labels(poses) {
    const { view, context: c } = this;
    c.font = `${Math.min(15, Math.max(11, view.scale * 0.55))}px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "top";
    for (const { ship } of poses) {
      const chosen = ship.n === this.chosen;
      if (!chosen && !(view.scale >= 19 || (ship.flag && view.scale >= 11))) continue;
      const [x, y] = this.spots.get(ship.n);
      this.#outlined(this.doc.ships[ship.n].name, x, y + view.scale * 0.85, chosen ? this.ink.ink : this.ink["ink-soft"]);
    }
  }

  #outlined(text, x, y, colour) {
    const { context: c } = this;
    c.lineWidth = 3.5; c.lineJoin = "round";
    c.strokeStyle = this.ink["chart-sea"]; c.strokeText(text, x, y);
    c.fillStyle = colour; c.fillText(text, x, y);
  }

  // The wind blows the way the arrow flies; N is the chart's north.
  #rose(wind) {
    const { context: c } = this;
    const [x, y, size] = [this.width - 38, 40, 25];
    c.save();
    c.translate(x, y);
    c.fillStyle = this.ink["sheet-high"]; c.strokeStyle = this.ink["ink-soft"]; c.lineWidth = 1;
    c.beginPath(); c.arc(0, 0, size, 0, 7); c.fill(); c.stroke();
    c.font = `600 12px ${FONT}`; c.textAlign = "center"; c.textBaseline = "middle"; c.fillStyle = this.ink.ink;
    const north = (-this.doc.north * Math.PI) / 180;
    c.fillText("N", (size - 7) * Math.sin(north), -(size - 7) * Math.cos(north));
    if (wind) {
      c.rotate((wind.towards * Math.PI) / 3);
      c.strokeStyle = this.ink["sea-ink"]; c.fillStyle = this.ink["sea-ink"]; c.lineWidth = 1.5 + wind.strength * 0.7;
      if (wind.strength) {
        c.beginPath(); c.moveTo(0, 14); c.lineTo(0, -8); c.stroke();
        c.beginPath(); c.moveTo(0, -16); c.lineTo(6, -6); c.lineTo(-6, -6); c.closePath(); c.fill();
      }
    }
    c.restore();
    if (wind) { c.textAlign = "center"; c.textBaseline = "top"; c.font = `12px ${FONT}`; this.#outlined(STRENGTHS[wind.strength], x, y + size + 3, this.ink["sea-ink"]); }
  }
}

const FONT = '"Hoefler Text", Baskerville, "Palatino Linotype", Palatino, "URW Palladio L", Georgia, "Liberation Serif", serif';
