"""Published run records as sessions: the task that one is of, the events that it tells, its scores."""

from benchmark.suites.base import Records
from benchmark.suites.grouptravel.records.events import told_session
from benchmark.suites.grouptravel.records.tasks import read_told, told_task
from benchmark.suites.grouptravel.scoring.records import load_catalogue, read_lines
from benchmark.suites.grouptravel.scoring.sessions import score_told

RECORDS = Records(
    stream=read_lines,
    task=told_task,
    session=told_session,
    score=score_told,
    definition=read_told,
    places=load_catalogue,
)
