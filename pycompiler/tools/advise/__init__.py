"""Which layout of a table its queries need: forecasts from a sample of rows, and what Hudi makes of them."""
