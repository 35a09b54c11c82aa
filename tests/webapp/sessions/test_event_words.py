"""Every kind of event that all benchmarks share, and every own one of those here, is told in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template.exceptions import TemplateDoesNotExist
from django.template.loader import select_template

from benchmark.core.attendance import Attendance
from benchmark.core.events import (
    CRASHES,
    RESEARCH,
    SHARED_BODIES,
    AttendanceSet,
    ClockSet,
    Event,
    EventBody,
    Kinds,
    PresenceChanged,
    SessionFinished,
    TurnExtended,
    TurnGranted,
    TurnMissed,
    TurnReminded,
    WarningPassedOver,
)
from benchmark.suites import SUITES, suite_named
from tests.markup import tight
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event

SEAT = "User1"


def drawn_raw(kinds: Kinds, *folders: str) -> set[str]:
    """Those of these kinds that no template of the folders is for, so that their fields are shown as they are."""
    lacking = set()
    for kind in kinds:
        try:
            select_template([f"{folder}/events/{kind}.html" for folder in folders])
        except TemplateDoesNotExist:
            lacking.add(kind)
    return lacking


def test_each_shared_kind_of_event_has_a_template() -> None:
    assert len(SHARED_BODIES) > 20
    assert drawn_raw(Kinds(), "sessions") == set()


@pytest.mark.parametrize("suite", SUITES)
def test_each_kind_of_event_of_a_benchmark_has_a_template(suite: str) -> None:
    assert drawn_raw(suite_named(suite).play.kinds, f"suites/{suite}", "sessions") == set()


def html_of(body: EventBody, language: str = "en") -> str:
    event = Event(1, "system", body.audience(), body, datetime(2026, 1, 1, tzinfo=UTC))
    session = Session(pk=f"{body.__class__.__name__}-{hash(body.model_dump_json())}", suite="toy")
    return tight(render_event(event, session=session, viewer=RESEARCH, language=language))


@pytest.mark.parametrize(
    ("body", "words", "chinese"),
    [
        (PresenceChanged(seat=SEAT, presence="joined"), "Somebody has taken the seat of User1.", "席位"),
        (
            PresenceChanged(seat=SEAT, presence="joined", program="bot <1>"),
            "The program bot &lt;1&gt; has taken the seat of User1.",
            "程序",
        ),
        (PresenceChanged(seat=SEAT, presence="away"), "User1 looks at another page.", "别的页面"),
        (PresenceChanged(seat=SEAT, presence="disconnected"), "User1 has lost the connection.", "断线"),
        (PresenceChanged(seat=SEAT, presence="back", program="bot"), "User1 is back. (bot)", "回来"),
        (PresenceChanged(seat=SEAT, presence="left"), "User1 has left.", "离开"),
        (PresenceChanged(seat=SEAT, presence="withdrawn"), "User1 has withdrawn.", "退出"),
        (TurnReminded(seat=SEAT), "User1 was reminded that it is their turn.", "提醒"),
        (TurnReminded(seat=SEAT, nudged=True), "A researcher reminded User1", "研究者"),
        (TurnExtended(seat=SEAT, by_s=90), "User1 got 1 min 30 s more for this turn.", "延长"),
        (TurnMissed(seat=SEAT, waited_s=180), "User1 did not answer within 3 min 0 s.", "未"),
        (ClockSet(seat=SEAT, how="stands"), "The clock of User1 stands", "计时"),
        (ClockSet(seat=SEAT, how="goes"), "The clock of User1 runs on.", "计时"),
        (ClockSet(seat=SEAT, how="anew"), "The clock of User1 starts anew.", "计时"),
        (
            WarningPassedOver(seat=SEAT, why="unasked", items=("a budget", "<b>")),
            'that nobody asked for it. <span class="preview">a budget · &lt;b&gt;</span>',
            "警告",
        ),
        (WarningPassedOver(seat=SEAT, why="only_words"), "that words alone give nothing up.", "警告"),
        (WarningPassedOver(seat=SEAT, why="too_loud"), "the page had warned (too loud).", "警告"),
        (
            AttendanceSet(seat=SEAT, attendance=Attendance(gather_s=600, lacking="end", dropout="pass")),
            "The seat must be taken within 10 min 0 s; else: the session ends",
            "会话结束",
        ),
        (
            AttendanceSet(seat=SEAT, attendance=Attendance(turn_s=None, substitute="scripted")),
            "When somebody has left: a simulator takes over (scripted)",
            "席位",
        ),
    ],
)
def test_what_befalls_a_seat_is_told_in_a_sentence(body: EventBody, words: str, chinese: str) -> None:
    html = html_of(body)
    assert words in html and "seat:" not in html and "changed" not in html
    html = html_of(body, "zh-hans")
    assert chinese in html and SEAT in html and " the " not in html


@pytest.mark.parametrize("reason", [*CRASHES, "stopped", "deserted"])
def test_each_shared_end_of_a_session_is_told_in_a_sentence(reason: str) -> None:
    end = SessionFinished(reason=reason)
    assert reason.replace("_", " ") not in html_of(end, "zh-hans")


def test_a_turn_is_told_by_its_speaker_where_a_benchmark_says_no_more() -> None:
    turn = TurnGranted(speaker="Agent", kind="talk_on")
    assert html_of(turn) == '<p class="note turn" id="e1">turn to Agent</p>'
    assert html_of(turn, "zh-hans") == '<p class="note turn" id="e1">轮到 Agent</p>'
