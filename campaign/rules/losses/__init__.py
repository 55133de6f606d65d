"""What the sea and neutrals take and give back: gales, ships adrift, castaways, officers, internment."""
