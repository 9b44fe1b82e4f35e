"""Runs other projects' test cases about file skipping through both evaluators.

A vector has a filter and a list of files, given as rows or as statistics. It names the files that contain a
matching row and must be kept, and those that its source skips.
"""
