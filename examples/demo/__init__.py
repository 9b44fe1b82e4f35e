"""The demo: queries in Hive on three data sets, with and without skipping, compared with Spark's answers."""
