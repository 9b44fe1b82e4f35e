"""Incremental pulls (RFC-04's HiveIncrementalPuller): what came into a Hudi table, into one of Hive's own."""
