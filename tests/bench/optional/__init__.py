"""Benchmarks of what is off by default, on one table of a file per day."""
