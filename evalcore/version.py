"""The release, as it stands in each result's fingerprint."""

VERSION = "0.1.0"
