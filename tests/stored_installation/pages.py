"""`python -m tests.stored_installation.pages FOLDER`: write what the stored installation shows, a file each.

Two such folders, of the commits before and after a change of the code's structure, must be equal (`diff -r`).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.stored_installation.test_stored import brought_up, unpack_installation

LANGUAGES = ("en", "zh-hans")
TABS = ("plan", "map", "versions", "scores")
SENT_ONCE = re.compile(
    r'(name="csrfmiddlewaretoken" value|name="client_id" value|nonce|"X-CSRFToken")(=|: )"[^"]*"'
)
AGES = re.compile(r"\b\d+(\xa0| )(second|minute|hour|day|week)s?\b|\d+ ?(秒|分钟|小时|天|日|周)前?")
WRITE = "from tests.stored_installation.pages import write_all; write_all({folder!r})"


def main() -> None:
    """Open the installation, and write."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        for shell in brought_up(unpack_installation("data", Path(place))):
            shell.run(WRITE.format(folder=str(folder)))
    print(f"{len(list(folder.iterdir()))} files in {folder}")


def write_all(folder: str) -> None:
    """Inside the installation."""
    for name, text in shown_texts():
        shorter = AGES.sub("AGE", SENT_ONCE.sub("ONCE", text))
        (Path(folder) / re.sub(r"[^\w.=-]+", "_", name)).write_text(shorter)


def shown_texts() -> Iterator[tuple[str, str]]:
    """Names and texts: pages, files, pairs of plans as annotators see them, and plans at the agent's desk."""
    from django.utils.translation import override

    yield from _pages()
    for language in LANGUAGES:
        with override(language):
            for name, text in (*_pairs_of_plans(), *_desks()):
                yield f"{name} {language}", text


def _pages() -> Iterator[tuple[str, str]]:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from benchmark.suites import DEFAULT_SUITE, suite_named
    from webapp.sessions.models import Run

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(get_user_model()._default_manager.get(username="researcher"))
    profiles = list(suite_named(DEFAULT_SUITE).scoring.profiles)
    pages = [f"/sessions/{session.pk}/?tab={tab}" for session in planned_sessions() for tab in TABS]
    pages += [f"/sessions/compare/?session={one.pk}&session={other.pk}" for one, other in _pairs()]
    pages += ["/sessions/", "/tasks/", "/reports/leaderboard/"]
    files = ["/sessions/table.csv"]
    for run in Run.objects.order_by("name").values_list("pk", flat=True):
        pages += [f"/runs/{run}/", f"/reports/?runs={run}"]
        files += [f"/reports/report.json?runs={run}&profile={profile}" for profile in profiles]
    for address in files:
        yield address, _text(client.get(address))
    for address in pages:
        for language in LANGUAGES:
            yield f"{address} {language}", _text(client.get(address, headers={"accept-language": language}))


def _text(response: Any) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return f"{response.status_code}\n{content.decode(errors='replace')}"


@cache
def planned_sessions() -> list[Any]:
    """Sessions with a plan, some of each task."""
    from webapp.sessions.log import whole_log
    from webapp.sessions.models import Session
    from webapp.sessions.reading import Reading

    found: dict[Any, list[Any]] = {}
    for session in Session.objects.order_by("pk"):
        if getattr(Reading(session, whole_log(session.pk)).state, "plan", None) is not None:
            found.setdefault(session.task_id, []).append(session)
    return [session for of_task in found.values() for session in of_task[:3]]


def _pairs() -> list[tuple[Any, Any]]:
    return [pair for pair in combinations(planned_sessions(), 2) if pair[0].task_id == pair[1].task_id]


def _pairs_of_plans() -> Iterator[tuple[str, str]]:
    from webapp.labelling.blind import item_html
    from webapp.labelling.models import Kind, LabelItem, LabelStudy

    for one, other in _pairs():
        for ticks in (False, True):
            study = LabelStudy(name="shown", kind=Kind.PAIRWISE, show_ticks=ticks)
            item = LabelItem(study=study, task=one.task, left=one, right=other, number=1)
            name = f"pair {one.pk} {other.pk} ticks={ticks}"
            yield name, item_html(item, swapped=ticks)


def _desks() -> Iterator[tuple[str, str]]:
    from django.template.loader import render_to_string

    from benchmark.core.view import AGENT
    from benchmark.suites import suite_named
    from webapp.pages import Desk, pages_of
    from webapp.people.models import Guest
    from webapp.sessions.log import whole_log
    from webapp.sessions.reading import Reading

    for session in planned_sessions():
        log = whole_log(session.pk)
        fold = suite_named(session.suite).play.rules.view(AGENT)
        for event in log:
            fold.apply(event)
        desk = Desk(session, fold, log, session.task.language, Reading(session, log).state.plan, True)
        part = next(part for part in pages_of(session.suite).seat.agent.parts if part.name == "plan")
        for asked in ({}, {"edit": "0-0-0"}, {"open": "leg"}, {"open": "attraction"}):
            context = {"guest": Guest(pk="desk"), "session": session, "part": part, "client_id": "1"}
            context |= part.context(desk, asked)
            name = f"desk {session.pk} {asked}"
            yield name, render_to_string(f"suites/{session.suite}/seat/agent/{part.name}.html", context)


if __name__ == "__main__":
    main()
