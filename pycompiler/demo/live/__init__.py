"""A merge-on-read table, read in each of the ways that Hive supports."""
