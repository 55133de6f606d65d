// What lies under and over the ships: water and land, wakes, lines between ships, gunfire, names, the wind.

import { inches } from "./replay-space.js";

export const FONT = '"Hoefler Text", Baskerville, "Palatino Linotype", Palatino, "URW Palladio L", Georgia, "Liberation Serif", serif';

export function ground(board) {
  const { context: c, ink, doc } = board;
  c.fillStyle = ink["chart-sea"];
  c.fillRect(0, 0, board.width, board.height);
  if (board.space.grid) cells(board);
  for (const land of doc.coast ?? []) {
    c.fillStyle = ink["chart-land"]; c.strokeStyle = ink["chart-shore"]; c.lineWidth = 1.2;
    c.beginPath();
    for (const [x, y] of land) c.lineTo(...board.toScreen(board.space.centre(x, y)));
    c.closePath(); c.fill(); c.stroke();
  }
  c.fillStyle = ink["chart-shallow"];
  for (const shoal of board.space.grid ? [] : doc.shoals ?? []) {
    c.beginPath();
    for (const [x, y] of shoal) c.lineTo(...board.toScreen(board.space.centre(x, y)));
    c.closePath(); c.fill();
  }
  if (!board.space.grid) rule(board);
}

function cells(board) {
  const { context: c, view, doc, ink } = board;
  for (const [places, colour] of [[doc.shoal, "chart-shallow"], [doc.land, "chart-land"]]) {
    c.fillStyle = ink[colour];
    for (const [q, r] of places) { cell(board, q, r); c.fill(); }
  }
  if (view.scale < 9) return;
  c.strokeStyle = ink["chart-grid"];
  c.globalAlpha = Math.min(0.35, (view.scale - 9) / 30);
  c.lineWidth = 0.7;
  const [wide, high] = [board.width / 2 / view.scale, board.height / 2 / view.scale];
  for (const [q, r] of board.space.cells(view.x - wide, view.x + wide, view.y - high, view.y + high)) { cell(board, q, r); c.stroke(); }
  c.globalAlpha = 1;
}

function cell(board, q, r) {
  const { context: c, view } = board;
  const [x, y] = board.toScreen(board.space.centre(q, r));
  c.beginPath();
  for (const [dx, dy] of board.space.corners) c.lineTo(x + view.scale * dx, y + view.scale * dy);
  c.closePath();
}

// A measure of the table at the foot, as long as a round number of inches, or of the document's own unit, is now.
function rule(board) {
  const { context: c, view, ink } = board;
  const length = [1, 2, 4, 8, 16, 32, 64].find((one) => one * view.scale >= 44) ?? 64;
  const [x, y] = [14, board.height - 14];
  c.strokeStyle = ink["sea-ink"]; c.lineWidth = 1.4;
  c.beginPath();
  c.moveTo(x, y - 4); c.lineTo(x, y); c.lineTo(x + length * view.scale, y); c.lineTo(x + length * view.scale, y - 4);
  c.stroke();
  c.font = `12px ${FONT}`; c.textAlign = "left"; c.textBaseline = "bottom";
  outlined(board, board.doc.unit ? `${length} ${board.doc.unit}` : `${length} inch${length === 1 ? "" : "es"}`, x + 4, y - 3, ink["sea-ink"]);
}

export function wakes(board, after, ops, p) {
  const { context: c, view, space } = board;
  const now = ops.some(([kind]) => kind === "M");
  c.lineCap = "round";
  c.lineJoin = "round";
  for (const [n, path] of after.wakes) {
    c.strokeStyle = board.colours[board.doc.ships[n].side];
    c.globalAlpha = 0.28 * (now ? Math.min(1, p * 1.5) : 1);
    c.lineWidth = Math.max(1, Math.min(5, view.scale * 0.14));
    c.beginPath();
    for (let i = 0; i < path.length; i += 3) c.lineTo(...board.toScreen(space.centre(path[i], path[i + 1])));
    c.stroke();
  }
  c.globalAlpha = 1;
}

// Grapples dashed, tows plain.
export function lines(board, state) {
  const { context: c, view, ink } = board;
  c.strokeStyle = ink.ink;
  c.lineWidth = Math.max(1.5, Math.min(4, view.scale * 0.12));
  for (const [pairs, dashes] of [[state.locks, [3, 2]], [state.tows, []]]) {
    c.setLineDash(dashes);
    for (const [a, b] of pairs.values()) {
      const [from, to] = [board.spots.get(a), board.spots.get(b)];
      if (!from || !to) continue;
      c.beginPath(); c.moveTo(...from); c.lineTo(...to); c.stroke();
    }
  }
  c.setLineDash([]);
}

export function broadsides(board, ops, p) {
  const { context: c, view, ink } = board;
  const shots = ops.filter(([kind]) => kind === "F");
  const numbers = new Map();
  shots.forEach(([, from, to, , , hits, raking], k) => {
    const own = shots.length > 1 ? k / (shots.length - 1) : 0;
    const since = p >= 1 ? 0.5 : (p - own * 0.7) / 0.3;
    const [a, b] = [board.spots.get(from), board.spots.get(to)];
    if (since < 0 || !a || !b) return;
    const fade = p >= 1 ? 0.7 : Math.max(0.25, 1 - since * 0.6);
    c.globalAlpha = hits ? fade : fade * 0.45;
    c.strokeStyle = hits ? ink.bad : ink["ink-soft"];
    c.lineWidth = hits ? Math.min(3, 0.8 + hits * 0.3) : 0.8;
    if (raking) c.setLineDash([7, 3]);
    c.beginPath(); c.moveTo(...a); c.lineTo(...b); c.stroke();
    c.setLineDash([]);
    smoke(board, a, b, fade, since);
    if (hits) numbers.set(to, (numbers.get(to) ?? 0) + hits);
  });
  c.globalAlpha = 1;
  if (view.scale < 5) return;
  c.font = `600 ${Math.min(17, Math.max(11, view.scale * 0.7))}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  const off = Math.max(9, Math.min(24, view.scale * 0.75));
  for (const [n, hits] of numbers) {
    const [x, y] = board.spots.get(n);
    outlined(board, String(hits), x + off, y - off * 0.8, ink.bad);
  }
}

function smoke(board, a, b, fade, since) {
  const { context: c, view, ink } = board;
  const away = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const unit = Math.min(view.scale, 26);
  const puff = Math.max(1.4, unit * 0.42) * (0.6 + Math.min(1, since) * 0.6);
  c.fillStyle = ink["sheet-high"];
  for (const out of [0.35, 0.75]) {
    c.globalAlpha = fade * (0.75 - out * 0.4);
    c.beginPath(); c.arc(a[0] + ((b[0] - a[0]) / away) * unit * out, a[1] + ((b[1] - a[1]) / away) * unit * out, puff * (1 - out * 0.3), 0, 7); c.fill();
  }
}

// Boarders: crossed blades between two ships, with what each side killed.
export function melees(board, ops) {
  const { context: c, ink } = board;
  for (const [kind, a, b, byA, byB] of ops) {
    const [from, to] = [board.spots.get(a), board.spots.get(b)];
    if (kind !== "Z" || !from || !to) continue;
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    c.strokeStyle = ink.bad; c.lineWidth = 2;
    c.beginPath(); c.moveTo(x - 6, y - 6); c.lineTo(x + 6, y + 6); c.moveTo(x + 6, y - 6); c.lineTo(x - 6, y + 6); c.stroke();
    c.font = `600 12px ${FONT}`; c.textAlign = "center"; c.textBaseline = "bottom";
    outlined(board, `${byA} : ${byB}`, x, y - 8, ink.bad);
  }
}

export function blasts(board, ops, p) {
  const { context: c, view } = board;
  for (const [kind, n, how] of ops) {
    const spot = kind === "X" && how === "blown up" ? board.lastSpots?.get(n) ?? board.spots.get(n) : null;
    if (!spot) continue;
    c.globalAlpha = Math.max(0.25, 1 - p * 0.6);
    c.fillStyle = "#f5a623";
    c.beginPath(); c.arc(...spot, Math.max(6, view.scale) * (0.5 + p), 0, 7); c.fill();
  }
  c.globalAlpha = 1;
  board.lastSpots = board.spots;
}

// The field of fire of the chosen ship: a broadside's wedge slides from stern to stem, chase guns fire along the keel.
export function fans(board, { ship, x, y, turn }) {
  const { context: c, ink, view, doc } = board;
  if (!doc.fan || ship.gone || ship.struck) return;
  const made = doc.ships[ship.n];
  const reach = ship.reach ?? made.reach ?? [[0, doc.farthest], [0, doc.farthest], [0, 0], [0, 0]];
  const [long, broad] = [inches(made.length) / 2, inches(made.beam) / 2];
  c.save();
  c.translate(...board.toScreen([x, y]));
  c.rotate(turn);
  c.scale(view.scale, view.scale);
  c.fillStyle = c.strokeStyle = ink.warn;
  c.lineWidth = 1.2 / view.scale;
  reach.forEach((bands, group) => bands.forEach((far, outer) => {
    if (!far || (outer && far === bands[0])) return;
    c.setLineDash(outer ? [5 / view.scale, 4 / view.scale] : []);
    if (group < 2) wedge(c, long, broad, inches(far), (doc.fan * Math.PI) / 180, group ? 1 : -1);
    else { c.beginPath(); c.moveTo(0, 0); c.lineTo(0, inches(far) * (group === 2 ? -1 : 1)); }
    c.globalAlpha = outer ? 0.07 : 0.14;
    if (group < 2) c.fill();
    c.globalAlpha = 0.6;
    c.stroke();
  }));
  c.restore();
  c.setLineDash([]);
  c.globalAlpha = 1;
}

// side: 1 starboard, -1 port. The range is measured from the mainmast, so the far edge is an arc about it.
function wedge(c, long, broad, far, half, side) {
  const flare = Math.tan(half);
  // Where the flaring line from bow or stern meets the circle of the range: |(broad + t, long + t·flare)| = far.
  const [A, B, C] = [1 + flare ** 2, 2 * (broad + long * flare), broad ** 2 + long ** 2 - far ** 2];
  const out = Math.max(0, (-B + Math.sqrt(Math.max(0, B * B - 4 * A * C))) / (2 * A));
  const angle = Math.atan2(long + out * flare, broad + out);
  c.beginPath();
  c.moveTo(side * broad, -long);
  c.lineTo(side * (broad + out), -long - out * flare);
  if (side > 0) c.arc(0, 0, far, -angle, angle);
  else c.arc(0, 0, far, Math.PI + angle, Math.PI - angle, true);
  c.lineTo(side * broad, long);
  c.closePath();
}

// Names of ships, the chosen one's and the flagships' first; one that would lie on another is left out.
export function labels(board, poses) {
  const { view, context: c, ink, space } = board;
  const size = Math.min(15, Math.max(11, view.scale * 0.55));
  c.font = `${size}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "top";
  const rank = ({ ship }) => (ship.n === board.chosen ? 0 : ship.flag ? 1 : 2);
  const taken = [];
  for (const { ship } of [...poses].sort((a, b) => rank(a) - rank(b))) {
    const chosen = ship.n === board.chosen;
    if (!chosen && !(view.scale >= 19 || (ship.flag && view.scale >= 11))) continue;
    const made = board.doc.ships[ship.n];
    const [x, spot] = board.spots.get(ship.n);
    const y = spot + space.size(made, view.scale).s * 0.85;
    const half = c.measureText(made.name).width / 2;
    if (taken.some(([tx, ty, th]) => Math.abs(tx - x) < th + half + size / 2 && Math.abs(ty - y) < size)) continue;
    taken.push([x, y, half]);
    outlined(board, made.name, x, y, chosen ? ink.ink : ink["ink-soft"]);
  }
}

export function outlined(board, text, x, y, colour) {
  const { context: c } = board;
  c.lineWidth = 3.5; c.lineJoin = "round";
  c.strokeStyle = board.ink["chart-sea"]; c.strokeText(text, x, y);
  c.fillStyle = colour; c.fillText(text, x, y);
}

// The wind blows the way the arrow flies; N is the chart's north.
export function rose(board, wind) {
  const { context: c, ink, doc } = board;
  const [x, y, size] = [board.width - 38, 40, 25];
  c.save();
  c.translate(x, y);
  c.fillStyle = ink["sheet-high"]; c.strokeStyle = ink["ink-soft"]; c.lineWidth = 1;
  c.beginPath(); c.arc(0, 0, size, 0, 7); c.fill(); c.stroke();
  c.font = `600 12px ${FONT}`; c.textAlign = "center"; c.textBaseline = "middle"; c.fillStyle = ink.ink;
  const north = (-doc.north * Math.PI) / 180;
  c.fillText("N", (size - 7) * Math.sin(north), -(size - 7) * Math.cos(north));
  if (wind) {
    c.rotate(board.space.turn(wind.towards));
    c.strokeStyle = ink["sea-ink"]; c.fillStyle = ink["sea-ink"]; c.lineWidth = 1.5 + wind.strength * 0.7;
    if (wind.strength) {
      c.beginPath(); c.moveTo(0, 14); c.lineTo(0, -8); c.stroke();
      c.beginPath(); c.moveTo(0, -16); c.lineTo(6, -6); c.lineTo(-6, -6); c.closePath(); c.fill();
    }
  }
  c.restore();
  if (!wind) return;
  c.textAlign = "center"; c.textBaseline = "top"; c.font = `12px ${FONT}`;
  outlined(board, doc.strengths[wind.strength], x, y + size + 3, ink["sea-ink"]);
}
