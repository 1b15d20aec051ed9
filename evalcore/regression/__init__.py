"""Baselines, and whether new answers to the same questions are worse. No files, no store."""
