"""Ports, dockyards, prizes and trade, as a side may know them."""
