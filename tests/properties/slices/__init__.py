"""Checks merge-on-read tables with random histories: no slice with a passing row is skipped."""
