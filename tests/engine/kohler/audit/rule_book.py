"""The tables and reckonings of Kohler's rules written down a second time, from the digest, for the auditor of battle logs."""

from __future__ import annotations

from math import ceil

Cell = tuple[int, int]
D = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
STILL, LIGHT, NORMAL, STRONG, GALE = range(5)
# T4, by number of steps: level after 0, 1, ... lost.
LEVELS = {4: (0, 1, 2, 3, 3), 3: (0, 1, 2, 3), 2: (0, 1, 3)}
# Lee side by attitude (K.M2).
LEE = (None, "starboard", "starboard", None, "port", "port")
HELM = {2: "port", 3: "no_turn", 4: "no_turn", 5: "starboard"}
DISPLACED = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2}
# T1: fire points, then hits at scores of 0 or less, 1 to 7, 8 or more.
T1 = """
0.5 1 1 0 0 0 0 0 0 0
1   1 1 1 0 0 0 0 0 0
1.5 2 1 1 1 0 0 0 0 0
2   2 1 1 1 1 0 0 0 0
3   3 2 1 1 1 0 0 0 0
4   3 2 2 1 1 1 0 0 0
5   4 3 2 1 1 1 0 0 0
6   4 3 3 2 1 1 1 0 0
7   4 3 3 2 2 1 1 1 0
9   5 4 3 3 2 2 1 1 0
"""
_ROWS = [[float(cell) for cell in line.split()] for line in T1.strip().splitlines()]
# K.F5: hexes between, by arc coordinates; rows along an edge of the arc are worked out.
_BETWEEN = {
    (1, 1): [[(1, 0)], [(0, 1)]],
    (2, 1): [[(1, 0), (1, 1)]],
    (1, 2): [[(0, 1), (1, 1)]],
    (3, 1): [[(1, 0), (1, 1), (2, 1)], [(1, 0), (2, 0), (2, 1)]],
    (1, 3): [[(0, 1), (1, 1), (1, 2)], [(0, 1), (0, 2), (1, 2)]],
    (2, 2): [[(1, 0), (1, 1), (2, 1)], [(0, 1), (1, 1), (1, 2)]],
}
# T9, attacker to port of the defender and to starboard.
_T9 = {"port": "SSPPPS", "starboard": "PPSSSP"}


def step(cell: Cell, direction: int) -> Cell:
    dq, dr = D[direction % 6]
    return cell[0] + dq, cell[1] + dr


def distance(a: Cell, b: Cell) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def allowance(rel: int, strength: int, level: int, fast: bool) -> int:
    """K.M4, by the words of the clause and not by its table."""
    if rel == 0 or level >= 3 or strength in (STILL, GALE):
        return 0
    close_hauled = rel in (1, 5)
    if level == 2:
        return 0 if close_hauled else 1
    hexes = {1: 1, 2: 3, 3: 2, 4: 3, 5: 1}[rel]
    if not close_hauled:
        hexes += fast
        hexes += {LIGHT: -1, NORMAL: 0, STRONG: 1}[strength]
    return max(1, hexes - level)


def hits(doubled: int, score: int) -> int:
    row = [row for row in _ROWS if row[0] <= doubled / 2]
    return int(row[-1][1 + min(max(score, 0), 8)]) if row else 0


def steps(hull: int, n: int, lost: int) -> int:
    return sum(lost >= ceil(k * hull / n) for k in range(1, n + 1))


def critical(score: int) -> str:
    return {4: "fire", 5: "fire", 6: "none", 7: "none", 8: "guns", 9: "helm", 10: "flag"}[score]


def alongside(turn: int, lies: str) -> str:
    """T9: the broadside of the attacker who lies on that side; turn: the defender's facing less hers."""
    return "starboard" if _T9[lies][turn % 6] == "S" else "port"


def bearing(firer: Cell, facing: int, target: Cell) -> tuple[str, int, list[list[Cell]]] | None:
    """K.F3 to K.F5: broadside, range and the hexes of each line of fire; None out of both arcs."""
    for side, sign in (("port", -1), ("starboard", 1)):
        u, v = D[(facing + sign) % 6], D[(facing + 2 * sign) % 6]
        for a in range(5):
            for b in range(5 - a):
                if a + b and at(firer, u, v, a, b) == target:
                    if a and b:
                        lines = _BETWEEN[a, b]
                    else:
                        lines = [[(n, 0) if a else (0, n) for n in range(1, a + b)]]
                    return side, a + b, [[at(firer, u, v, *cell) for cell in line] for line in lines]
    return None


def at(origin: Cell, u: Cell, v: Cell, a: int, b: int) -> Cell:
    return origin[0] + a * u[0] + b * v[0], origin[1] + a * u[1] + b * v[1]
