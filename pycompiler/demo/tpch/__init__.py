"""The demo's second part: TPC-H's lineitem, large enough to feel what skipping saves."""
