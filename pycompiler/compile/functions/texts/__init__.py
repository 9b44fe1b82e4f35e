"""Rules of functions of texts, and of casts from and to them."""
