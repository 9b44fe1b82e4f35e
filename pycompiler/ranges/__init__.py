"""Sets of encoded values: what a column, or a function of one, must be for a filter to hold."""
