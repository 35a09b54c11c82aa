"""What stands behind a score, in plain JSON: who said what when, who is worst off, and how two scores differ."""

from benchmark.suites.grouptravel.scoring.evidence.differences import Difference, differences
from benchmark.suites.grouptravel.scoring.evidence.elicitation import elicitation
from benchmark.suites.grouptravel.scoring.evidence.fairness import fairness_evidence

__all__ = ["Difference", "differences", "elicitation", "fairness_evidence"]
