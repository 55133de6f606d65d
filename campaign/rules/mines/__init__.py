"""Minefields on the chart: laid, struck, swept, and carried into battles and out of them. Rules: G.MN1-G.MN4."""
