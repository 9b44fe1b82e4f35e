"""Benchmarks of incremental queries and of slices with logs."""
