"""Benchmarks of the time from a filter to the splits, and to the first row."""
