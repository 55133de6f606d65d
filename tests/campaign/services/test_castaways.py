"""Crews of lost ships in the rows: men aboard and ashore, prisoners, officers, and their ledger entries."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.types import Position
from campaign.rules.losses.castaways import people
from campaign.rules.losses.losses import lose
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from campaign.selectors.turn.facts import turn_facts
from campaign.services.turn.chart_results import sea_write
from fleets.models import Officer, OfficerRecord, PrisonersHeld, ServiceRecord, Ship
from fleets.record_words import officer_sentence, sentence
from tests.support.factories import OfficerFactory
from tests.support.people import DUTCH, ENGLISH, world


@pytest.mark.django_db
@pytest.mark.clause("T.C21", "T.C37", "G.AF1", "G.SV1", "G.CR1")
def test_records_of_ships_and_officers_say_who_was_saved_or_taken_or_drowned() -> None:
    told = world()
    ships = {code: Ship.objects.get(code=code) for code in (f"{ENGLISH}-00", f"{ENGLISH}-01", f"{DUTCH}-00")}
    for code, name in ((f"{ENGLISH}-00", "Sir Christopher Myngs"), (f"{DUTCH}-00", "Cornelis Evertsen")):
        OfficerFactory(navy=ships[code].navy, ship=ships[code], name=name, flag_rank=False)
    facts, _ = turn_facts(told.turn)
    state = standing(facts)
    chart = Chart(facts, state, ScriptedDice((2,)))
    before = people(state)
    chart.alter(state.fleets[f"{DUTCH}-f"], position=Position("nore"))
    lost, wrecked = state.ships[f"{ENGLISH}-00"], state.ships[f"{DUTCH}-00"]
    lose(chart, lost, Fate.FOUNDERED, clause="G.GF2", cause="from the strain of the weather")
    lose(chart, wrecked, Fate.WRECKED, clause="G.CH2", cause="driven ashore")
    (taken_up,) = (event.data for event in state.events if event.kind == "taken_up")
    for _ in range(2):
        sea_write(turn=told.turn, facts=facts, state=state)

    assert before - people(state) == lost.men - taken_up["men"] > 0
    for code, men in taken_up["by"]:
        assert Ship.objects.get(code=code).men == facts.ships[code].men + men
    assert Ship.objects.get(code=lost.code).men == Ship.objects.get(code=wrecked.code).men == 0
    held = PrisonersHeld.objects.get(holder__code="ENG", men=wrecked.men)
    assert held.of.code == "NLD"
    drowned, taken = (Officer.objects.get(name__endswith=name) for name in ("Myngs", "Evertsen"))
    assert (drowned.status, drowned.ship) == ("killed", None)
    assert (taken.status, taken.ship) == ("captured", None)
    words = {officer_sentence(row) for row in OfficerRecord.objects.filter(officer__in=(drowned, taken))}
    assert words == {f"Drowned in {ships[lost.code].name}.", f"Taken in {ships[wrecked.code].name}."}

    def ledger(code: str, kind: str) -> str:
        return sentence(ServiceRecord.objects.get(ship__code=code, kind=kind))

    rescuer, men = taken_up["by"][0]
    assert ledger(rescuer, "took_up") == f"Saved {men} men from {ships[lost.code].name}."
    assert ledger(lost.code, "people_saved").startswith(f"{taken_up['men']} men were saved from her by ")
    assert ledger(wrecked.code, "castaways_taken") == (
        f"{wrecked.men} men of the Dutch Republic came ashore from her wreck near the Nore and were taken by England."
    )
    assert ledger(lost.code, "officer_hit") == "Sir Christopher Myngs drowned."
