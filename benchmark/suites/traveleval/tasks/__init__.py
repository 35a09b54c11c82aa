"""TravelEval's queries: as published, in files."""

from benchmark.suites.traveleval.tasks.files import STARTER, TASK_FILES
from benchmark.suites.traveleval.tasks.query import CATEGORIES, Category, Query, Tags

__all__ = ["CATEGORIES", "STARTER", "TASK_FILES", "Category", "Query", "Tags"]
