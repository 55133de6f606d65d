"""Step 3 for one ship: her whole activation, from cutting clear to the drift at its end. Rules: K.M, K.X5-K.X12, K.X17."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core.hexes import Hex, step
from battles.engine.core.log import Event
from battles.engine.rulesets.kohler.contact import grapple, meet, wishes_to_board
from battles.engine.rulesets.kohler.lots import blows, drift, drift_lot, part, refloat
from battles.engine.rulesets.kohler.passage import REFUSALS, Passage, allowance, begin, carry, foresee
from battles.engine.rulesets.kohler.placing import place_enemies, settle, shift
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.shore import WRECK, barred, take_ground
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, Status, WindForce

__all__ = ["activate", "activate_fire_ship", "allowance", "foresee"]

PathRow = list[int]


def activate(battle: Battle, play: Play, ship: Ship) -> None:
    """One whole activation of a ship of a group; nothing for a ship that cannot act or whose activation is spent.

    Rules: K.I17, K.M21, K.M26, K.M28, K.B9, K.B12, K.X12, K.G13.
    """
    if ship.status is not Status.AFLOAT or ship.acted or ship.fired:
        return
    ship.acted = True
    if ship.locks:
        part(battle, play, ship)
    if ship.locks:
        ship.helm = Helm.SOUND
        _refuse_all(play, ship, _tokens(battle, play, ship, own_orders=True), "locked")
        drift_lot(battle, play, ship)
    else:
        _Activation(battle, play, ship).run()
    place_enemies(battle, play, ship.pos)


def activate_fire_ship(battle: Battle, play: Play, ship: Ship) -> None:
    """Step 3a: a burning fire ship runs straight on by the allowance of her heading, until she meets someone.

    With no allowance she drifts; held to a ship she drifts with her; in still air she lies still.
    Rules: K.X5, K.X6, K.X8, K.X11, K.X17, K.M28.
    """
    if ship.status is not Status.AFLOAT or ship.acted or not ship.fired:
        return
    ship.acted = True
    ship.helm = Helm.SOUND
    if ship.locks:
        drift_lot(battle, play, ship)
    elif not ship.aground:
        _Activation(battle, play, ship).run_on()


def _tokens(battle: Battle, play: Play, ship: Ship, *, own_orders: bool = False) -> Sequence[str]:
    """Her movement tokens: from her orders, else from her side's captain, else none. Rule: K.M31.

    own_orders: do not ask the captain. A token X was carried out in step 1e.
    """
    orders = play.orders.get(ship.id)
    if orders is not None and orders.tokens is not None:
        tokens: Sequence[str] = orders.tokens
    elif own_orders or ship.flag not in play.captains:
        return ()
    else:
        tokens = play.captains[ship.flag].tokens(play.views[ship.flag], ship.id)
    return [token for token in tokens if token != "X"] if "X" in tokens else tokens


def _refuse_all(play: Play, ship: Ship, tokens: Sequence[str], code: str) -> None:
    """Log the first token refused; it and all after it are dropped. Rule: K.M31."""
    if tokens and play.log is not None:
        play.log.add("refused", REFUSALS[code][0], ship.id, token=tokens[0], code=code)


class _Activation:
    """One ship under way: carries tokens out on a passage and the passage out on the board."""

    __slots__ = ("battle", "done", "mark", "passage", "path", "play", "ship")

    def __init__(self, battle: Battle, play: Play, ship: Ship) -> None:
        self.battle = battle
        self.play = play
        self.ship = ship
        self.passage: Passage
        self.done: list[str] = []
        self.path: list[PathRow] = []
        self.mark = len(play.log.events) if play.log is not None else 0
        self._row()

    def run(self) -> None:
        """An ordinary activation. Rules: K.M11, K.M12, K.M21, K.M27, K.M31."""
        ship, battle = self.ship, self.battle
        p = self.passage = begin(battle, ship)
        self._apply_helm()
        tokens = _tokens(battle, self.play, ship)
        self._carry_out(tokens)
        ship.moved_hexes, ship.turns_made = p.moved, p.turns
        drifted = False
        if ship.aground:
            if not p.ended:
                refloat(battle, self.play, ship)
        elif ship.afloat and not p.moved and not ship.locks:
            if p.drifts and blows(battle):
                drifted = self._drift()
            elif not p.ended:
                self._clear_the_hex()
        self._log(drifted=drifted)

    def run_on(self) -> None:
        """A burning fire ship's straight course. Rules: K.X6, K.X8, K.X17."""
        ship, battle = self.ship, self.battle
        ahead = allowance(battle, ship, ship.facing)
        free = True
        while free and ship.moved_hexes < ahead:
            if barred(battle, ship, battle.ahead(ship)) == WRECK:
                break
            ship.moved_hexes += 1
            free = self._enter(battle.ahead(ship), forced=True)
        self._log(drifted=not ship.moved_hexes and blows(battle) and self._drift())

    def _carry_out(self, tokens: Sequence[str]) -> None:
        """Tokens from left to right until one is illegal or the ship is held. Rules: K.M21, K.M31, K.B1, K.B8."""
        ship, p = self.ship, self.passage
        number = 0
        if p.compulsory:
            number = 1 if tokens and tokens[0] == "A" else 0
            carry(self.battle, ship, p, "A")
            self.done.append("A")
            wanted = tokens[number] if number < len(tokens) else ""
            if not self._enter(p.pos, forced=True, wanted=wanted):
                self._stop(tokens, number)
                return
        while number < len(tokens):
            token = tokens[number]
            code = carry(self.battle, ship, p, token)
            if code:
                _refuse_all(self.play, ship, tokens[number:], code)
                return
            self.done.append(token)
            number += 1
            if token[:2] == "G:":
                self._board(token[2:])
            elif p.pos != ship.pos:
                wanted = tokens[number] if number < len(tokens) else ""
                if not self._enter(p.pos, wanted=wanted):
                    self._stop(tokens, number)
                    return
            else:
                ship.facing = p.facing
                self._row()

    def _stop(self, tokens: Sequence[str], number: int) -> None:
        """What she met has ended her movement; a grapple ordered next has been carried out with the contact."""
        self.passage.ended = True
        if not self.ship.afloat:
            return
        if number < len(tokens) and tokens[number][:2] == "G:" and self.ship.grapple_tried:
            self.done.append(tokens[number])
            number += 1
        _refuse_all(self.play, self.ship, tokens[number:], "halted")

    def _enter(self, cell: Hex, *, forced: bool = False, wanted: str = "") -> bool:
        """Bring her into a hex and let her meet what is there; whether she may go on. Rules: K.M32, K.B1, K.M24, K.X8."""
        came_from = self.ship.pos
        shift(self.battle, cell, self.ship)
        self._row()
        grounded = take_ground(self.battle, self.play, self.ship, came_from)
        if not self.ship.afloat:
            return False
        target = wanted[2:] if wanted[:2] == "G:" else ""
        return not (meet(self.battle, self.play, self.ship, wanted=target, forced=forced) or grounded)

    def _board(self, code: str) -> None:
        """An attempt on a ship in her hex, which is all she still does. Rules: K.B1, K.B2, K.B8."""
        enemy = self.battle.ships[code]
        grapple(
            self.battle, self.play, self.ship, enemy,
            agreed=wishes_to_board(self.battle, self.play, enemy, self.ship),
        )  # fmt: skip

    def _apply_helm(self) -> None:
        """A hit helm takes effect once and is cleared; in still air and aground it lapses. Rules: K.M21, K.A2.4."""
        ship, p = self.ship, self.passage
        if ship.helm is Helm.SOUND:
            return
        ship.helm = Helm.SOUND
        if p.helm is Helm.SOUND:
            return
        if self.play.log is not None:
            self.play.log.add("helm", "K.M21", ship.id, forced=p.helm.value)
        if p.facing != ship.facing:
            ship.facing = p.facing
            self._row()

    def _clear_the_hex(self) -> None:
        """Where nothing drifts, a ship lying beside a friend or a wreck has to leave if she can. Rule: K.M27."""
        ship, battle = self.ship, self.battle
        settle(battle, ship.pos)
        if not ship.stacked:
            return
        tokens = ["A"] if battle.strength is not WindForce.STILL else [
            f"W{(ship.facing + turn) % 6}" for turn in range(6)
        ]  # fmt: skip
        for token in tokens:
            if not carry(battle, ship, self.passage, token):
                self.done.append(token)
                ship.moved_hexes = self.passage.moved
                self._enter(self.passage.pos)
                return

    def _drift(self) -> bool:
        """Down wind at the end of the activation; whether she was carried off. Rules: K.M12, K.M13."""
        down = step(self.ship.pos, self.battle.wind)
        drift(self.battle, self.play, self.ship)
        if self.ship.pos != down:
            return False
        self._row()
        return True

    def _row(self) -> None:
        if self.play.log is not None:
            self.path.append([*self.ship.pos, self.ship.facing])

    def _log(self, *, drifted: bool) -> None:
        """Put the path before what was met on it, so that a replay shows the ship before the throw."""
        log = self.play.log
        if log is None:
            return
        data = {"path": self.path, "tokens": self.done, "drift": drifted}
        clause = "K.M12" if drifted else "K.X6" if self.ship.fired else "K.M31"
        log.events.insert(self.mark, Event(log.turn, log.step, "moved", clause, self.ship.id, data))
