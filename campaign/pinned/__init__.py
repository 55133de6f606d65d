"""Which version of the rules a campaign and a turn play by, and those rules in use."""
