"""How dates and times are written, by language, where that differs from Django's own."""
