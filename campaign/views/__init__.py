"""Pages of the campaign room: one module a subject, one view a page, named like its address and its template."""
