"""Measurements: ratios within one run on one machine, never bounds that a test could fail by."""
