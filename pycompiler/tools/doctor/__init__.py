"""`hudi-skip doctor`: whether each part of an installation works, and what to do where it does not."""
