"""The stored turn: facts, state, what waits."""
