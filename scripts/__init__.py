"""Set-up and upkeep of a checkout: plain standard library, run before any package is installed."""
