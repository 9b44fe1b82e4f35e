"""The ways of reading a Hudi table: what commits wrote, and slices with logs."""
