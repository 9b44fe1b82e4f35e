"""Data for the benchmarks: tables, the rows of their indexes, filters and conditions."""
