"""The chart and the plain values that lie on it: theatre, land, orders for a side, dispatches."""
