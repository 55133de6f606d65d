"""A fleet's orders: their parts, their faults, what stands when none are given."""
