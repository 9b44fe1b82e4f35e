"""TPC-H's lineitem and part, at a scale of choice, also as native Parquet tables."""
