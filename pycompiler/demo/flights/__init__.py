"""The first part: a year of flights, and many kinds of conditions on them."""
