// What a board is measured by: where a place of the document lies on the drawing (x east, y south), and how large a ship is there.
// A place is two numbers and a heading, in the document's own units: hexes and hexsides, squares and eighths, or thousandths of an inch
// (at sea hundredths of a yard) and hundredths of a degree.

const ROOT3 = Math.sqrt(3);

const hexes = {
  grid: true,
  // Corners of a cell from its middle.
  corners: [0, 1, 2, 3, 4, 5].map((i) => [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3)]),
  // The cells in a stretch of the board from west to east, north to south.
  *cells(west, east, north, south) {
    for (let q = Math.floor(west / 1.5) - 1; q <= east / 1.5 + 1; q += 1) {
      for (let r = Math.floor(north / ROOT3 - q / 2) - 1; r <= south / ROOT3 - q / 2 + 1; r += 1) yield [q, r];
    }
  },
  full: 6,
  // Pixels a unit: the least and the most that can be chosen, how near the whole battle and a ship that is brought into view are shown.
  scales: { least: 1, most: 70, framed: 30, chosen: 14 },
  margin: [6, 6],
  // From this size of ship on her sails can be told apart; below it she is a hull in her side's colour.
  sails: 8,
  crowd: 0.62,
  centre: (q, r) => [1.5 * q, ROOT3 * (r + q / 2)],
  turn: (f) => (f * Math.PI) / 3,
  size(made, scale) {
    const s = Math.max(5, scale);
    return { s, long: s * 0.82, broad: s * (s < 8 ? 0.36 : 0.27) };
  },
  standing: (ship, made) => Math.max(0, 3 - Math.round((ship.steps / made.steps) * 3)),
  masts: () => 3,
};

// Squares are as large as hexes. Ships go by steam: there is nothing on their decks to be set.
const SIDE = 1.6;

const squares = {
  ...hexes,
  corners: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [(x * SIDE) / 2, (y * SIDE) / 2]),
  *cells(west, east, north, south) {
    for (let x = Math.floor(west / SIDE); x <= east / SIDE + 1; x += 1) {
      for (let y = Math.floor(-south / SIDE); y <= -north / SIDE + 1; y += 1) yield [x, y];
    }
  },
  full: 8,
  crowd: 0,
  centre: (x, y) => [SIDE * x, -SIDE * y],
  turn: (h) => (h * Math.PI) / 4,
  standing: (ship, made) => made.turrets,
  masts: () => 0,
};

const INCH = 1000;

const plane = {
  grid: false,
  full: 36000,
  scales: { least: 0.3, most: 130, framed: 26, chosen: 22 },
  margin: [5, 5],
  sails: 14,
  crowd: 0,
  centre: (x, y) => [x / INCH, -y / INCH],
  turn: (h) => (h * Math.PI) / 18000,
  // To scale; one that would be a speck is drawn as a mark.
  size(made, scale) {
    const long = (made.length / INCH / 2) * scale;
    return { s: Math.max(5, long / 0.82), long, broad: (made.beam / INCH / 2) * scale };
  },
  standing: (ship) => ship.masts,
  masts: (made) => made.masts,
};

// The open sea in cables: fleets miles apart, each ship on a base of two cables by one.
const CABLE = 20000;

const sea = {
  ...plane,
  scales: { least: 0.15, most: 70, framed: 24, chosen: 16 },
  margin: [12, 12],
  sails: 11,
  centre: (x, y) => [x / CABLE, -y / CABLE],
  // The model is half as long as its base.
  size(made, scale) {
    const long = (made.length / CABLE / 4) * scale;
    return { s: Math.max(5, long / 0.82), long, broad: long * 0.22 };
  },
  base: (made) => [made.length / CABLE / 2, made.beam / CABLE / 2],
  standing: (ship, made) => made.turrets,
};

export const spaceOf = (doc) => ({ hex: hexes, square: squares, plane, sea })[doc.board];
export const cables = (hundredths) => hundredths / CABLE;
export const inches = (thousandths) => thousandths / INCH;

// The way from one heading to another by the nearer side, in the document's units.
export function swing(space, from, to) {
  const half = space.full / 2;
  return ((((to - from + half) % space.full) + space.full) % space.full) - half;
}
