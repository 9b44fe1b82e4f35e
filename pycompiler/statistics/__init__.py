"""Collecting the statistics of base files: from footers, from pages where more is asked for, from paths."""
