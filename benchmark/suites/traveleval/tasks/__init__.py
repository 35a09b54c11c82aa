"""TravelEval's queries: as published, in files."""

from benchmark.suites.traveleval.tasks.files import TASK_FILES
from benchmark.suites.traveleval.tasks.query import CATEGORIES, Category, Query, Tags

__all__ = ["CATEGORIES", "TASK_FILES", "Category", "Query", "Tags"]
