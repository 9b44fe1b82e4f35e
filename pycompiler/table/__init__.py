"""What a Hudi table's own files say about it, read without Spark and without Hudi."""
