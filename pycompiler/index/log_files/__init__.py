"""Reads Hudi's log files without Hudi: their blocks, and all their records as Parquet."""
