"""What a model that compares answers is shown of a session of TravelBench."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmark.core.events import Event
from benchmark.labelling.comparing import Case, spoken_case
from benchmark.suites.travelbench.events import SessionOpened
from benchmark.text.prompts import Prompts
from sandbox.toolsets import toolset_named

PROMPTS = Prompts(Path(__file__).parent / "prompts_compared")


def compared_case(events: Iterable[Event]) -> Case:
    """The query with its time and situation and the tools, as annotators see them, and all that was said after it.

    What was meant and the profile stay out.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    if not log or not isinstance(opened := log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be compared")
    definitions = toolset_named(opened.sandbox.toolset).definitions(opened.language)
    tools = "\n".join(_line_of(opened, "tool", **_words_of(definition)) for definition in definitions)
    parts = {"time": opened.time, "situation": opened.context, "tools": tools}
    told = [opened.query, *(_line_of(opened, key, text=text) for key, text in parts.items() if text)]
    return replace(spoken_case(log), language=opened.language, request="\n\n".join(told))


def _words_of(definition: Mapping[str, Any]) -> dict[str, str]:
    return {key: definition["function"][key] for key in ("name", "description")}


def _line_of(opened: SessionOpened, key: str, **fields: str) -> str:
    return PROMPTS.line(opened.language, "request", key, **fields)
