"""Rows of a table that stand for all of them: reading them, and what they tell about the others."""
