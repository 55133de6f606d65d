"""Battles that the chart spawns: sent, answered, renewed."""
