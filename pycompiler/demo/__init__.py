"""The demo: a year of flights through Spark, Hudi and Hive, with and without skipping."""
