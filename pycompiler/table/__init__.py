"""Reads a Hudi table's own files, without Spark and without Hudi."""
