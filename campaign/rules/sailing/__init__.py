"""How a fleet gets on: weather, destinations, passages, ports, shoals, convoys, parting."""
