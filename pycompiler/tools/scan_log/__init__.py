"""Reads back what the handler writes to Hive's logs."""
