"""Runs work of a command: in this process, or in a Spark that it starts."""
