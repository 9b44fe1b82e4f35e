"""How well a table's rows are divided into files for skipping, and what queries ask of it."""
