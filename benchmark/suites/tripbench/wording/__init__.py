"""Instructions in words, and what words ask for, by one table of sentences in each language."""

from benchmark.suites.tripbench.wording.reading import Act, Reading, read_requests
from benchmark.suites.tripbench.wording.sentences import constraint_words, request_words, vague_words
from benchmark.suites.tripbench.wording.trips import read_trip, trip_words

__all__ = [
    "Act",
    "Reading",
    "constraint_words",
    "read_requests",
    "read_trip",
    "request_words",
    "trip_words",
    "vague_words",
]
