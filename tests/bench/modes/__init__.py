"""How fast the ways of reading a Hudi table are: what commits wrote, and slices with logs."""
