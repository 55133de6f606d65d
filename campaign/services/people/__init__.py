"""Who plays: accounts, absences, roles in a campaign."""
