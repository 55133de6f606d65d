"""Email out and in: notices, reminders, letters, replies, bounces."""
