"""Old versions of the rules, kept as archives: how they are written, checked and played beside today's."""
