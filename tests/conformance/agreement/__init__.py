"""Checks that the two evaluators agree with each other and with brute force over rows."""
