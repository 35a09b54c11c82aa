"""How fast a run goes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.runs.conftest import end
from webapp.runs.selectors import pace, played_s, progress
from webapp.sessions.models import Run, Session, Status

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
MINUTES = st.integers(0, 120)


@given(st.lists(st.tuples(MINUTES, MINUTES)), MINUTES)
def test_time_that_several_sessions_share_counts_once(spans: list[tuple[int, int]], since: int) -> None:
    ordered = sorted((min(span), max(span)) for span in spans)
    moments = [(NOON + timedelta(minutes=a), NOON + timedelta(minutes=b)) for a, b in ordered]
    covered = {minute for a, b in ordered for minute in range(max(a, since), b)}
    assert played_s(moments, since=NOON + timedelta(minutes=since)) == 60 * len(covered)


@pytest.mark.django_db
def test_the_time_before_a_retry_says_nothing_of_the_pace(make_run: Callable[..., Run]) -> None:
    run = make_run(tasks=3)
    first, second, third = run.sessions.order_by("task__position")
    now = timezone.now()
    for session, begun, took in ((first, 180, 1), (second, 2, 1)):
        end(session)
        began = now - timedelta(minutes=begun)
        Session.objects.filter(pk=session.pk).update(
            started_at=began, finished_at=began + timedelta(minutes=took)
        )
    Session.objects.filter(pk=third.pk).update(started_at=now - timedelta(minutes=1), status=Status.RUNNING)
    found = pace(run, progress([run])[run.pk])
    assert found.elapsed_s == pytest.approx(180, abs=5)
    assert found.per_minute == pytest.approx(0.5, abs=0.05) and found.left_s == pytest.approx(120, abs=5)


@pytest.mark.django_db
def test_a_run_that_nobody_began_has_no_pace(make_run: Callable[..., Run]) -> None:
    run = make_run()
    assert pace(run, progress([run])[run.pk]).elapsed_s is None
