"""The statistics of trust: arrays in, named values out.

What cannot be worked out is ``None`` with a reason, never NaN, 0 or 1. Every value says how many items it
stands on and how many were left out, and why.
"""
