"""Card figures that a register sets by hand, field by field, each rule set for itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from fleets.forms import override_faults
from fleets.models import RegisterEntry
from fleets.services.register_imports import refuse_original

_YES = {"yes": True, "true": True, "no": False, "false": False}


def override_value(text: str) -> Any:
    """What the user typed, as a rule set takes it: yes and no, a number, a word, or JSON for what is made of parts."""
    word = text.strip()
    if word.casefold() in _YES:
        return _YES[word.casefold()]
    try:
        return json.loads(word, parse_constant=str)
    except (ValueError, RecursionError):
        return word


def overrides_set(
    *, entry: RegisterEntry, rule_set: str, typed: Mapping[str, str], reason: str, user: Any
) -> RegisterEntry:
    """Set figures of one rule set's card; an empty text restores the figure that the rules derive.

    typed: by name; names that are not given stay as they are. Nothing is written when nothing changes. Raises ValidationError
    without a reason, for a supplied original, and with every figure that the rule set cannot use.
    """
    refuse_original(entry.register)
    chosen = dict((entry.overrides or {}).get(rule_set, {}))
    for name, text in typed.items():
        if text.strip():
            chosen[name] = override_value(text)
        else:
            chosen.pop(name, None)
    everything = {**(entry.overrides or {}), rule_set: chosen}
    everything = {name: fields for name, fields in everything.items() if fields}
    if everything == (entry.overrides or {}):
        return entry
    before, entry.overrides = entry.overrides, everything
    faults = list(override_faults(entry))
    if not reason.strip():
        faults.append(ValidationError("Enter a reason. It appears in the ship's history."))
    if faults:
        entry.overrides = before
        raise ValidationError(faults)
    entry._change_reason = reason.strip()  # type: ignore[attr-defined]
    entry._history_user = user  # type: ignore[attr-defined]
    entry.save()
    return entry
