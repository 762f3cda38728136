"""Benchmarks of main content that others made, and suites of files, in folders that the user has."""
