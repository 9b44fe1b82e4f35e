"""The time from a filter to the splits that Hive reads, and to its first row."""
