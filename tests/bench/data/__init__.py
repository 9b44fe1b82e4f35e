"""What the benchmarks measure on: tables, the rows of their indexes, filters and conditions."""
