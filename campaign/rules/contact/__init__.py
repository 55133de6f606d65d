"""Fleets meet: sighting, night, chase, blockade, guns, general chase."""
