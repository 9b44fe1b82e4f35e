"""Hive from outside: statements, and a HiveServer2 to try."""
