"""Vectors from outside: other projects' cases about file skipping, run through both evaluators.

A vector has a filter and a list of files, given as rows or as statistics. It names the files that hold a
matching row and must be kept, and those that its source skips.
"""
