"""What functions of a benchmark's pages are given, from parts of Caravan that lie above these records."""

from __future__ import annotations

from typing import Any

Reading = Any
"""A reading of a session, `webapp.sessions.reading.Reading`."""
SeatFold = Any
"""What the occupant of a seat knows: the benchmark's own `ViewFold`."""
Row = Any
"""A row of the database: a session or a task."""
State = Any
"""The state of a session, of the benchmark's own class; so is a turn, an event of it."""
Tally = Any
"""What `Scoring.file` has counted, of the benchmark's own class."""
Json = Any
"""A value as it was parsed from JSON: the definition of a task, a tool's result, a draft of a plan."""
Context = dict[str, Any]
"""What a template needs."""
