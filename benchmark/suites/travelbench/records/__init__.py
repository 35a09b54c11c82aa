"""Published run records as sessions: the files that hold them, the task that one is of, the events that it tells."""

from pathlib import Path
from typing import NoReturn

from benchmark.suites.base import Records
from benchmark.suites.travelbench.records.events import told_session
from benchmark.suites.travelbench.records.files import read_lines
from benchmark.suites.travelbench.records.tasks import told_task
from benchmark.suites.travelbench.scoring.sessions import score_told


def _no_places(path: Path) -> NoReturn:
    raise ValueError(f"{path}: scores of TravelBench look up no places; leave the catalogue out")


RECORDS = Records(
    stream=read_lines, task=told_task, session=told_session, score=score_told, places=_no_places
)
