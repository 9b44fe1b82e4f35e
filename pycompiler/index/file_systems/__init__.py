"""File systems: the location of a table, the files of its index, and its data files."""
