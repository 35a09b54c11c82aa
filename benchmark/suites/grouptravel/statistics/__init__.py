"""Statistics of any set of tasks beside those of the paper (GroupTravelBench, appendix A.9)."""

from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.targets import Comparison, compared
from benchmark.suites.grouptravel.statistics.told import told

__all__ = ["Comparison", "Dataset", "compared", "told"]
