"""What an umpire sets: settings, the schedule, what is released."""
