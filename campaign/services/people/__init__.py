"""Who plays: accounts, absences, parts in a campaign."""
