"""Hudi's log files, read without Hudi: their blocks, and all their records as Parquet."""
