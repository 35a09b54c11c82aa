"""One figure is one number, whatever page, file or command shows it."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from benchmark.models import Usage
from tests.markup import tight
from tests.webapp.runs.conftest import end, make_run, use
from webapp.catalogue.models import Task, World
from webapp.endpoints.wording import cost_words
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Run, Score, Session
from webapp.sessions.scoring import record_of
from webapp.sessions.selectors import values_in
from webapp.sessions.services import Setup, create_session
from webapp.tables.entries import refresh
from worker.sessions import advance

__all__ = ["make_run"]
pytestmark = pytest.mark.django_db


def text(client: Client, address: str) -> str:
    return unescape(tight(client.get(address).content.decode()))


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_the_outline_and_the_panel_name_the_same_message_as_the_plan(
    as_researcher: Client, eventful: Session
) -> None:
    outline = text(as_researcher, f"/sessions/{eventful.pk}/outline/")
    panel = text(as_researcher, f"/sessions/{eventful.pk}/panel/plan/")
    [marked] = re.findall(r"<span>Plan</span>.*?href=\"#e(\d+)\"", outline, re.S)
    [proposed] = re.findall(r"Proposed at <a href=\"#e(\d+)\">#\1</a>", panel)
    assert proposed == marked
    assert Event.objects.get(session=eventful, seq=proposed).type == "message_posted"


def test_a_score_is_shown_alike_on_every_page_and_at_the_command_line(
    as_researcher: Client, make_run: Callable[..., Run]
) -> None:
    run = make_run(tasks=1)
    session = run.sessions.get()
    end(session, pc=1.0, gu=19.25, gf=66.67, pv=False, issues=2)
    refresh([session.pk])
    shown = ("100.0", "19.25", "66.7", "2 issues")
    for address in (
        f"/sessions/{session.pk}/",
        f"/sessions/{session.pk}/head/",
        "/sessions/",
        f"/runs/{run.pk}/",
    ):
        page = text(as_researcher, address)
        assert all(f">{figure}<" in page for figure in shown), address
    assert ">67<" not in page


@pytest.mark.django_db(transaction=True)
def test_run_session_tells_scores_as_the_page_does(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    out = StringIO()
    call_command("run_session", "starter_01", stdout=out, stderr=StringIO())
    score = Score.objects.get(profile="published")
    values = values_in(score)
    told = re.search(r"published: PC % ([\d.]+), GU (\S+), GF ([\d.]+), PV (.*)", out.getvalue())
    assert told is not None
    assert float(told[1]) == round(100 * values["pc"], 1) and told[4] in (
        "valid",
        f"{values['issues']:.0f} issues",
    )
    page = text(as_researcher, f"/sessions/{score.session_id}/head/")
    assert all(f">{told[figure]}<" in page for figure in (1, 2, 3))


def test_without_a_cache_nothing_tells_of_hits(as_researcher: Client, make_run: Callable[..., Run]) -> None:
    world, cached = make_run(tasks=1, name="w"), make_run(tasks=1, name="c")
    cached.setup["sandbox"]["mode"] = "isolated"
    cached.save()
    cached.sessions.update(mode="isolated")
    for run in (world, cached):
        end(run.sessions.get(), uses={"search_poi": use(4, hits=4)})
    for first, second in ((world, cached), (cached, world)):
        page = as_researcher.get(f"/runs/compare.csv?runs={first.pk},{second.pk}").content.decode()
        rows = {row["name"]: row for row in csv.DictReader(StringIO(page))}
        assert (rows["w"]["hit_rate"], rows["w"]["simulated"], rows["c"]["hit_rate"]) == ("", "", "1.0")
        assert {row["hit_rate_change"] for row in rows.values()} == {""}
    for run, rate in ((world, ""), (cached, "1.0")):
        [row] = csv.DictReader(StringIO(as_researcher.get(f"/runs/{run.pk}/sessions.csv").content.decode()))
        assert (row["calls"], row["hit_rate"]) == ("4", rate)


@pytest.mark.django_db(transaction=True)
def test_run_at_the_command_line_tells_no_hits_over_a_world(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    out = StringIO()
    call_command("run", "r", "--tasks", "starter_01", stdout=out, stderr=StringIO())
    assert "hits" not in out.getvalue() and "simulated" not in out.getvalue() and "PC %" in out.getvalue()


def test_a_session_starts_when_it_begins_to_run_and_not_when_it_is_queued(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    session = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
    hours = timedelta(hours=5)
    Session.objects.filter(pk=session.pk).update(created_at=session.created_at - hours)
    for row in Event.objects.filter(session=session):
        Event.objects.filter(pk=row.pk).update(at=row.at - hours)
    queued = (session.created_at - hours).strftime("%H:%M")
    assert f">{queued}" not in text(as_researcher, "/sessions/")
    while advance(session.pk, paced=False):
        pass
    session.refresh_from_db()
    first = next(event for event in read_log(session.pk) if event.body.type == "turn_granted")
    assert session.started_at == first.at
    shown = text(as_researcher, "/sessions/")
    assert re.search(
        rf"{session.started_at:%b} {session.started_at.day}, \d\d:{session.started_at:%M}", shown
    )
    assert not re.search(rf", {queued}<", shown)
    assert record_of(session)["duration"] < hours.total_seconds()


def use_of_calls(*calls: ModelCalled) -> ModelUse:
    found = ModelUse("e", "agent")
    for call in calls:
        found.add_call(call)
    return found


TOKENS = Usage(prompt=9, completion=1)
FREE = ModelCalled(seat="Agent", endpoint="e", tokens=TOKENS)
PAID_CALL = ModelCalled(seat="Agent", endpoint="e", tokens=TOKENS, cost=0.5, currency="USD")
LOST_CALL = ModelCalled(seat="Agent", endpoint="e")


@pytest.mark.parametrize(
    ("calls", "cost", "footnote"),
    [
        ([FREE], "no price", "1 request without a price: their tokens are known"),
        ([FREE, LOST_CALL], "unknown", "1 request without a price: their tokens are known"),
        ([LOST_CALL], "unknown", ""),
        (
            [PAID_CALL, FREE, LOST_CALL],
            "0.5000 USD + 1 request without a price + 1 request unknown",
            "1 request without a price",
        ),
        ([PAID_CALL], "0.5000 USD", ""),
    ],
)
def test_an_unknown_cost_says_what_is_lacking(
    as_researcher: Client, make_run: Callable[..., Run], calls: list[ModelCalled], cost: str, footnote: str
) -> None:
    assert cost_words(use_of_calls(*calls)) == cost
    run = make_run(tasks=1)
    end(run.sessions.get(), models=[use_of_calls(*calls)])
    page = words(text(as_researcher, f"/runs/{run.pk}/"))
    assert cost in page
    assert (footnote in page) if footnote else ("without a price" not in page)
    assert ("returned no figure. Sums of tokens and costs leave them out" in page) == (LOST_CALL in calls)
