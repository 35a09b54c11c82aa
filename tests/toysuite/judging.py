"""How polite a game was, and how witty: the two things that judges say of it, each by a rubric of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmark.core.events import Event, MessagePosted
from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric, Transcript
from benchmark.text.prompts import Prompts


def _transcript(events: Iterable[Event]) -> Transcript:
    said = {event.seq: event.body for event in events if isinstance(event.body, MessagePosted)}
    text = "\n".join(f"[{turn}] {message.role}: {message.content}" for turn, message in said.items())
    return Transcript(text, frozenset(said), "en")


FORM = InputForm(
    PUBLISHED, "the words of both", Prompts(Path(__file__).parent / "rubric"), _transcript, 0.0, tries=1
)
RUBRIC = Rubric(
    metric="judge",
    dimensions=(Dimension("interaction_quality", "politeness"),),
    forms={PUBLISHED: FORM},
    score=lambda ratings, meta: 20.0 * ratings["interaction_quality"],
)
WIT = Rubric(
    name="wit",
    metric="wit",
    dimensions=(Dimension("wit", "wit", lowest=0, highest=3),),
    forms={PUBLISHED: FORM},
    score=lambda ratings, meta: 25.0 * (ratings["wit"] + 1),
)
