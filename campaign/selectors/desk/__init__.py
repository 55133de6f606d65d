"""The umpire's desk, its alarms and the clock."""
