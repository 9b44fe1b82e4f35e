"""Explaining what a filter keeps of a table, and why, for whoever shows it: text, JSON, or pages."""
