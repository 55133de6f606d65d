"""Pages of the battles room that belong to no campaign: the rules."""
