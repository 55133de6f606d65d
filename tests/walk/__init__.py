"""`make screenshots`: every page of the site is opened, looked over and drawn, at two widths, light and dark."""
