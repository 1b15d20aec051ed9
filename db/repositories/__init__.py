"""One class per aggregate: each takes a session and gives frozen dataclasses, never rows of the ORM."""
