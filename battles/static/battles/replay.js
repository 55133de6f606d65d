// The replay: plays, steps and scrubs through a battle, keeps the ships' states beside it up to the hour.

import { Board } from "./replay-board.js";
import { listenForKeys } from "./replay-keys.js";
import { late, linkOf, linked, nextHit, nextLoss, prose } from "./replay-moments.js";
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
    this.caption = root.querySelector(".caption");
    this.note = root.querySelector(".ship-note");
    this.shipButton = root.querySelector('[data-do="ship"]');
    this.playButton = root.querySelector('[data-do="play"]');
    this.when = document.querySelector(".states-when");
    this.rows = new Map([...document.querySelectorAll("[data-ship]")].map((row) => [row.dataset.ship, row]));
    this.atEnd = new Map([...this.rows].map(([code, row]) => [code, row.querySelector(".standing").innerHTML]));
    const asked = linked(this.time, location.hash);
    this.k = asked >= 0 ? asked : Math.max(0, this.time.phases.findLastIndex((phase) => phase.turn === 0));
    this.p = 1;
    this.speed = 1;
    // What the view keeps to: the whole fight, one ship, or where the reader looks.
    this.camera = "all";
    this.playing = false;
    this.scrub.max = this.time.length - 1;
    this.listen();
    root.hidden = false;
    this.room();
    this.resize();
    this.show();
    if (asked >= 0) root.scrollIntoView({ block: "start" });
  }

  listen() {
    const pan = (dx, dy) => () => this.look(() => this.board.pan(dx, dy));
    const acts = {
      play: () => this.toggle(), back: () => this.step(-1), on: () => this.step(1),
      "turn-back": () => this.go(this.time.turnFrom(this.k, -1)), "turn-on": () => this.go(this.time.turnFrom(this.k, 1)),
      first: () => this.go(0), last: () => this.go(this.time.length - 1),
      loss: () => this.jump(nextLoss(this.time, this.k, 1), "loss", "later"), "loss-back": () => this.jump(nextLoss(this.time, this.k, -1), "loss", "earlier"),
      hit: () => this.jump(nextHit(this.time, this.k, 1, this.tail()), "hit", "later"), "hit-back": () => this.jump(nextHit(this.time, this.k, -1, this.tail()), "hit", "earlier"),
      ship: () => this.followShip(), "ship-on": () => this.nextShip(1), "ship-back": () => this.nextShip(-1), leave: () => this.choose(-1),
      in: () => this.look(() => this.board.zoom(1.4)), out: () => this.look(() => this.board.zoom(1 / 1.4)),
      all: () => { this.camera = "all"; this.buttons(); this.aim(1); this.paint(); },
      north: pan(0, 60), south: pan(0, -60), west: pan(60, 0), east: pan(-60, 0),
      full: () => { if (document.fullscreenElement) document.exitFullscreen(); else root.requestFullscreen?.(); }, picture: () => this.save(),
    };
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) acts[button.dataset.do]();
    });
    listenForKeys(acts, this.canvas, root.querySelector(".keys input"));
    root.querySelector('[data-do="full"]').hidden = !document.fullscreenEnabled;
    window.addEventListener("hashchange", () => {
      const asked = linked(this.time, location.hash);
      if (asked >= 0 && asked !== this.k) this.go(asked);
    });
    root.querySelector(".to-log").addEventListener("click", (event) => {
      if (!window.htmx) return;
      event.preventDefault();
      const address = event.currentTarget.getAttribute("href").split("#")[0];
      Promise.resolve(window.htmx.ajax("GET", address, { target: "#log", swap: "outerHTML" })).then(() => document.getElementById("log")?.focus());
    });
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    root.querySelector(".speed select").addEventListener("change", (event) => { this.speed = Number(event.target.value); });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.look(() => this.board.zoom(Math.exp(-event.deltaY * 0.0015), this.spot(event)));
    }, { passive: false });
    this.point();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    for (const change of ["resize", "fullscreenchange"]) window.addEventListener(change, () => this.room());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.board.readColours(); this.paint(); });
    for (const [code, row] of this.rows) {
      row.addEventListener("click", (event) => {
        if (!event.target.closest("a")) this.choose(this.doc.ships.findIndex((ship) => ship.id === code), true);
      });
    }
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
    this.camera = "free";
    this.buttons();
    change();
    if (!this.playing) this.paint();
  }

  // The board takes what the first screen leaves between the page's head and the bar of controls, within bounds.
  room() {
    const frame = this.canvas.parentElement;
    const above = frame.getBoundingClientRect().top + window.scrollY;
    const bar = root.querySelector(".replay-bar").offsetHeight;
    frame.style.height = document.fullscreenElement ? "" : `${Math.min(704, Math.max(240, window.innerHeight - above - bar - 2))}px`;
  }

  resize() {
    this.board.fit();
    this.aim(1);
    this.paint();
  }

  // The ship that the view keeps to, -1 for none.
  tail() {
    return this.camera === "ship" ? this.board.chosen : -1;
  }

  // Keeps the fight or a ship in view until somebody looks elsewhere; by: how much of the way to go at once.
  aim(by) {
    if (this.camera === "free") return;
    const { after } = this.state();
    const wish = this.camera === "ship" ? this.board.about(after.ships[this.board.chosen]) : this.board.overall(after, this.playing);
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
    this.remember();
  }

  show() {
    this.aim(1);
    this.tell();
    this.paint();
  }

  // Goes to a moment that was looked for, with the ship that it is about chosen and in sight. what, where: for the words when there is none.
  jump(found, what, where) {
    if (!found) { this.caption.textContent = `There is no ${where} ${what}.`; return; }
    const [k, n] = found;
    this.go(k);
    if (this.camera === "ship") return;
    this.choose(n);
    if (!this.board.inSight(n)) this.look(() => Object.assign(this.board.view, this.board.about(this.state().before.ships[n])));
  }

  // Keeps the chosen ship in the middle, or the flagship of the reader's side; asked again, lets go of it.
  followShip() {
    if (this.camera === "ship") { this.camera = "all"; this.buttons(); this.show(); return; }
    const flagships = this.doc.squadrons.map((squadron) => squadron.flagship);
    const own = flagships.find((n) => this.doc.ships[n].side === root.dataset.side) ?? flagships[0] ?? 0;
    this.choose(this.board.chosen >= 0 ? this.board.chosen : own);
    this.camera = "ship";
    this.buttons();
    this.show();
  }

  buttons() {
    const on = this.camera === "ship";
    this.shipButton.setAttribute("aria-pressed", String(on));
    this.shipButton.textContent = on ? "Following" : this.board.chosen >= 0 ? "Follow ship" : root.dataset.side ? "My ship" : "Flagship";
  }

  // Keeps the address up to date, so that it links to this moment.
  remember() {
    history.replaceState(history.state, "", linkOf(this.time, this.k));
  }

  // Saves the board as it is drawn now, with its date and what happens, as a picture.
  async save() {
    const link = document.createElement("a");
    const { turn } = this.time.phases[this.k];
    const picture = await this.board.picture([this.doc.title, this.clock.innerText.replace("\n", " · "), this.caption.textContent].filter(Boolean));
    link.href = URL.createObjectURL(picture);
    link.download = `${root.dataset.name}-turn-${turn}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  toggle() {
    if (this.playing) { this.go(this.k); return; }
    if (this.k >= this.time.length - 1) { this.k = 0; }
    this.playing = true;
    this.p = this.p >= 1 && this.k > 0 ? 1 : 0;
    this.playButton.textContent = "Pause";
    this.playButton.setAttribute("aria-pressed", "true");
    this.caption.setAttribute("aria-live", "off");
    this.last = performance.now();
    requestAnimationFrame((now) => this.frame(now));
  }

  stop() {
    this.playing = false;
    this.playButton.textContent = "Play";
    this.playButton.setAttribute("aria-pressed", "false");
    this.caption.setAttribute("aria-live", "polite");
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
    this.aim(still.matches ? 1 : this.camera === "ship" ? 0.12 : 0.04);
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
    this.scrub.value = this.k;
    this.scrub.setAttribute("aria-valuetext", `${phase.turn ? `Turn ${phase.turn}` : "Before the first turn"}, ${phase.name}`);
    this.clock.textContent = phase.turn ? `Turn ${phase.turn}${hour ? `, ${hour}` : ""}` : "Before the first turn";
    const small = document.createElement("small");
    small.textContent = phase.turn ? phase.name : "";
    this.clock.append(small);
    const said = element("span", `${this.clock.firstChild.textContent}. `, "visually-hidden");
    const told = prose(this.doc, phase) || (phase.turn ? `${phase.name}.` : "The fleets come in sight of each other.");
    this.caption.replaceChildren(said, phase.turn ? told : `${told} ${late(this.doc, this.state().after)}`.trim());
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
    const hull = now.left >= 0 && ship.hull ? `${this.doc.measure} ${now.left} of ${ship.hull}` : seen;
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
    if (n < 0 && this.camera === "ship") this.camera = "all";
    if (bring && n >= 0 && this.camera !== "ship") {
      this.camera = "free";
      this.board.bring(this.state().after.ships[n]);
    }
    this.noted = "";
    this.buttons();
    this.aim(1);
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
    const text = `${side(ship.side)}, ${squadron}. ${ship.guns ? `${ship.guns} guns, ` : ""}${this.words(ship, now)}${this.more(ship, now)}${now.side !== ship.side ? ` by ${side(now.side)}` : ""}${now.flag ? ", flagship" : ""}.`;
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
