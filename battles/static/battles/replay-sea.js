// What only the open sea has: the light of the hour, banks of mist, fog and rain, bases, searchlights, mines and bubbles.

import { cables } from "./replay-space.js";

const DARKNESS = [0, 0.16, 0.34];
const THICKNESS = { mist: 0.55, fog: 0.85, squall: 0.6 };

// Under the ships: night over the water, mines and bubbles on it.
export function waters(board, state) {
  const { context: c, ink, view } = board;
  if (state.dark) {
    c.globalAlpha = DARKNESS[state.dark];
    c.fillStyle = "#0b1a33";
    c.fillRect(0, 0, board.width, board.height);
    c.globalAlpha = 1;
  }
  c.strokeStyle = ink.bad;
  c.lineWidth = 1.2;
  const arm = Math.max(2, Math.min(5, view.scale * 0.25));
  for (const [x, y] of state.mines.values()) {
    const [px, py] = board.toScreen(board.space.centre(x, y));
    c.beginPath(); c.moveTo(px - arm, py - arm); c.lineTo(px + arm, py + arm); c.moveTo(px + arm, py - arm); c.lineTo(px - arm, py + arm); c.stroke();
  }
  c.strokeStyle = ink["sea-ink"];
  for (const [x, y] of state.bubbles.values()) {
    const [px, py] = board.toScreen(board.space.centre(x, y));
    for (const r of [arm, arm * 1.9]) { c.beginPath(); c.arc(px, py, r, 0, 7); c.stroke(); }
  }
}

// A ship's base, to scale, where it is large enough to be told from the ship.
export function bases(board, poses) {
  const { context: c, ink, view, doc } = board;
  c.lineWidth = 1;
  for (const { ship, x, y, turn } of poses) {
    const [long, broad] = board.space.base(doc.ships[ship.n]).map((half) => half * view.scale);
    if (long < 9 || ship.gone) continue;
    c.save();
    c.translate(...board.toScreen([x, y]));
    c.rotate(turn);
    c.globalAlpha = 0.35;
    c.strokeStyle = ink["sea-ink"];
    c.strokeRect(-broad, -long, 2 * broad, 2 * long);
    c.restore();
  }
  c.globalAlpha = 1;
}

// A wedge of light from each ship that lights another.
export function beams(board, state) {
  const { context: c } = board;
  c.fillStyle = "#f7e9a0";
  for (const ship of state.ships) {
    const [from, to] = [board.spots.get(ship.n), board.spots.get(ship.light)];
    if (ship.light < 0 || !from || !to) continue;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const long = Math.hypot(dx, dy) || 1;
    const half = Math.max(5, long * 0.06);
    const [ox, oy] = [(-dy / long) * half, (dx / long) * half];
    c.globalAlpha = 0.4;
    c.beginPath(); c.moveTo(...from); c.lineTo(to[0] + ox, to[1] + oy); c.lineTo(to[0] - ox, to[1] - oy); c.closePath(); c.fill();
  }
  c.globalAlpha = 1;
}

// Over the ships: banks hide what lies in them.
export function weather(board, state) {
  const { context: c, ink, view } = board;
  for (const [kind, x, y, heading, length, beam] of state.banks) {
    c.save();
    c.translate(...board.toScreen(board.space.centre(x, y)));
    c.rotate(board.space.turn(heading));
    const [long, broad] = [(cables(length) * view.scale) / 2, (cables(beam) * view.scale) / 2];
    c.globalAlpha = THICKNESS[kind] ?? 0.5;
    c.fillStyle = ink.rule;
    c.fillRect(-broad, -long, 2 * broad, 2 * long);
    if (kind === "squall") streaks(c, ink, long, broad);
    c.restore();
  }
}

function streaks(c, ink, long, broad) {
  c.strokeStyle = ink["sea-ink"];
  c.lineWidth = 1;
  c.beginPath();
  for (let x = -broad; x < broad; x += 9) { c.moveTo(x, -long); c.lineTo(Math.min(broad, x + long * 0.3), long); }
  c.stroke();
}
