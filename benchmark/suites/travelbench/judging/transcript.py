"""A session as a judge of TravelBench sees it: context, query, tools, the run record's messages, what to rate."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmark.core.events import CRASHES, Event, SessionFinished
from benchmark.judging import Transcript
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.events import SessionOpened
from benchmark.suites.travelbench.modes import DIMENSIONS, mode_of
from benchmark.suites.travelbench.scoring.scores import error_rate
from benchmark.suites.travelbench.scoring.sessions import PAPER, scores_by_profile
from benchmark.suites.travelbench.scoring.transcript import transcript
from benchmark.text.prompts import Prompts
from sandbox.toolsets import toolset_named

PROMPTS = Prompts(Path(__file__).parent / "prompts")


def published_transcript(events: Iterable[Event]) -> Transcript:
    """What the published judge sees; the user's profile and intent stay out. A crashed session has no messages, and
    no penalty.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    opened, record = _opening_of(log), run_record(log, duration=0)
    return _transcript_of(opened, record, 1 - error_rate(record))


def paper_transcript(events: Iterable[Event]) -> Transcript:
    """The same, except that every breach of a schema is a tool error, and a crashed session scores 0 whatever is said
    of it. Raises as `published_transcript`.
    """
    log = list(events)
    opened, record = _opening_of(log), run_record(log, duration=0)
    last = log[-1].body
    crashed = isinstance(last, SessionFinished) and last.reason in CRASHES
    errors = scores_by_profile(record, opened.subtask, opened.time)[PAPER]["error_rate"]
    return _transcript_of(opened, record, 0.0 if crashed else 1 - errors)


def _opening_of(log: list[Event]) -> SessionOpened:
    if not log or not isinstance(log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be judged")
    return log[0].body


def _transcript_of(opened: SessionOpened, record: dict[str, Any], weight: float) -> Transcript:
    language, dimensions = opened.language, DIMENSIONS[mode_of(opened.subtask)]
    text = PROMPTS.fill(
        language,
        "shown",
        context=opened.context,
        query=opened.query,
        tools=_tools(opened),
        transcript=transcript(record.get("messages", ())),
        dimensions="\n".join(PROMPTS.line(language, "lines", name) for name in dimensions),
        form="\n".join(PROMPTS.line(language, "lines", "form", name=name) for name in dimensions),
    )
    return Transcript(text, frozenset(), language, dimensions, weight)


def _tools(opened: SessionOpened) -> str:
    """The tools' schemas, a line each."""
    definitions = toolset_named(opened.sandbox.toolset).definitions(opened.language)
    return "\n".join(json.dumps(definition, ensure_ascii=False) for definition in definitions)
