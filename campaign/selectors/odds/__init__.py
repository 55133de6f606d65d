"""Odds: what can be asked, the question as the engine is asked it, and the answer as a page shows it."""
