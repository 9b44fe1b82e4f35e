"""Incremental pulls (RFC-04's HiveIncrementalPuller): copies new rows of a Hudi table to a native table."""
