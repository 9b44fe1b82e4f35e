"""Reads what a range of commits wrote, skipping files that a condition excludes."""
