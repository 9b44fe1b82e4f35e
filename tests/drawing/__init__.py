"""Draws typed tables, statistics of their files, values and conditions: for all random tests."""
