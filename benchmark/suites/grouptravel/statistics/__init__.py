"""Statistics of any set of tasks beside those of the paper (GroupTravelBench, appendix A.9)."""

from benchmark.suites.grouptravel.statistics.as_json import statistics_json
from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.targets import Comparison, comparisons

__all__ = ["Comparison", "Dataset", "comparisons", "statistics_json"]
