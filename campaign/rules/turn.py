"""A campaign turn as two pure functions on a storable state: `begin`, then `advance` until the turn is done. Rules: G.CL1, G.CL2."""
