"""How polite a game was: the one thing that a judge says of it."""

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
