"""A benchmark's own options are asked for, kept, shown and compared, and nothing shared names one."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override

from benchmark.core.events import SessionOpened
from benchmark.reports.pairing import OFFLINE, ONLINE, pairs
from benchmark.reports.parts.differences import PART as DIFFERENCES
from tests.markup import tight
from webapp.cassettes.services import replay
from webapp.catalogue.models import World
from webapp.forms import ChoiceRefused
from webapp.reports.selectors import report_of
from webapp.runs.conditions import condition_words, unlike_conditions
from webapp.runs.services import create_run
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.selectors import listed_values
from webapp.sessions.services import Setup
from worker.sessions import advance

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]
GAME = {"task": "toy-3", "world": "starter", "seed": "0", "mode": "world"}
PLAYERS = {"agent": "asker", "users": "knower"}


def opened_options(session: Session) -> dict[str, Any]:
    body = whole_log(session.pk)[0].body
    assert isinstance(body, SessionOpened)
    return body.options


def play_to_the_end(session: Session) -> Session:
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    return session


def make_run(name: str, task: Any, world: World, **options: object) -> Run:
    setup = Setup(**PLAYERS, options=options)  # type: ignore[arg-type]
    run = create_run(name=name, tasks=[task], world=world, setup=setup, start=False)
    for session in run.sessions.all():
        play_to_the_end(session)
    return run


def test_defaults_stand_in_log_and_row(session: Session) -> None:
    assert session.options == opened_options(session) == {"mode": "single", "free": 0}


def test_forms_ask_for_each_and_the_session_shows_what_was_chosen(client: Client, session: Session) -> None:
    page = tight(client.post("/sessions/new/", {**GAME, "look": "1"}).content.decode())
    assert "Length of the game" in page and "twice as long" in page and "How many questions" in page
    assert 'name="option_mode"' in page and 'name="free"' in page and 'name="protocol"' not in page
    client.post("/sessions/new/", {**GAME, **PLAYERS, "option_mode": "double", "free": "1"})
    started = Session.objects.latest("created_at")
    assert (started.mode, started.options) == ("world", {"mode": "double", "free": 1})
    assert opened_options(started) == started.options
    head = tight(client.get(started.get_absolute_url()).content.decode())
    assert "length of the game: twice as long, free questions: 1 ·" in head


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"free": "one"}, "option free can&#x27;t be “one”; write a whole number"),
        ({"option_mode": "triple"}, "option mode can&#x27;t be “triple”; choose one of single, double"),
    ],
)
def test_a_value_that_can_not_be_is_refused_at_its_field(
    client: Client, session: Session, sent: dict[str, str], said: str
) -> None:
    before = Session.objects.count()
    page = client.post("/sessions/new/", {**GAME, **PLAYERS, **sent}).content.decode()
    assert said in page and f'id="id_{next(iter(sent))}_error"' in page
    assert Session.objects.count() == before


def test_a_refusal_is_told_in_the_language_of_the_page(session: Session, starter_world: World) -> None:
    setup = Setup(agent="asker", users="knower", options={"depth": 3})
    with override("zh-hans"), pytest.raises(ChoiceRefused, match="没有选项 depth；可选的有：mode, free"):
        create_run(name="r", tasks=[session.task], world=starter_world, setup=setup)
    assert not Run.objects.exists()


def test_the_rules_and_the_scores_are_given_them(session: Session, starter_world: World) -> None:
    task = session.task
    task.definition = {**task.definition, "number": 7}
    task.save(update_fields=["definition"])
    ends = {}
    for mode in ("single", "double"):
        (played,) = make_run(mode, task, starter_world, mode=mode, free=2).sessions.all()
        ends[mode] = (played.completion_reason, listed_values(played)["questions"])
    assert ends == {"single": ("questions_spent", 3), "double": ("number_found", 5)}


def test_commands_take_them_as_pairs(session: Session) -> None:
    told = StringIO()
    given = ("run_session", "toy-3", "--world", "starter", "--users", "knower", "--agent", "asker")
    call_command(*given, "--option", "mode=double", "--option", "free=1", stdout=told)
    assert "Questions 2" in told.getvalue()
    assert Session.objects.latest("created_at").options == {"mode": "double", "free": 1}
    call_command(*given, "--option", "free=3", stdout=told)
    assert "Questions 0" in told.getvalue()
    run = ("run", "r", "--tasks", "toy-3", "--world", "starter", "--users", "knower", "--agent", "asker")
    call_command(*run, "--option", "free=1", "--enqueue", stdout=told)
    assert Run.objects.get().options == {"mode": "single", "free": 1}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mode"], "“mode” is not KEY=VALUE"),
        (["depth=3"], "there is no option depth; choose one of mode, free"),
        (["protocol=paper"], "there is no option protocol"),
        (["mode=triple"], "option mode can't be “triple”; choose one of single, double"),
        (["free=1", "free=2"], "option free is given twice"),
    ],
)
def test_commands_refuse_what_can_not_be(session: Session, words: list[str], said: str) -> None:
    given = ["run_session", "toy-3", "--world", "starter", "--users", "knower", "--agent", "asker"]
    for word in words:
        given += ["--option", word]
    with pytest.raises(CommandError, match=said):
        call_command(*given)
    assert Session.objects.count() == 1


def test_runs_of_unlike_options_are_unpaired(client: Client, session: Session, starter_world: World) -> None:
    made = [make_run(name, session.task, starter_world, mode=mode)
            for name, mode in (("one", "single"), ("two", "single"), ("three", "double"))]  # fmt: skip
    unlike = unlike_conditions(made)
    assert [unlike[run.pk] for run in made] == [[], [], ["option_mode"]]
    assert condition_words(["option_mode"], "toy") == "length of the game"
    report = report_of(made, "plain")
    modes = (OFFLINE, ONLINE, ONLINE)
    sides = [replace(run, mode=mode) for run, mode in zip(report.runs, modes, strict=True)]
    assert pairs(replace(report, runs=sides)) == [(sides[0], sides[1])]
    differences = DIFFERENCES.build(report_of([made[0], made[2]], "plain"))
    assert [note.conditions for note in differences.notes if note.key == "unlike"] == [["option_mode"]]
    ids = ",".join(run.pk for run in made)
    (first, *_, third) = csv.DictReader(
        StringIO(client.get(f"/runs/compare.csv?runs={ids}").content.decode())
    )
    assert (first["option_mode"], third["option_mode"], first["mode"]) == ("single", "double", "world")
    assert "length of the game: twice as long" in client.get(f"/runs/compare/?runs={ids}").content.decode()
    parts = json.loads(client.get(f"/reports/report.json?runs={ids}").content)["parts"]
    assert [row["option_mode"] for row in parts["runs"]["rows"]] == ["single", "single", "double"]
    page = client.get(made[2].get_absolute_url()).content.decode()
    assert "length of the game: twice as long" in tight(page)


def test_a_replay_has_those_of_its_recording(session: Session, starter_world: World) -> None:
    (played,) = make_run("r", session.task, starter_world, mode="double", free=1).sessions.all()
    again = play_to_the_end(replay(session=played, start=False))
    assert again.options == opened_options(again) == played.options
    assert listed_values(again) == listed_values(played)
