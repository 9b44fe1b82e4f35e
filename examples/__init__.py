"""What is built with hudi-skip, and stands beside its package."""
