"""The chart and its fleets as their reader may see them."""
