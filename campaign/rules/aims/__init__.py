"""Objectives: what each side is about, what it is paid for, who has won. Rules: G.OB1-G.OB5."""
