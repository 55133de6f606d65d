// The replay: plays, steps and scrubs through a battle, keeps the ships' states beside it up to the hour.

import { Board } from "./replay-board.js";
import { Timeline } from "./replay-state.js";

const root = document.getElementById("replay");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const LENGTHS = { M: 1900, F: 2000, P: 800, Z: 900 };

const GONE = { left: "left the battle", beached: "rowed ashore" };

class Replay {
  constructor(doc) {
    this.time = new Timeline(doc);
    this.doc = doc;
    this.canvas = root.querySelector("canvas");
    const colours = Object.fromEntries([...root.querySelectorAll(".legend [data-side]")].map((row) => [row.dataset.side, row.dataset.colour]));
    this.board = new Board(this.canvas, doc, colours);
    this.scrub = root.querySelector(".scrub");
    this.clock = root.querySelector(".clock");
    this.note = root.querySelector(".ship-note");
    this.playButton = root.querySelector('[data-do="play"]');
    this.when = document.querySelector(".states-when");
    this.rows = new Map([...document.querySelectorAll("[data-ship]")].map((row) => [row.dataset.ship, row]));
    this.atEnd = new Map([...this.rows].map(([code, row]) => [code, row.querySelector(".standing").innerHTML]));
    this.k = Math.max(0, this.time.phases.findLastIndex((phase) => phase.turn === 0));
    this.p = 1;
    this.speed = 1;
    this.follow = true;
    this.whole = false;
    this.playing = false;
    this.scrub.max = this.time.length - 1;
    this.listen();
    root.hidden = false;
    this.resize();
    this.show();
  }

  listen() {
    const acts = {
      play: () => this.toggle(), back: () => this.step(-1), on: () => this.step(1),
      "turn-back": () => this.go(this.time.turnFrom(this.k, -1)), "turn-on": () => this.go(this.time.turnFrom(this.k, 1)),
      in: () => this.look(() => this.board.zoom(1.4)), out: () => this.look(() => this.board.zoom(1 / 1.4)),
      all: () => { this.follow = true; this.whole = true; this.aim(1); this.paint(); },
    };
    this.acts = acts;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) acts[button.dataset.do]();
    });
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    root.querySelector(".speed select").addEventListener("change", (event) => { this.speed = Number(event.target.value); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.look(() => this.board.zoom(Math.exp(-event.deltaY * 0.0015), this.spot(event)));
    }, { passive: false });
    this.point();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.board.readColours(); this.paint(); });
    for (const [code, row] of this.rows) {
      row.addEventListener("click", (event) => {
        if (!event.target.closest("a")) this.choose(this.doc.ships.findIndex((ship) => ship.id === code), true);
      });
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = (dx, dy) => () => this.look(() => this.board.pan(dx, dy));
    const keys = {
      " ": this.acts.play, k: this.acts.play, ArrowRight: this.acts.on, ArrowLeft: this.acts.back,
      ArrowDown: this.acts["turn-on"], ArrowUp: this.acts["turn-back"], PageDown: this.acts["turn-on"], PageUp: this.acts["turn-back"],
      Home: () => this.go(0), End: () => this.go(this.time.length - 1), "+": this.acts.in, "=": this.acts.in, "-": this.acts.out, 0: this.acts.all,
      w: pan(0, 60), s: pan(0, -60), a: pan(60, 0), d: pan(-60, 0),
      n: () => this.nextShip(1), p: () => this.nextShip(-1), Escape: () => this.choose(-1),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  spot(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  point() {
    const down = new Map();
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, this.spot(event));
      if (down.size === 1) moved = 0;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const was = down.get(event.pointerId);
      if (!was) return;
      const now = this.spot(event);
      const others = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      moved += Math.hypot(now[0] - was[0], now[1] - was[1]);
      down.set(event.pointerId, now);
      if (moved < 6) return;
      this.look(() => {
        this.board.pan((now[0] - was[0]) / down.size, (now[1] - was[1]) / down.size);
        if (others.length === 1) {
          const [other] = others;
          const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
          this.board.zoom(apart(now) / apart(was), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
        }
      });
    });
    const up = (event) => {
      if (down.delete(event.pointerId) && moved < 6 && event.type === "pointerup") this.choose(this.board.shipAt(...this.spot(event)));
    };
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
  }

  look(change) {
    this.follow = false;
    change();
    if (!this.playing) this.paint();
  }

  resize() {
    this.board.fit();
    if (this.follow) this.aim(1);
    this.paint();
  }

  // Keeps the fight in view until somebody looks elsewhere; by: how much of the way to go at once.
  aim(by) {
    const wish = this.board.overall(this.state().after, this.whole);
    if (!wish) return;
    const { view } = this.board;
    for (const name of ["x", "y", "scale"]) view[name] += (wish[name] - view[name]) * by;
  }

  state() {
    if (this.cached?.k !== this.k) this.cached = { k: this.k, before: this.time.before(this.k), after: this.time.after(this.k) };
    return this.cached;
  }

  step(by) {
    this.go(Math.min(this.time.length - 1, Math.max(0, this.k + by)));
  }

  go(k) {
    this.stop();
    this.k = k;
    this.p = 1;
    this.show();
  }

  show() {
    if (this.follow) this.aim(1);
    this.tell();
    this.paint();
  }

  toggle() {
    if (this.playing) { this.stop(); this.p = 1; this.show(); return; }
    if (this.k >= this.time.length - 1) { this.k = 0; }
    this.playing = true;
    this.p = this.p >= 1 && this.k > 0 ? 1 : 0;
    this.playButton.textContent = "Pause";
    this.playButton.setAttribute("aria-pressed", "true");
    this.clock.setAttribute("aria-live", "off");
    this.last = performance.now();
    requestAnimationFrame((now) => this.frame(now));
  }

  stop() {
    this.playing = false;
    this.playButton.textContent = "Play";
    this.playButton.setAttribute("aria-pressed", "false");
    this.clock.setAttribute("aria-live", "polite");
  }

  lengthOf(phase) {
    const kinds = new Set(phase.ops.map(([kind]) => kind));
    const long = Object.entries(LENGTHS).find(([kind]) => kinds.has(kind));
    if (long) return long[1];
    return ["X", "C", "L", "B", "S", "T", "R"].some((kind) => kinds.has(kind)) ? 700 : 150;
  }

  frame(now) {
    if (!this.playing) return;
    const phase = this.time.phases[this.k];
    this.p += ((now - this.last) / this.lengthOf(phase)) * this.speed;
    this.last = now;
    if (this.p >= 1.15 || (still.matches && this.p >= 1)) {
      if (this.k >= this.time.length - 1) { this.go(this.k); return; }
      this.k += 1;
      this.p = 0;
      this.tell();
    }
    if (this.follow) this.aim(still.matches ? 1 : 0.04);
    this.paint();
    requestAnimationFrame((later) => this.frame(later));
  }

  paint() {
    const { before, after } = this.state();
    this.board.draw(before, after, this.time.phases[this.k].ops, still.matches ? 1 : Math.min(1, this.p));
    this.describe();
  }

  tell() {
    const phase = this.time.phases[this.k];
    const hour = this.time.clock(phase.turn);
    const words = this.time.words(this.k);
    this.scrub.value = this.k;
    this.scrub.setAttribute("aria-valuetext", `${phase.turn ? `Turn ${phase.turn}` : "Before the first turn"}, ${phase.name}`);
    this.clock.textContent = phase.turn ? `Turn ${phase.turn}${hour ? `, ${hour}` : ""}` : "Before the first turn";
    const small = document.createElement("small");
    small.textContent = phase.turn ? phase.name + (words ? `: ${words}` : "") : "";
    this.clock.append(small);
    root.querySelector(".to-log").href = `?turn=${phase.turn}#log`;
    this.standings();
  }

  standings() {
    const end = this.k >= this.time.length - 1;
    this.when.textContent = end ? "at the end" : this.clock.firstChild.textContent.toLowerCase();
    const state = this.state().after;
    this.doc.ships.forEach((ship, n) => {
      const cell = this.rows.get(ship.id)?.querySelector(".standing");
      if (!cell) return;
      if (end) { cell.innerHTML = this.atEnd.get(ship.id); return; }
      cell.querySelectorAll(".pips i").forEach((pip, k) => pip.classList.toggle("lost", k < state.ships[ship.on ?? n].steps));
      cell.querySelector(".said").textContent = this.words(ship, state.ships[ship.on ?? n]);
    });
  }

  words(ship, now) {
    if (now.gone) return GONE[now.gone] ?? now.gone;
    if (now.side !== ship.side) return "taken";
    if (!now.there) return now.hidden || "not yet arrived";
    if (now.struck) return "struck";
    const seen = now.steps ? `${now.steps} step${now.steps === 1 ? "" : "s"} of damage` : "no damage seen";
    const hull = now.left >= 0 && ship.hull ? `hull ${now.left} of ${ship.hull}` : seen;
    return hull + (now.fire ? ", on fire" : "") + (now.aground ? ", aground" : "");
  }

  // What the note of a ship says beyond her state in the table: her rig, and what she is about.
  more(ship, now) {
    if (!ship.masts || now.gone || !now.there) return "";
    const told = now.masts < ship.masts ? [`${now.masts} of ${ship.masts} masts standing`] : [];
    const about = { jury: "jury mast up", irons: "in irons", oars: "under oars", boats: "boats out", anchored: "at anchor" };
    for (const [name, text] of Object.entries(about)) if (now[name]) told.push(text);
    const n = this.doc.ships.indexOf(ship);
    for (const [a, b] of this.state().after.tows.values()) {
      if (a === n) told.push(`towing ${this.doc.ships[b].name}`);
      if (b === n) told.push(`in tow of ${this.doc.ships[a].name}`);
    }
    return told.map((text) => `, ${text}`).join("");
  }

  nextShip(by) {
    const { ships } = this.state().after;
    for (let i = 1; i <= ships.length; i += 1) {
      const n = (this.board.chosen + by * i + ships.length * 2) % ships.length;
      if (ships[n].there) { this.choose(n, true); return; }
    }
  }

  choose(n, bring = false) {
    this.rows.get(this.doc.ships[this.board.chosen]?.id)?.classList.remove("chosen");
    this.board.chosen = n;
    const row = this.rows.get(this.doc.ships[n]?.id);
    row?.classList.add("chosen");
    if (bring && n >= 0) {
      this.follow = false;
      this.board.bring(this.state().after.ships[n]);
    }
    this.noted = "";
    this.paint();
  }

  describe() {
    const n = this.board.chosen;
    this.note.hidden = n < 0;
    if (n < 0) return;
    const ship = this.doc.ships[n];
    const now = this.state().after.ships[n];
    const side = (id) => this.doc.sides.find((one) => one.id === id)?.name ?? "";
    const squadron = this.doc.squadrons.find((one) => one.id === ship.squadron)?.name ?? "";
    const text = `${side(ship.side)}, ${squadron}. ${ship.guns} guns, ${this.words(ship, now)}${this.more(ship, now)}${now.side !== ship.side ? ` by ${side(now.side)}` : ""}${now.flag ? ", flagship" : ""}.`;
    const signature = `${n} ${text}`;
    if (this.noted === signature) return;
    this.noted = signature;
    const close = element("button", "×", "plain");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => { this.choose(-1); this.canvas.focus(); });
    this.note.replaceChildren(close, element("strong", ship.name), element("span", text));
    const page = this.rows.get(ship.id)?.querySelector("a");
    if (page) {
      const link = element("a", " Her page");
      link.href = page.href;
      this.note.append(link);
    }
  }
}

function element(tag, text, name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

async function begin() {
  const answer = await fetch(root.dataset.source, { headers: { accept: "application/json" }, credentials: "same-origin" });
  if (!answer.ok) return;
  const doc = await answer.json();
  if (doc.phases.length) window.replay = new Replay(doc);
}

if (root) begin();
