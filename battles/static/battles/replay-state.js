// A battle as a row of phases, and the state of every ship before each of them. Reads the document of replay.json.

// What a ship leaves to be seen where she was.
const REMAINS = ["sunk", "wrecked", "foundered", "beached"];
// Orders that set one thing of a ship to yes or no.
const SWITCHES = { B: "fire", A: "aground", O: "oars", Y: "boats", I: "irons", N: "anchored", S: "struck" };

export class Timeline {
  constructor(doc) {
    this.doc = doc;
    this.phases = doc.phases.map(([turn, name, ops]) => ({ turn, name: doc.names[name], ops }));
    this.length = this.phases.length;
    this.keys = new Map();
    this.flagships = new Map(doc.squadrons.map((squadron) => [squadron.id, squadron.flagship]));
    this.states = this.#keyframes();
  }

  #blank() {
    const leads = new Set(this.flagships.values());
    return {
      wind: null,
      locks: new Map(),
      tows: new Map(),
      wakes: [],
      dark: 0,
      banks: [],
      mines: new Map(),
      bubbles: new Map(),
      ships: this.doc.ships.map((ship, n) => ({
        n, q: 0, r: 0, f: 0, there: false, gone: "", side: ship.side, steps: 0, left: -1, fire: false,
        aground: false, flag: leads.has(n), masts: ship.masts ?? 0, jury: false, reach: null, oars: false, boats: false,
        irons: false, anchored: false, struck: false, plan: null, crew: ship.prize ? 0 : -1, light: -1, hidden: "",
      })),
    };
  }

  // One state in eight is kept; those between are played on from it.
  #keyframes() {
    const kept = [];
    let state = this.#blank();
    this.phases.forEach((phase, k) => {
      if (k % 8 === 0) kept.push(copy(state));
      if (k === 0 || this.phases[k - 1].turn !== phase.turn) state.wakes = [];
      state = this.#play(state, phase);
    });
    this.last = state;
    return kept;
  }

  // The state before phase k.
  before(k) {
    const from = Math.floor(k / 8) * 8;
    const state = copy(this.states[from / 8] ?? this.#blank());
    for (let i = from; i < k; i += 1) this.#play(this.#turned(state, i), this.phases[i]);
    return this.#turned(state, k);
  }

  after(k) {
    return this.#play(this.before(k), this.phases[k]);
  }

  #turned(state, k) {
    if (k === 0 || this.phases[k]?.turn !== this.phases[k - 1].turn) state.wakes = [];
    return state;
  }

  #play(state, phase) {
    for (const op of phase.ops) apply(state, op, this.doc);
    return state;
  }

  // First phase of the turn before or after that of phase k.
  turnFrom(k, by) {
    const turn = this.phases[k].turn;
    if (by > 0) {
      const next = this.phases.findIndex((phase) => phase.turn > turn);
      return next < 0 ? this.length - 1 : next;
    }
    const first = this.phases.findIndex((phase) => phase.turn === turn);
    if (k > first) return first;
    const earlier = this.phases[Math.max(0, first - 1)].turn;
    return this.phases.findIndex((phase) => phase.turn === earlier);
  }

  clock(turn) {
    if (!this.doc.start) return "";
    const [hours, minutes] = this.doc.start.slice(11, 16).split(":").map(Number);
    const at = hours * 60 + minutes + this.doc.minutes * Math.max(0, turn - 1);
    return `${String(Math.floor(at / 60) % 24).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
  }
}

export function apply(state, op, doc) {
  const [kind, n] = op;
  const ship = state.ships[n];
  if (kind === "P") {
    ship.q = op[2]; ship.r = op[3]; ship.there = true;
    if (op[4] >= 0) ship.f = op[4];
    if (op.length > 5) { ship.steps = op[5]; ship.left = op[6]; }
  } else if (kind === "M") {
    const path = op[2];
    [ship.q, ship.r, ship.f] = path.slice(-3);
    state.wakes.push([n, path]);
  } else if (SWITCHES[kind]) ship[SWITCHES[kind]] = Boolean(op[2]);
  else if (kind === "H") { ship.steps = op[2]; ship.left = op[3]; }
  else if (kind === "R") ship.f = op[2];
  else if (kind === "D") ship.masts = op[2];
  else if (kind === "Q") { const [, , port, stbd, units, rig] = op; ship.plan = { port, stbd, units, rig }; }
  else if (kind === "c") ship.crew = op[2];
  else if (kind === "J") { ship.jury = true; ship.masts += 1; }
  else if (kind === "K") ship.reach = op[2];
  else if (kind === "L") state.locks.set(pair(n, op[2]), [n, op[2]]);
  else if (kind === "U") state.locks.delete(pair(n, op[2]));
  else if (kind === "T") state.tows.set(pair(n, op[2]), [n, op[2]]);
  else if (kind === "V") state.tows.delete(pair(n, op[2]));
  else if (kind === "C") ship.side = op[2] || (op[3] >= 0 ? state.ships[op[3]].side : doc.ships[n].side);
  else if (kind === "h") { ship.there = false; ship.hidden = op[2]; ship.light = -1; }
  else if (kind === "g") ship.light = op[2];
  else if (kind === "n") state.dark = n;
  else if (kind === "k") state.banks = n;
  else if (kind === "m") mark(state.mines, `${n},${op[2]}`, [n, op[2]], op[3]);
  else if (kind === "u") mark(state.bubbles, n, [op[2], op[3]], op[4]);
  else if (kind === "W") state.wind = { towards: n, strength: op[2] };
  else if (kind === "G") {
    doc.ships.forEach((one, other) => { if (one.squadron === op[2]) state.ships[other].flag = other === n; });
  } else if (kind === "X") {
    ship.gone = op[2]; ship.fire = false; ship.light = -1;
    if (!REMAINS.includes(op[2])) ship.there = false;
    for (const pairs of [state.locks, state.tows]) {
      for (const [key, [a, b]] of pairs) if (a === n || b === n) pairs.delete(key);
    }
  }
}

function mark(marks, key, place, on) {
  if (on) marks.set(key, place);
  else marks.delete(key);
}

function pair(a, b) {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

function copy(state) {
  return {
    wind: state.wind,
    dark: state.dark,
    banks: state.banks,
    mines: new Map(state.mines),
    bubbles: new Map(state.bubbles),
    locks: new Map(state.locks),
    tows: new Map(state.tows),
    wakes: [...state.wakes],
    ships: state.ships.map((ship) => ({ ...ship })),
  };
}
