"""The umpire's work: corrections, audit, digest, outages."""
