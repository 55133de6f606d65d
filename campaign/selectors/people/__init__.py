"""Who someone is in a campaign and what that lets them see and do."""
