"""Explains which files of a table a filter keeps, and why, as text or JSON."""
