"""A person's role in a campaign and what it lets them see and do."""
