"""A rule set of ten clauses, complete: what a set needs is in this folder, so the site's battle pages and the generic tests show it too."""
