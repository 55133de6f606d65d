"""Orders given, orders still to come, trial forecasts."""
