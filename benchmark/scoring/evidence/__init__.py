"""What stands behind a score, in plain JSON: who said what when, who is worst off, and how two scores differ."""

from benchmark.scoring.evidence.differences import Difference, differences
from benchmark.scoring.evidence.digest import evidence_digest
from benchmark.scoring.evidence.elicitation import elicitation
from benchmark.scoring.evidence.fairness import fairness_evidence

__all__ = ["Difference", "differences", "elicitation", "evidence_digest", "fairness_evidence"]
