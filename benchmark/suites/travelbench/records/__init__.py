"""Published run records as sessions: the files that hold them, the task that one is of, the events that it tells."""

from benchmark.suites.base import Records
from benchmark.suites.travelbench.records.events import told_session
from benchmark.suites.travelbench.records.files import read_lines
from benchmark.suites.travelbench.records.tasks import read_told, told_task
from benchmark.suites.travelbench.scoring.sessions import score_told

RECORDS = Records(
    stream=read_lines,
    task=told_task,
    session=told_session,
    score=score_told,
    definition=read_told,
    id_field="trace_id",
)
