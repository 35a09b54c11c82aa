"""Installations of earlier versions open in this one, and tell what they told then.

`columns` is of the version that had figures in columns; its built-in participants acted otherwise than those of now.
`data` is what `tests.stored_installation.make` made last: its sessions can be replayed.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.shell import Shell
from tests.stored_installation.facts import Json

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).resolve().parent
FACTS = "import json; from tests.stored_installation.facts import facts; print(json.dumps(facts()))"
SCORES = "import json; from tests.stored_installation.facts import scores; print(json.dumps(scores()))"
RESCORE_SESSIONS = """
from webapp.sessions.models import Score, Session
from webapp.sessions.scoring import score_session
Score.objects.update(code_version="0", tried="")
for session in Session.objects.exclude(finished_at=None):
    score_session(session=session)
print(Score.objects.filter(code_version="0").count())
"""
REPLAY_SESSIONS = """
from tests.seating import play
from webapp.cassettes.selectors import verdict_of
from webapp.cassettes.services import replay
from webapp.sessions.models import Session
told = []
for session in Session.objects.exclude(finished_at=None).filter(replay_of=None).order_by("pk"):
    verdict = verdict_of(play(replay(session=session, start=False)))
    told.append(verdict is not None and verdict.identical)
print(len(told), all(told))
"""


VALUES = """
import json
from webapp.sessions.models import MetricValue
rows = MetricValue.objects.filter(rater="").values_list("session", "profile", "rater", "key", "value")
print(json.dumps(sorted(map(list, rows))))
"""
COLUMNS = "SELECT session_id, profile, pc, gu, gf, pv, issues FROM caravan_sessions_score"
"""Of the version that stored it, which had the figures in columns."""


def unpack_installation(name: str, folder: Path) -> Path:
    """A copy of a stored data folder, as its version left it."""
    with lzma.open(FOLDER / f"{name}.tar.xz") as packed, tarfile.open(fileobj=packed) as files:
        files.extractall(folder, filter="data")
    return folder / "data"


def brought_up(stored: Path) -> Iterator[Shell]:
    """A shell in a stored installation, brought up to date."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    shell = Shell({**kept, "CARAVAN_DATA": str(stored)})
    shell.command("prepare")
    yield shell
    shell.stop()


@pytest.fixture(scope="module")
def column_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installation that had figures in columns."""
    return unpack_installation("columns", tmp_path_factory.mktemp("columns"))


@pytest.fixture(scope="module")
def columns(column_data: Path) -> list[list[Any]]:
    """Session, profile, rater, key and value of each figure in the stored database, read before any migration."""
    with closing(sqlite3.connect(column_data / "caravan.sqlite3")) as database:
        rows = database.execute(COLUMNS).fetchall()
    keys = ("pc", "gu", "gf", "pv", "issues")
    return sorted(
        [session, profile, "", key, float(value)]
        for session, profile, *own in rows
        for key, value in zip(keys, own, strict=True)
        if value is not None
    )


@pytest.fixture(scope="module")
def column_shell(column_data: Path, columns: list[list[Any]]) -> Iterator[Shell]:
    """A shell in the installation with columns, brought up to date after its columns were read."""
    yield from brought_up(column_data)


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A shell in the installation that was made last."""
    yield from brought_up(unpack_installation("data", tmp_path_factory.mktemp("newest")))


def facts(name: str) -> Json:
    """What an installation told when it was stored."""
    found: Json = json.loads((FOLDER / name).read_text())
    return found


@pytest.fixture(scope="module")
def column_facts() -> Json:
    """What the installation with columns told."""
    return facts("columns.json")


def comparable_scores(scores: Json) -> Json:
    """The scores but for the evidence of the paper's rules, which have become more since."""
    return {
        profile: {**own, "all": own["all"] if profile == "published" else ""}
        for profile, own in scores.items()
    }


def test_sessions_and_pages_are_as_they_were(column_shell: Shell, column_facts: Json) -> None:
    now = json.loads(column_shell.run(FACTS))
    assert now["sessions"].keys() == column_facts["sessions"].keys()
    for name, session in column_facts["sessions"].items():
        own = now["sessions"][name]
        assert comparable_scores(own["scores"]) == comparable_scores(session["scores"]), name
        for fact in session.keys() - {
            "scores",
            "bodies",
        }:  # bodies have more fields since, the record has not
            assert own[fact] == session[fact], (name, fact)
    assert now["runs"].keys() == column_facts["runs"].keys()  # what reports tell has become more since
    assert set(now["pages"].values()) == {200}, now["pages"]


def test_sessions_runs_and_pages_of_the_newest_are_as_they_were(newest: Shell) -> None:
    now, then = json.loads(newest.run(FACTS)), facts("facts.json")
    for name, session in then["sessions"].items():
        assert now["sessions"].pop(name) == session, name
    assert not now["sessions"]
    assert now["runs"] == then["runs"]
    assert set(now["pages"].values()) == {200}, now["pages"]


def test_every_figure_that_was_a_column_is_a_row(column_shell: Shell, columns: list[list[Any]]) -> None:
    assert len(columns) > 20 and {row[3] for row in columns} == {"pc", "gu", "gf", "pv", "issues"}
    assert json.loads(column_shell.run(VALUES)) == columns


def test_scoring_again_gives_the_same_figures(column_shell: Shell, column_facts: Json) -> None:
    assert column_shell.run(RESCORE_SESSIONS).strip() == "0"
    now, then = json.loads(column_shell.run(SCORES)), column_facts["sessions"]
    assert {name: comparable_scores(scores) for name, scores in now.items()} == {
        name: comparable_scores(session["scores"]) for name, session in then.items()
    }


def test_scoring_again_gives_the_same_rows(column_shell: Shell, columns: list[list[Any]]) -> None:
    assert json.loads(column_shell.run(VALUES)) == columns


def test_every_session_that_ended_is_replayed_to_the_same_log(newest: Shell) -> None:
    stored = facts("facts.json")["sessions"].values()
    ended = [session for session in stored if session["status"] not in ("queued", "running")]
    assert newest.run(REPLAY_SESSIONS).split() == [str(len(ended) - 1), "True"]  # one is a replay itself


SEATS = """
from benchmark.core.events import ParticipantJoined
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
sessions = list(Session.objects.all())
def seats(session):
    joined = (event.body for event in whole_log(session.pk) if isinstance(event.body, ParticipantJoined))
    return [(body.seat, body.kind, body.model.name if body.model else None) for body in joined]
def rows(session):
    return [(seat.name, seat.kind, seat.options.get("name")) for seat in session.seats.all()]
print(len(sessions), all(rows(session) == seats(session) for session in sessions))
"""


def test_every_stored_session_has_the_seats_of_its_log(column_shell: Shell) -> None:
    count, same = column_shell.run(SEATS).split()
    assert int(count) > 5 and same == "True"
