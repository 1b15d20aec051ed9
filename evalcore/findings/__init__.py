"""What a sentence states that its contexts do not hold: numbers, dates, names, negations, roles."""

from evalcore.findings.facts import ContextFacts
from evalcore.findings.find import find_findings, findings
from evalcore.findings.finding import Finding, Kind

__all__ = ["ContextFacts", "Finding", "Kind", "find_findings", "findings"]
