"""Vectors from outside: other projects' cases about file skipping, run through both evaluators.

Run as `python -m tests.conformance.outside DIRECTORY`. A vector says for a filter and a list of files, given
as rows or as statistics, which files hold a matching row and must be kept, and which its source skips.
"""
