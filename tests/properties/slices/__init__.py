"""File slices of merge-on-read tables with random histories: none with a row that passes is skipped."""
