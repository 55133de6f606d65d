"""Orders given by fleet and by side, openings, the automatic admirals."""
