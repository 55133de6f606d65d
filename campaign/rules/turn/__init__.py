"""A turn from its first hour to its last, its forecast, its snapshot, and the fingerprint of the rules."""
