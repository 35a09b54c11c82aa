"""Rubrics of messages beside those of judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from benchmark.core.events import Event, MessagePosted
from benchmark.core.view import AGENT
from benchmark.judging import Dimension
from benchmark.labelling.messages import MessageRubric, RatedMessage
from benchmark.labelling.statistic import Definition
from benchmark.suites.base import Rating
from tests.toyplans.judging import CALM, VARIETY
from webapp.labelling.scales import are_alike


def _all(log: Iterable[Event]) -> Iterator[RatedMessage]:
    yield from (RatedMessage(event.seq) for event in log if isinstance(event.body, MessagePosted))


POLITE = MessageRubric(
    name="polite",
    title="politeness",
    question="How polite is it?",
    dimensions=(Dimension("polite", "polite", lowest=0, highest=1),),
    speaker=AGENT,
    reads=frozenset({"message_posted"}),
    messages=_all,
    value=lambda scores: scores["polite"],
    figure=Definition("polite", "polite messages", "The share of polite messages.", "ours", share=True),
)


def test_what_rubrics_of_messages_ask_is_told_apart_from_what_judges_are_asked() -> None:
    rating = Rating((CALM, VARIETY), message_rubrics=(POLITE,))
    assert rating.message_rubric("polite") is POLITE and rating.message_rubric("variety") is None
    assert "polite" not in {one.key for one in rating.dimensions}
    assert [one.key for one in rating.asked_dimensions] == ["calm", "variety", "polite"]
    for wrong, why in (
        (replace(POLITE, name="variety"), "names"),
        (replace(POLITE, dimensions=CALM.dimensions), "dimensions"),
        (replace(POLITE, name=""), "needs a name|names"),
    ):
        with pytest.raises(ValueError, match=why):
            Rating((CALM, VARIETY), message_rubrics=(wrong,))
    with pytest.raises(ValueError, match="needs a name"):
        Rating(message_rubrics=(replace(POLITE, name=""),))


def test_ratings_are_alike_within_a_point_and_yes_is_no_no() -> None:
    scales = {"polite": range(2), "clear": range(1, 6)}
    assert are_alike({"polite": 1, "clear": 3}, {"polite": 1, "clear": 4}, scales)
    assert not are_alike({"polite": 1, "clear": 3}, {"polite": 0, "clear": 3}, scales)
