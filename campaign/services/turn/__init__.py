"""A turn is played: dice, results written to rows, books, verification, rollback, preview."""
