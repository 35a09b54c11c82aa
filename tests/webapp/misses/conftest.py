"""LoadSession sessions as others would have ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from benchmark.core.events import Event, EventBody
from benchmark.misses import Miss
from benchmark.suites import suite_named
from benchmark.suites.base import RubricMeans
from webapp.catalogue.packs import pack_for_scores
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.setting import setting_of

Change = Callable[[EventBody], EventBody]
FindMisses = Callable[..., list[Miss]]


@pytest.fixture
def find_misses() -> FindMisses:
    """The misses of a session. change: makes another body of each event. world: in place of its own.

    ratings: what a judge says.
    """

    def find(
        session: Session,
        change: Change = lambda body: body,
        world: Any = None,
        ratings: Mapping[str, RubricMeans] = MappingProxyType({}),
    ) -> list[Miss]:
        log: Sequence[Event] = [replace(event, body=change(event.body)) for event in whole_log(session.pk)]
        own = pack_for_scores(session.suite, session.pack)
        setting = setting_of(session, log[0].body, own if world is None else world)
        lazy = suite_named(session.suite).scoring.misses
        assert lazy is not None
        sheets = suite_named(session.suite).scoring.score(log, setting)
        figures = next(iter(sheets.values())).as_json()
        return list(lazy().find(log, setting, figures, ratings))

    return find
