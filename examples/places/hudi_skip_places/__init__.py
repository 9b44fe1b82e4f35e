"""Places by cells: an index kind over columns of latitudes and longitudes, and the functions that ask it."""
