"""Benchmarks: commands that print a table. Figures are of the machine they ran on; ratios are of one run."""
