"""Who knows a running installation from inside: makes sessions with people in them, says what the scripted traveller
would do in a guest's place, and tells what the database holds. Tests and benches drive browsers and sockets by it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.installation import Installation


class Insider:
    """The installation's process of ours, asked by name and arguments."""

    def __init__(self, site: Installation) -> None:
        self._inside = site.inside

    def ask(self, name: str, **arguments: Any) -> Any:
        """One question and its answer."""
        given = json.dumps([name, arguments])
        return json.loads(self._inside.run(f"from tests import sitting\nprint(sitting.answer({given!r}))"))


def answer(question: str) -> str:
    """Inside: what `ANSWERS` has, as JSON."""
    name, arguments = json.loads(question)
    return json.dumps(ANSWERS[name](**arguments))


def _make(
    task: str,
    people: list[str],
    agent: str = "reference",
    seed: int = 0,
    study: dict[str, Any] | None = None,
    **attendance: Any,
) -> Any:
    """A session with people in these seats: its id, its travellers, and the link of each person's seat.

    study: the fields of one, where it is to belong to one.
    """
    from benchmark.core.attendance import Attendance
    from benchmark.core.participant import PERSON
    from benchmark.core.view import AGENT
    from webapp.catalogue.models import Task
    from webapp.catalogue.options import world_of
    from webapp.endpoints.choice import SeatPlayer
    from webapp.people.invitations import invite
    from webapp.people.models import Study
    from webapp.sessions import services

    made = Study.objects.create(name=f"study {Study.objects.count()}", **study) if study else None
    found = Task.objects.get(task_id=task)
    setup = services.Setup(
        agent=PERSON if AGENT in people else agent,
        seats={name: SeatPlayer(PERSON) for name in people if name != AGENT},
        seed=seed,
        study=made.pk if made else None,
        attendance=Attendance(**attendance),
    )
    session = services.create_session(
        task=found, world=world_of(Task.objects.filter(pk=found.pk), None), setup=setup
    )
    links = {seat.name: invite(seat=seat).get_absolute_url() for seat in session.seats.filter(kind=PERSON)}
    return {"session": session.pk, "users": list(found.parsed_definition.users), "links": links}


def _act(guest: str) -> Any:
    """What the scripted traveller would say in a guest's place; "" for a pass, None where it is not their turn."""
    from benchmark.core.actions import Say
    from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
    from webapp.people.models import Guest
    from webapp.people.page import Table

    table = Table(Guest.objects.select_related("seat__session__task").get(pk=guest))
    if table.standing != "yours":
        return None
    view = table.fold.view()
    action = ScriptedUser().act(view)
    said = action.content if isinstance(action, Say) else ""
    return {"content": said, "solicited": view.turn.solicited, "turn": view.turn.seq}


def _names(guest: str) -> Any:
    """What a guest's card names, asked for or not."""
    from webapp.people.models import Guest
    from webapp.people.page import Table

    card = Table(Guest.objects.select_related("seat__session__task").get(pk=guest)).fold.card
    assert card is not None
    return list(_named_in(card.preference))


def _named_in(value: Any) -> Iterator[str]:
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict | list):
            yield from _named_in(each)


def _log(session: str) -> Any:
    """The events as they are stored."""
    from webapp.sessions.log import as_json
    from webapp.sessions.models import Session

    rows = Session.objects.get(pk=session).events.order_by("seq")
    return [{**as_json(row), "at": row.at.isoformat()} for row in rows]


def _session(session: str) -> Any:
    """Its columns, as far as tests ask for them."""
    from webapp.sessions.models import Session

    found = Session.objects.get(pk=session)
    names = ("status", "completion_reason", "plan_generated", "last_seq")
    return {name: getattr(found, name) for name in names} | {"scores": found.scores.count()}


def _record(session: str) -> Any:
    """Its run record and its scores, as far as they do not tell times."""
    from webapp.sessions.models import Session
    from webapp.sessions.scoring import record_of

    found = Session.objects.get(pk=session)
    record = {key: value for key, value in record_of(found).items() if key not in ("duration", "trial_id")}
    return {"record": record, "figures": {score.profile: score.figures for score in found.scores.all()}}


def _chatter(session: str, count: int) -> Any:
    """So many messages more, of one line to eight each, as a worker would store them while a person has the turn."""
    from benchmark.core.engine import Conversation, Step
    from benchmark.core.events import EventBody, MessagePosted
    from benchmark.suites.grouptravel.conversation.rules import RULES
    from webapp.jobs import services as jobs
    from webapp.jobs.models import Job
    from webapp.sessions import services
    from webapp.sessions.jobs import SESSION
    from webapp.sessions.log import whole_log
    from worker.notifier import notifier

    claimed = None
    while claimed is None:  # a worker may have it for a moment
        Job.objects.filter(kind=SESSION.name, subject=session).update(due_at=None)
        claimed = services.claim(session_id=session)
    log: Conversation[Any] = Conversation(RULES)
    for event in whole_log(session):
        log.apply(event)
    said = ("".join(f"message {i}, line {n}\n" for n in range(i % 8 + 1)) for i in range(count))
    bodies: list[EventBody] = [MessagePosted(role="Agent", content=text, opening=True) for text in said]
    events = log.append(Step("x", tuple(bodies)))
    services.append(claimed=claimed, events=events, state=log.state)
    jobs.release(claimed=claimed)
    notifier().notify_events(session, log.state.seq)
    return events[-1].seq


ANSWERS = {
    "make": _make,
    "act": _act,
    "names": _names,
    "log": _log,
    "session": _session,
    "record": _record,
    "chatter": _chatter,
}
