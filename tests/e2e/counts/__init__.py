"""Files whose rows are counted without opening them."""
