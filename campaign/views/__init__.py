"""Pages of the campaign room: one module per subject, one view per page, named like its address and its template."""
