"""Collects statistics of base files and log files from Parquet footers, pages and partition paths."""
