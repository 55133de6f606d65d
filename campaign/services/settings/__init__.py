"""What an umpire sets: rules in force, the clock, what is released."""
