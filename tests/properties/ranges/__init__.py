"""Checks incremental queries in Hive over tables with random histories, in every way of running a query."""
