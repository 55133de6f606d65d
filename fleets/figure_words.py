"""Names of a card's figures, and of a register's columns, as people say them."""

from __future__ import annotations

# Figures of a card whose own names say too little to a reader. Lengths are stored in thousandths of an inch.
_FIGURES = {
    "af": "attack at close, normal, long and extreme range",
    "battery_port": "secondary battery to port",
    "battery_stbd": "secondary battery to starboard",
    "beam": "beam (thousandths of an inch)",
    "critical": "critical from (flotation points)",
    "crew_max": "crew",
    "deep": "deep draught",
    "df": "defence",
    "flot_max": "flotation",
    "fp": "flotation points",
    "hull_max": "hull",
    "is_fireship": "fire ship",
    "length": "length (thousandths of an inch)",
    "masts_to_dismast": "masts lost to be dismasted",
    "n_steps": "damage steps",
    "oar_speed": "speed under oars (thousandths of an inch)",
    "oar_turn": "turn under oars (hundredths of a degree)",
    "pace": "movement (areas per turn)",
    "pounds": "value (£)",
    "signal_nm": "signalling range (nm)",
    "sp2": "points, doubled",
    "speed": "speed (thousandths of an inch)",
    "tubes": "torpedo tubes",
    "turn": "turn (hundredths of a degree)",
    "turret_aft": "aft turret",
    "turret_fore": "fore turret",
    "wt_from": "wireless from",
}


def figure_words(name: str) -> str:
    """A figure of a card, or a column, as people say it: "flotation points", "heading number"."""
    return _FIGURES.get(name, name.removeprefix("n_").replace("_", " "))
