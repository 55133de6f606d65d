"""Battles as they may be read."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from battles.models import Battle
from battles.services.leases import free
