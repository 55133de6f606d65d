"""Battles as rows: what was sent in, who is working on it, what came out."""

from battles.models.battles import Battle, BattleLog, BattleOutcome, OutcomeAnswer, Roster
