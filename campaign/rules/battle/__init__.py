"""From a meeting to a battle and back: the scenario, the outcome written back, attacks on ports, battles that wait."""
