"""A year of flights, and many kinds of conditions on them."""
