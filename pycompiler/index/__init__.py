"""The statistics index of a table: Parquet data files and a manifest (docs/inside/formats.md, section 3)."""
