"""File systems: where a table is, the files of its index there, and its base files."""
