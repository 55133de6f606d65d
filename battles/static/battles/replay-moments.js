// What is worth a look in a battle: losses and broadsides that told, the link to a moment, and a phase told in prose.

const ENDS = {
  sunk: "sinks", "blown up": "blows up", burnt: "burns out", wrecked: "is wrecked", left: "leaves the battle", foundered: "founders",
  beached: "is rowed ashore",
};
const MOST_TOLD = 4;

// The ship that a drawing order takes from its side, -1 for any other order.
const lost = ([kind, n, how]) => ((kind === "X" && how !== "left") || kind === "C" || (kind === "S" && how) ? n : -1);

// The nearest phase after k, or before it (by: 1 or -1), that holds what `find` finds in an order: [phase, what was found], null for none.
function nearest(phases, k, by, find) {
  for (let i = k + by; i >= 0 && i < phases.length; i += by) {
    const found = phases[i].ops.map(find).find((n) => n >= 0);
    if (found !== undefined) return [i, found];
  }
  return null;
}

export const nextLoss = (time, k, by) => nearest(time.phases, k, by, lost);

// A shot that hit: of ship n or at it where one is looked at, else anybody's; tells who was hit.
export const nextHit = (time, k, by, n) =>
  nearest(time.phases, k, by, ([kind, from, to, , , hits]) => (kind === "F" && hits && (n < 0 || n === from || n === to) ? to : -1));

// Links name a turn and, past its first phase, the phase in it: #t=12, #t=12.3.
export function linkOf(time, k) {
  const { turn } = time.phases[k];
  const first = time.phases.findIndex((phase) => phase.turn === turn);
  return `#t=${turn}${k > first ? `.${k - first + 1}` : ""}`;
}

// The phase that a link names, the last one of its turn for a phase too many; -1 for no link, or a turn that is not there.
export function linked(time, hash) {
  const [, turn, place] = /^#t=(\d{1,5})(?:\.(\d{1,4}))?$/.exec(hash) ?? [];
  const first = turn === undefined ? -1 : time.phases.findIndex((phase) => phase.turn === Number(turn));
  if (first < 0) return -1;
  const last = time.phases.findLastIndex((phase) => phase.turn === Number(turn));
  return Math.min(last, first + Math.max(1, Number(place ?? 1)) - 1);
}

// What a phase brings, in sentences: gunfire by side, then losses and captures by name.
export function prose(doc, phase) {
  const name = (n) => doc.ships[n]?.name ?? "A ship";
  const others = {
    X: (n, how) => ENDS[how] && `${name(n)} ${ENDS[how]}.`,
    C: (n, by) => `${name(n)} is ${by && by !== doc.ships[n].side ? "taken" : "retaken"}.`,
    S: (n, on) => on && `${name(n)} strikes.`,
    B: (n, on) => on && `${name(n)} is on fire.`,
    A: (n, on) => on && `${name(n)} is aground.`,
    L: (n, other) => other >= 0 && `${name(n)} and ${name(other)} are fast to each other.`,
    T: (n, other) => `${name(n)} takes ${name(other)} in tow.`,
    Z: (n, other) => `${name(n)} and ${name(other)} fight hand to hand.`,
  };
  const rest = phase.ops.map(([kind, n, what]) => others[kind]?.(n, what)).filter(Boolean);
  const more = rest.length - MOST_TOLD;
  const told = [...gunfire(doc, phase), ...(more > 1 ? [...rest.slice(0, MOST_TOLD), `There are ${more} more such events.`] : rest)];
  const moved = phase.ops.filter(([kind]) => kind === "M").length;
  if (!told.length && moved) return `${moved} ${moved === 1 ? "ship moves" : "ships move"}.`;
  return told.join(" ");
}

// Who is not on the board as the battle begins: the view holds all others.
export function late(doc, state) {
  const told = doc.sides.map(({ id, name }) => {
    const number = state.ships.filter((ship) => ship.side === id && !ship.there && !ship.gone && !ship.hidden && doc.ships[ship.n].on === undefined).length;
    return number && `${name}: ${number} ${number === 1 ? "ship arrives" : "ships arrive"} later.`;
  });
  return told.filter(Boolean).join(" ");
}

function gunfire(doc, phase) {
  const shots = phase.ops.filter(([kind]) => kind === "F");
  const told = [];
  for (const side of doc.sides) {
    const own = shots.filter(([, from]) => doc.ships[from]?.side === side.id);
    if (!own.length) continue;
    const hits = own.reduce((sum, [, , , , , hit]) => sum + hit, 0);
    const often = ["", "once", "twice"][own.length] ?? `${own.length} times`;
    told.push(`${side.name}: ships fire ${often} and score ${hits ? `${hits} hit${hits === 1 ? "" : "s"}` : "no hit"}.`);
  }
  return told;
}
