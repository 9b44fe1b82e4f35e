"""End-to-end tests: a real embedded HiveServer2 with the shipped bundle, real PySpark and Hudi."""
