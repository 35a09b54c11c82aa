"""How each recorded session is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webapp.catalogue.models import World
    from webapp.sessions.models import Session

TASKS = {
    "easy": "starter_01",
    "english": "starter_en_01",
    "medium": "starter_02",
    "models": "starter_01",
    "travelbench_single": "travelbench-single-starter-1",
    "travelbench_multi": "travelbench-multi-starter-2",
    "travelbench_unsolvable": "travelbench-unsolved-starter-1",
}
"""Which task each is a session of."""
VARYING = ("latency_ms", "first_ms", "base_url")
"""What differs from one playing to the next."""


def play_anew(name: str, world: World, url: str) -> Session:
    """Play the session of that name to its end and score it. url: of a local model server."""
    from tests.seating import endpoint_at, play, session_with_models
    from webapp.catalogue.models import Task
    from webapp.sessions.scoring import score_session
    from webapp.sessions.services import Setup, create_session

    task = Task.objects.get(task_id=TASKS[name])
    if name == "models":
        agent = endpoint_at(url, "good-agent")
        users = endpoint_at(url, "good-user", input_price=0.5, output_price=1.0)
        session = play(session_with_models(task, world, agent, users))
    else:
        session = play(create_session(task=task, world=world, setup=Setup(seed=4), start=False))
    score_session(session=session)
    return session


def what_happened(session: Session) -> list[tuple[str, str, str, Any]]:
    """The events of a session without what differs from one playing to the next."""
    from webapp.sessions.models import Event

    rows = Event.objects.filter(session=session).order_by("seq")
    return [(row.type, row.actor, row.audience, _steady(row.payload)) for row in rows]


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _steady(each) for key, each in value.items() if key not in VARYING}
    if isinstance(value, list):
        return [_steady(each) for each in value]
    return value
