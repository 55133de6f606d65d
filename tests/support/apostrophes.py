"""Names of tests have no apostrophes and capitals: here are those that their sentences need."""

from __future__ import annotations

import re

# Owners, whatever follows them.
_OWNERS = ("ally", "enemy", "kohler", "merchantman", "nelson", "owner", "parma", "party", "quarry", "thomas")
# Owners when one of these words follows: without it the word is a plural or a verb.
_OWNED = {
    "absent admiral": "fleets time",
    "admiral": "battle fleet fleets order own part time",
    "army": "men port",
    "battle": "page result seed units",
    "campaign": "problem rates setting time weekdays",
    "captain": "boats wish",
    "captor": "colours flag fleet fleets men nation people squadron",
    "chart": "north wind",
    "column": "side",
    "convoy": "cards",
    "commander": "plans",
    "day": "half hours march provisions sail work",
    "firer": "count",
    "flagship": "squadron",
    "fleet": "loss own speed orders place position strength value",
    "hour": "battle wind",
    "island": "own",
    "leader": "side",
    "loser": "soldiers work",
    "model": "length",
    "neighbour": "explosion",
    "month": "own usual",
    "night": "dice",
    "officer": "fate luck misfortune place record state",
    "one": "own prize",
    "player": "line orders",
    "port": "levy own guns guard",
    "reader": "command fleet role",
    "register": "year",
    "scenario": "limit own seed year",
    "set": "limit own share",
    "seeker": "faster speed will",
    "ship": "code own losses men guns card crew hull name side speed",
    "side": "own ships fleets number orders score losses soldiers",
    "squadron": "own flagship leader ships",
    "switch": "else",
    "theatre": "calendar table",
    "turn": "end facts orders start number secret state",
    "umpire": "desk digest end log reason report time",
    "warship": "qualities",
    "wind": "eye",
}
_NAMES = {
    "antelope": "Antelope", "calais": "Calais", "euryalus": "Euryalus", "indies": "Indies", "kohler": "Kohler", "nelson": "Nelson",
    "parma": "Parma", "pelican": "Pelican", "thomas": "Thomas", "victory": "Victory",
}  # fmt: skip
_PLURALS = {
    "allys": "ally's",
    "enemys": "enemy's",
    "partys": "party's",
    "quarrys": "quarry's",
    "armys": "army's",
}


def with_apostrophes(sentence: str) -> str:
    """A sentence made of a test's name as people write it: "The enemy's losses", "Nelson's rules"."""
    for owner in _OWNERS:
        sentence = re.sub(
            rf"\b({owner})s (?!(?:and|are|of|in|that|who|is)\b)", r"\1's ", sentence, flags=re.IGNORECASE
        )
    for owner, owned in _OWNED.items():
        after = "|".join(owned.split())
        sentence = re.sub(
            rf"\b((?:a|an|the|her|its|his|every|each|another|one|no|any|this|that|own|\w+'s) (?:\w+ )?{owner})s (?=(?:{after})\b)",
            r"\1's ", sentence, flags=re.IGNORECASE,
        )  # fmt: skip
    for plain, better in _PLURALS.items():
        sentence = re.sub(rf"\b{plain}\b", better, sentence, flags=re.IGNORECASE)
    for plain, better in _NAMES.items():
        sentence = re.sub(rf"\b{plain}\b", better, sentence)
    sentence = sentence.replace("west Indies", "West Indies")
    return sentence[:1].upper() + sentence[1:]
