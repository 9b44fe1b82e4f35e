"""Star queries in Hive: with values that joins find, without, and against other ways to run them."""
