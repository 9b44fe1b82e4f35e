"""Incremental queries over tables with random histories, in Hive and in each way of running them."""
