"""How calm a plan is, and how varied: the two things that judges say of it, each by a rubric of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmark.core.events import Event, MessagePosted
from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric, Transcript
from benchmark.text.prompts import Prompts


def _transcript(log: Iterable[Event]) -> Transcript:
    said = {event.seq: event.body for event in log if isinstance(event.body, MessagePosted)}
    return Transcript(
        "\n".join(f"[{at}] {m.role}: {m.content}" for at, m in said.items()), frozenset(said), "en"
    )


PROMPTS = Prompts(Path(__file__).parent / "prompts")
FORMS = {PUBLISHED: InputForm(PUBLISHED, "the chat", PROMPTS, _transcript, 0.0, tries=1)}


def _rubric(dimension: Dimension, name: str = "") -> Rubric:
    return Rubric(dimension.key, (dimension,), FORMS, lambda given, meta: given[dimension.key], name=name)


CALM = _rubric(Dimension("calm", "calm"))
VARIETY = _rubric(Dimension("variety", "variety", lowest=0, highest=3), "variety")
