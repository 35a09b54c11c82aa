"""Calls that tools refused: what the share of tool errors lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from benchmark.core.events import ToolCalled
from benchmark.misses import Miss
from benchmark.suites.travelbench.misses.reading import LostAnswer

ERROR_RATE: Final = "error_rate"


def error_misses(session: LostAnswer) -> Iterator[Miss]:
    """Each call with an error; all of them together are the share."""
    rate, errors = session.figures.get(ERROR_RATE), session.evidence.get("errors", ())
    if not isinstance(rate, int | float) or not rate or not errors:
        return
    refused: set[tuple[str, str]] = set()
    for error in errors:
        number = error["call"] - 1
        seq, call = (
            session.asked_calls[number] if number < len(session.asked_calls) else (session.end[0], None)
        )
        seqs = (session.answer_to(seq), seq)
        cause = _cause(session, call, refused)
        yield Miss(ERROR_RATE, str(error["name"]), cause, rate / len(errors), item=error["error"], seqs=seqs)


def _cause(session: LostAnswer, call: ToolCalled | None, refused: set[tuple[str, str]]) -> str:
    if call is None:
        return "bad_arguments"
    if not session.has_tool(call.name):
        return "no_such_tool"
    if isinstance(call.arguments, str):
        return "unreadable_call"
    made = call.name, json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)
    is_again = made in refused
    refused.add(made)
    return "not_mended" if is_again else "bad_arguments"
