"""Rules that invert functions, one small class each (docs/reference/types-and-functions.md)."""
