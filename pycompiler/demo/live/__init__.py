"""The third part: a merge-on-read table that is kept fresh, in the ways in which Hive reads it."""
