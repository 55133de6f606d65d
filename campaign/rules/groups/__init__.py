"""Groups: what has parted from a fleet and sails by itself under its side's standing orders, and small squadrons. Rules: G.KT1-G.KT3."""
