"""The write side, in PySpark: writes Hudi tables, and builds, updates, checks and compacts their indexes."""
