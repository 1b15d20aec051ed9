"""``python -m cli`` is ``proofdesk``."""

from cli import main

main()
