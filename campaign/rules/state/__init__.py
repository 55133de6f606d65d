"""The state of the chart: what is stored, the clock, the world while an hour is played, the events it tells."""
