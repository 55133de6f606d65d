// How a single ship is drawn: hull, sails that stand, flags, oars and boats, flames, and what is left of her. From afar she is a mark.

// From this size on the boxes of her card can be told apart.
const PLANNED = 34;
// A hull shorter than this, in pixels from the middle to an end, is drawn as a mark of this length.
const MARK = 6;

// board: the board she is on; pose: {ship, x, y, turn}.
export function drawShip(board, { ship, x, y, turn }) {
  const { context: c, ink } = board;
  const [px, py] = board.toScreen([x, y]);
  const made = board.doc.ships[ship.n];
  const { s, long, broad } = board.space.size(made, board.view.scale);
  if (px < -s || py < -s || px > board.width + s || py > board.height + s) return;
  c.save();
  c.translate(px, py);
  if (ship.n === board.chosen) {
    c.strokeStyle = ink.warn; c.lineWidth = 2.5;
    c.beginPath(); c.arc(0, 0, s * 0.95 + 3, 0, 7); c.stroke();
  }
  c.rotate(turn);
  const wreck = ["sunk", "foundered", "wrecked", "beached"].includes(ship.gone);
  if (long < MARK) {
    mark(board, ship, made, wreck);
    c.restore();
    if (wreck) return;
    flags(board, ship, made, px, py, MARK);
    if (ship.fire) flames(c, px, py, MARK);
    return;
  }
  hull(board, ship, made, s, long, broad, wreck);
  if (wreck) { cross(c, broad); c.restore(); return; }
  if (made.turrets === undefined) sails(board, ship, made, s, long, broad);
  else turrets(board, made, s, long, broad);
  if (ship.plan && s >= PLANNED) plan(board, ship, made, long, broad);
  if (ship.oars) oars(c, ink, long, broad);
  if (ship.boats) boats(board, made, long, broad);
  c.restore();
  flags(board, ship, made, px, py, s);
  if (ship.fire) flames(c, px, py, s);
}

// A dart that points where she heads, with her ensign at the stern: filled for the first side, hollow for the second, barred for a third.
function mark(board, ship, made, wreck) {
  const { context: c, ink } = board;
  const colour = board.colours[made.side];
  const style = board.doc.sides.findIndex((side) => side.id === made.side) % 3;
  if (wreck) { c.strokeStyle = ink["ink-soft"]; cross(c, 2); return; }
  c.lineJoin = "miter";
  c.beginPath();
  c.moveTo(0, -MARK - 1); c.lineTo(2.6, MARK - 1.5); c.lineTo(-2.6, MARK - 1.5);
  c.closePath();
  c.lineWidth = 3; c.strokeStyle = ink["chart-sea"]; c.stroke();
  c.fillStyle = style === 1 ? ink["sheet-high"] : colour;
  c.fill();
  c.lineWidth = 1.3; c.strokeStyle = colour; c.stroke();
  if (style === 2) { c.beginPath(); c.moveTo(-2.2, 1); c.lineTo(2.2, 1); c.strokeStyle = ink["sheet-high"]; c.stroke(); }
  c.beginPath(); c.moveTo(0, MARK - 1.5); c.lineTo(0, MARK + 2.5);
  c.lineWidth = 2.6; c.strokeStyle = board.colours[ship.side]; c.stroke();
}

function hull(board, ship, made, s, long, broad, wreck) {
  const { context: c, ink } = board;
  c.beginPath();
  c.moveTo(0, -long);
  c.bezierCurveTo(broad * 1.1, -long * 0.55, broad * 1.15, long * 0.3, broad * 0.8, long);
  c.lineTo(-broad * 0.8, long);
  c.bezierCurveTo(-broad * 1.15, long * 0.3, -broad * 1.1, -long * 0.55, 0, -long);
  c.closePath();
  c.fillStyle = wreck ? ink["chart-sea"] : board.colours[made.side];
  c.strokeStyle = wreck ? ink["ink-soft"] : s < board.space.sails ? ink["chart-sea"] : ink.ink;
  c.lineWidth = wreck ? 1 : s < board.space.sails ? 0.6 : Math.min(1.6, s * 0.06);
  c.fill(); c.stroke();
}

function cross(c, broad) {
  const arm = Math.max(3, broad * 1.4);
  c.beginPath(); c.moveTo(-arm, -arm); c.lineTo(arm, arm); c.moveTo(arm, -arm); c.lineTo(-arm, arm);
  c.lineWidth = 1.6; c.stroke();
}

// A sail for every mast that stands, a stump for every one that is gone. A ship that has struck shows bare masts.
function sails(board, ship, made, s, long, broad) {
  const { context: c, ink, space } = board;
  if (s < board.space.sails) return;
  const masts = space.masts(made);
  const standing = space.standing(ship, made);
  const set = !ship.struck && !ship.oars && !ship.anchored;
  const deep = Math.min(s * 0.2, long * 0.26);
  c.fillStyle = ink["sheet-high"];
  c.strokeStyle = ink.ink;
  c.lineWidth = Math.max(0.5, Math.min(1.2, s * 0.035));
  for (let k = 0; k < masts; k += 1) {
    const at = masts === 1 ? -0.05 : -0.42 + (0.94 * k) / (masts - 1);
    const wide = broad * (k === Math.floor(masts / 2) ? 2.1 : 1.75);
    c.beginPath();
    const up = ship.plan ? ship.plan.rig[k] > 0 : k < standing;
    if (up && set) {
      c.moveTo(-wide, at * long + deep * 0.35);
      c.quadraticCurveTo(0, at * long - deep, wide, at * long + deep * 0.35);
      c.closePath(); c.fill(); c.stroke();
    } else if (up) { c.moveTo(-wide * 0.8, at * long); c.lineTo(wide * 0.8, at * long); c.stroke(); }
    else { c.arc(0, at * long, Math.max(1, Math.min(3, s * 0.05)), 0, 7); c.fillStyle = ink.ink; c.fill(); c.fillStyle = ink["sheet-high"]; }
  }
}

// A steamer from above: her turrets, and a funnel between them.
function turrets(board, made, s, long, broad) {
  const { context: c, ink } = board;
  if (s < board.space.sails) return;
  c.strokeStyle = ink.ink; c.lineWidth = Math.max(0.6, Math.min(1.4, s * 0.04));
  c.fillStyle = ink["sheet-high"];
  for (const end of [-1, 1].slice(0, made.turrets)) {
    c.beginPath(); c.arc(0, end * long * 0.5, broad * 0.5, 0, 7); c.fill(); c.stroke();
    c.beginPath(); c.moveTo(0, end * long * 0.5); c.lineTo(0, end * long * 0.86); c.stroke();
  }
  c.fillStyle = ink.ink;
  c.beginPath(); c.arc(0, 0, broad * 0.28, 0, 7); c.fill();
}

// What is left of her as on her card: gun decks along each side, hull units amidships; what is lost is crossed off. On a
// prize only the decks that its prize crew serves are filled, in the captor's colour.
function plan(board, ship, made, long, broad) {
  const { context: c, ink } = board;
  const { port, stbd, units } = ship.plan;
  const prize = ship.crew >= 0;
  const size = Math.min(broad * 0.5, long * 0.2);
  c.lineWidth = Math.max(0.7, size * 0.09);
  c.strokeStyle = ink.ink;
  c.fillStyle = ink["sheet-high"];
  for (const [x, left, whole, guns] of [[-broad * 0.95, port, made.decks, true], [broad * 0.95, stbd, made.decks, true], [0, units, made.hull, false]]) {
    c.fillStyle = prize && guns ? board.colours[ship.side] : ink["sheet-high"];
    for (let k = 0; k < whole; k += 1) {
      const y = (k - (whole - 1) / 2) * size * 1.5 + long * 0.1;
      c.beginPath(); c.rect(x - size / 2, y - size / 2, size, size);
      if (k < left) { if (!prize || !guns || k < ship.crew) c.fill(); }
      else { c.moveTo(x - size / 2, y - size / 2); c.lineTo(x + size / 2, y + size / 2); c.moveTo(x + size / 2, y - size / 2); c.lineTo(x - size / 2, y + size / 2); }
      c.stroke();
    }
  }
}

function oars(c, ink, long, broad) {
  c.strokeStyle = ink.ink;
  c.lineWidth = 0.8;
  c.beginPath();
  for (let k = -3; k <= 3; k += 1) {
    for (const side of [-1, 1]) { c.moveTo(side * broad * 0.9, k * long * 0.2); c.lineTo(side * broad * 2.6, k * long * 0.2 + long * 0.12); }
  }
  c.stroke();
}

// Two boats ahead of her, on their lines.
function boats(board, made, long, broad) {
  const { context: c, ink } = board;
  const small = Math.max(1.6, broad * 0.45);
  c.strokeStyle = ink.ink; c.fillStyle = board.colours[made.side]; c.lineWidth = 0.8;
  for (const side of [-1, 1]) {
    const [x, y] = [side * small * 2, -long - small * 5];
    c.beginPath(); c.moveTo(0, -long); c.lineTo(x, y + small * 2); c.stroke();
    c.beginPath(); c.ellipse(x, y, small, small * 2, 0, 0, 7); c.fill(); c.stroke();
  }
}

// Captor's colours on a prize, white on a ship that struck and is nobody's yet, a pennant on a flagship.
function flags(board, ship, made, px, py, s) {
  const { context: c, ink } = board;
  const size = Math.min(s, 22);
  if (ship.struck || ship.side !== made.side) {
    c.fillStyle = ship.struck ? "#fff" : board.colours[ship.side];
    c.strokeStyle = ship.struck ? ink.ink : ink["sheet-high"];
    c.lineWidth = 1.2;
    c.beginPath(); c.rect(px + size * 0.2, py - size * 0.75, Math.max(5, size * 0.5), Math.max(3.5, size * 0.34)); c.fill(); c.stroke();
  }
  if (ship.flag) pennant(board, px, py, size, board.colours[ship.side]);
}

function pennant(board, px, py, s, colour) {
  const { context: c, ink } = board;
  const top = py - Math.max(6.5, s * 1.05);
  const size = Math.max(2.6, s * 0.42);
  c.strokeStyle = ink.ink; c.lineWidth = s < 8 ? 0.7 : 1.2;
  c.beginPath(); c.moveTo(px, py); c.lineTo(px, top); c.stroke();
  c.fillStyle = colour;
  c.beginPath(); c.moveTo(px, top); c.lineTo(px + size * 1.6, top + size * 0.4); c.lineTo(px, top + size * 0.8); c.closePath(); c.fill(); c.stroke();
}

function flames(c, px, py, s) {
  const reach = Math.min(s, 26);
  for (const [size, colour] of [[0.55, "#d8431f"], [0.32, "#f5a623"]]) {
    c.fillStyle = colour;
    c.beginPath();
    for (let i = 0; i < 14; i += 1) {
      const away = Math.max(8 * size, reach * size) * (i % 2 ? 0.5 : 1);
      c.lineTo(px + away * Math.sin((i * Math.PI) / 7), py - away * Math.cos((i * Math.PI) / 7));
    }
    c.closePath(); c.fill();
  }
}
