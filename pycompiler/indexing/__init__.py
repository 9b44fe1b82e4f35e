"""Builds and updates the index of a table in this process; Spark is asked only for what it cannot do."""
