"""What of a session is searched, a line each: what was posted, asked of tools and answered, thought, and judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    EventBody,
    MessagePosted,
    MessageWithheld,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.text.grams import plain
from benchmark.text.search_query import CALL_PARTS, Part
from webapp.judging.models import Judgement
from webapp.sessions.models import Event

LONGEST_PART = 100_000
LONGEST_RESULTS = 400_000
"""Characters of a session that are searched of each part, and of the results of its tools."""


class SearchLine(NamedTuple):
    """A text of a session. seq: of its event, 0 of a judge's. who: the speaker, the tool or the judge. error: of a
    call that ended in one, its kind. text: on one line.
    """

    part: Part
    seq: int
    who: str
    error: str
    text: str

    @property
    def speaker(self) -> str:
        """Who wrote it; tools are asked by the agent."""
        return AGENT if self.part in CALL_PARTS else self.who

    @property
    def tool(self) -> str:
        """Whose call it belongs to, "" where it is none."""
        return self.who if self.part in CALL_PARTS else ""


def _type_of(kind: type[EventBody]) -> str:
    return str(kind.model_fields["type"].default)


MESSAGE, CALL, RESULT = (_type_of(kind) for kind in (MessagePosted, ToolCalled, ToolReturned))
UNPOSTED_TYPES = tuple(_type_of(kind) for kind in (AgentNoted, ThoughtKept, DraftWithdrawn, MessageWithheld))
"""What was thought and written and not posted."""
_Row = tuple[int, str, str, Mapping[str, Any]]


def lines_of(session_ids: Iterable[str]) -> dict[str, list[SearchLine]]:
    """By session, what is searched of it."""
    lines: dict[str, list[SearchLine]] = {}
    for pk in session_ids:
        rows = Event.objects.filter(session=pk, type__in=(MESSAGE, CALL, RESULT, *UNPOSTED_TYPES)).order_by(
            "seq"
        )
        events = list(rows.values_list("seq", "type", "actor", "payload"))
        lines[pk] = bound_lines([*_of_events(events), *rationales_of(pk)])
    return lines


def _of_events(events: Iterable[_Row]) -> Iterator[SearchLine]:
    tools, errors = {}, {}
    for _seq, type_, _actor, payload in events:
        call = payload.get("call_id", "")
        if type_ == CALL:
            tools[call] = str(payload.get("name", ""))
        elif type_ == RESULT:
            # the first version of results knew errors of the arguments alone
            errors[call] = str(payload.get("error_kind") or ("arguments" if payload.get("error") else ""))
    for seq, type_, actor, payload in events:
        call = payload.get("call_id", "")
        if type_ == MESSAGE:
            yield SearchLine("messages", seq, str(payload.get("role", actor)), "", _words(payload))
        elif type_ == CALL:
            yield SearchLine("arguments", seq, tools[call], errors.get(call, ""), _arguments(payload))
        elif type_ == RESULT:
            yield SearchLine(
                "results", seq, tools.get(call, ""), errors[call], str(payload.get("result", ""))
            )
        else:
            yield SearchLine("reasoning", seq, str(payload.get("speaker", actor)), "", _words(payload))


def _words(payload: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (str(payload.get("content", "")), str(payload.get("note", "")))))


def _arguments(payload: Mapping[str, Any]) -> str:
    given = payload.get("arguments", "")
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def rationales_of(session_id: str) -> Iterator[SearchLine]:
    """Why judges rated as they did."""
    rows = Judgement.objects.filter(session=session_id, score__isnull=False).order_by("batch", "repeat")
    told = rows.values_list("batch__judge__name", "batch__meta_judge__name", "ratings", "meta_reasoning")
    for judge, meta_judge, ratings, meta_reasoning in told:
        for rating in ratings.values():
            if words := str(rating.get("rationale", "")):
                yield SearchLine("rationales", 0, judge, "", words)
        if meta_reasoning:
            yield SearchLine("rationales", 0, meta_judge, "", meta_reasoning)


def bound_lines(lines: Iterable[SearchLine]) -> list[SearchLine]:
    """Each text on one line, and of each part its beginning."""
    left: dict[str, int] = {"results": LONGEST_RESULTS}
    kept = []
    for line in lines:
        room = left.setdefault(line.part, LONGEST_PART)
        if room > 0:
            text = plain(line.text)[:room]
            left[line.part] = room - len(text) - 1
            kept.append(line._replace(who=plain(line.who), error=plain(line.error), text=text))
    return kept
