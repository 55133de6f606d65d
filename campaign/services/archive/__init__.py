"""A whole campaign as one file: written on one server, read on another."""
