"""Random statements in Hive that read several states of a table, checked by SQLite."""
