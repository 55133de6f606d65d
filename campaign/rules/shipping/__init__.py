"""Neutral and enemy merchantmen that no one lists: stopped, searched, taken and sunk. Rules: G.NC1, G.NC2."""
