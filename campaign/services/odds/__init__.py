"""Odds: questions asked, and the battles fought for them."""
