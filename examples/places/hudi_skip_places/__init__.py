"""Geographic skipping with S2 cells: an index kind over latitudes and longitudes, and functions for it."""
