"""Soldiers on the chart: aboard, ashore, before a port, in it, and raids. Rules: G.LD1-G.LD5."""
