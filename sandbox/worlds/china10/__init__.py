"""Imports the ten-city data of the TravelEval sandbox."""

from sandbox.worlds.china10.importer import ImportReport, import_china10
from sandbox.worlds.china10.reading import ImportAborted

__all__ = ["ImportAborted", "ImportReport", "import_china10"]
