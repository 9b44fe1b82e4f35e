"""The statistics index of a table: Parquet data files and a manifest (docs/format.md, section 3)."""
