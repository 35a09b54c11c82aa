"""The time line of a session, and its page at a moment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from benchmark.core.events import ErrorRaised, MessagePosted, SessionFinished
from benchmark.suites.grouptravel.events import CompromiseApplied, TurnGranted
from tests.markup import tight
from tests.webapp.conftest import Writer
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.sessions.timeline import timeline

pytestmark = pytest.mark.django_db


def kinds(session: Session, seq: int) -> list[str]:
    told = timeline(Reading.of(session))
    [own] = [own for number, _seconds, own in told["events"] if number == seq]
    return [told["kinds"][place]["name"] for place in own]


def test_every_event_has_its_time_and_what_it_is(eventful: Session) -> None:
    told, log = timeline(Reading.of(eventful)), list(read_log(eventful))
    assert [seq for seq, *_ in told["events"]] == [event.seq for event in log]
    seconds = [seconds for _, seconds, _ in told["events"]]
    assert seconds[0] == 0 and seconds == sorted(seconds)

    def first(wanted: type) -> int:
        return next(event.seq for event in log if isinstance(event.body, wanted))

    assert kinds(eventful, first(CompromiseApplied)) == ["compromise"]
    assert kinds(eventful, first(ErrorRaised)) == ["error"]
    convergence = next(e.seq for e in log if isinstance(e.body, TurnGranted) and e.body.kind == "convergence")
    assert kinds(eventful, convergence) == ["turn", "convergence"]
    plan = next(e.seq for e in log if isinstance(e.body, MessagePosted) and e.body.has_plan)
    assert kinds(eventful, plan) == ["message", "plan"]


def test_a_page_that_is_open_asks_for_what_is_new(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    writer = begin()
    last = writer.call(1) + 1
    address = f"/sessions/{writer.session.pk}/timeline.json?after={last}"
    assert as_researcher.get(address).json()["events"] == []
    seq = writer.call(2)
    assert [one[0] for one in as_researcher.get(address).json()["events"]] == [seq, seq + 1]
    assert len(as_researcher.get(f"{address}x").json()["events"]) == seq + 1


def test_before_the_end_there_are_no_scores_and_the_status_is_of_then(
    as_researcher: Client, eventful: Session
) -> None:
    asked = next(
        e.seq for e in read_log(eventful) if isinstance(e.body, TurnGranted) and e.body.place == "preempt"
    )
    address = f"/sessions/{eventful.pk}/panel/plan/?head&at="
    then = tight(as_researcher.get(f"{address}{asked}").content.decode())
    now = tight(as_researcher.get(f"{address}{eventful.last_seq}").content.decode())
    assert 'hx-swap-oob="true"' in then and "waiting for" in then and "waiting for" not in now
    figures = [
        re.findall(r"<b[^>]*>([^<]*)</b> <span", page.split('class="scores"')[1]) for page in (then, now)
    ]
    assert set(figures[0][:-1]) == {"–"} and set(figures[1][:-1]) != {"–"}
    assert figures[0][-1] == figures[1][-1] == "2"


def test_the_whole_page_is_of_the_moment_in_its_address(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    early = writer.call(1)
    writer.call(2)
    writer.add("researcher", SessionFinished(reason="stopped"))
    page = tight(as_researcher.get(f"/sessions/{writer.session.pk}/?at={early}").content.decode())
    assert "<b>1</b> <span>tool call</span>" in page
    told = re.search(r'<template id="timeline">(.*?)</template>', page)
    assert told is not None
    assert json.loads(told[1])["events"][-1][0] == early + 4


def test_a_visitor_sees_no_time_line(client: Client, eventful: Session) -> None:
    assert client.get(f"/sessions/{eventful.pk}/timeline.json").status_code in {302, 403}
