"""What the end-to-end tests share: sessions, scan log lines, the comparison with and without skipping."""
