"""Prizes, the prize court and prisoners."""
