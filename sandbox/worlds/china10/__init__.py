"""Imports the ten-city data of the TravelEval sandbox."""

from sandbox.worlds.china10.importer import ImportReport, import_china10
from sandbox.worlds.china10.problems import ImportAborted, Problem

__all__ = ["ImportAborted", "ImportReport", "Problem", "import_china10"]
