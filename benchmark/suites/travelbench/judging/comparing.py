"""What a model that compares answers is shown of a session of TravelBench."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from benchmark.core.events import Event
from benchmark.labelling.comparing import Case, spoken_case
from benchmark.suites.travelbench.events import SessionOpened
from sandbox.toolsets import toolset_named

_HEADS = {
    "en": ("Asked at", "Situation", "Tools that the assistant can use"),
    "zh": ("提问时间", "情境", "助手可用的工具"),
}


def compared_case(events: Iterable[Event]) -> Case:
    """The query with its time and situation and the tools, as annotators see them, and all that was said after it.

    What was meant and the profile stay out.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    if not log or not isinstance(opened := log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be compared")
    functions = (
        definition["function"]
        for definition in toolset_named(opened.sandbox.toolset).definitions(opened.language)
    )
    tools = "\n".join(f"- {function['name']}: {function['description']}" for function in functions)
    parts = zip(_HEADS[opened.language], (opened.time, opened.context, tools), strict=True)
    told = [opened.query, *(f"{head}: {text}" for head, text in parts if text)]
    return replace(spoken_case(log), language=opened.language, request="\n\n".join(told))
