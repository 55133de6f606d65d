"""Battles as they may be read."""

from __future__ import annotations
