"""Random statements that read one table in several states, in Hive against arithmetic."""
