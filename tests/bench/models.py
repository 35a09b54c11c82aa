"""What Caravan adds to a model's own time: one request, a session's request, and forty sessions over four workers."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from benchmark.models import ChatRequest, ModelSetup
from benchmark.models.bridge import ask_now
from tests.bench.data import fresh_data
from tests.model_server import model_server
from tests.served_workers import served_workers

REQUESTS = 300
SESSIONS = 8
WORKERS = 4
TRIALS = 10

START = """
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.services import Setup
agent, users = (endpoint_at({url!r}, name, concurrency=16) for name in ("good-agent", "good-user"))
tasks = [t for t in Task.objects.order_by("task_id") if t.difficulty == "easy" and t.language == "zh"][:4]
setup = Setup(agent="llm", agent_model=agent, users="llm", user_model=users)
create_run(name="many", tasks=tasks, world=World.objects.get(), setup=setup, trials={trials})
"""
COUNT_OPEN_SESSIONS = """
from webapp.sessions.models import ENDED_STATUSES, Session
print(Session.objects.exclude(status__in=ENDED_STATUSES).count())
"""


def main() -> None:
    """Three figures, each beside the time that the local server itself takes."""
    with model_server() as server:
        _one_request(server.url)
        _a_session(server.url)
    with model_server() as server, tempfile.TemporaryDirectory() as folder:
        _many(server.url, Path(folder) / "data")


def _one_request(url: str) -> None:
    setup = ModelSetup(name="bench", base_url=url, model="good-agent")
    request = ChatRequest(({"role": "user", "content": "hello"},))
    took = []
    for _ in range(REQUESTS):
        begun = time.perf_counter()
        ask_now(setup, request)
        took.append((time.perf_counter() - begun) * 1000)
    print(
        f"one streamed request: median {statistics.median(took):.1f} ms, p95 {_p95(took):.1f} ms ({REQUESTS})"
    )


def _a_session(url: str) -> None:
    fresh_data()
    from tests.seating import endpoint_at, play, session_with_models
    from webapp.catalogue.models import Task, World
    from webapp.sessions.log import whole_log

    agent, users = endpoint_at(url, "good-agent"), endpoint_at(url, "good-user")
    task, world = Task.objects.get(task_id="starter_04"), World.objects.get(name="starter")
    added, calls = [], 0
    for seed in range(SESSIONS):
        begun = time.perf_counter()
        session = play(session_with_models(task, world, agent, users, seed=seed))
        spent = (time.perf_counter() - begun) * 1000
        made = [event.body for event in whole_log(session.pk) if event.body.type == "model_called"]
        added.append((spent - sum(call.latency_ms for call in made)) / len(made))
        calls += len(made)
    print(
        f"a session's request: {statistics.median(added):.1f} ms beside the model's own time (place, tools, events, "
        f"cassette, scores; {calls} requests of {SESSIONS} sessions)"
    )


def _many(url: str, data: Path) -> None:
    with served_workers(data) as installation:
        installation.python(START.format(url=url, trials=TRIALS))
        begun = time.perf_counter()
        installation.start_workers(WORKERS)
        installation.wait_for(COUNT_OPEN_SESSIONS, "0", 600)
        spent = time.perf_counter() - begun
        calls = installation.python(
            "from webapp.sessions.models import Event; print(Event.objects.filter(type='model_called').count())"
        )
    print(
        f"{4 * TRIALS} sessions over {WORKERS} workers: {spent:.0f} s, {int(calls) / spent:.0f} requests a second"
    )


def _p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


if __name__ == "__main__":
    main()
