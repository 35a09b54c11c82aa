"""Turning misses into entries: the log of misses is asked again of a backend (paper appendix B.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.backends import Backend
from sandbox.cache import Cache
from sandbox.calls import Call
from sandbox.toolbox.online import live_answer
from sandbox.tools.errors import BadArgument, ToolFailure
from sandbox.tools.language import Language
from sandbox.toolsets import tool_of, toolset_of


@dataclass
class RefreshReport:
    """Misses by tool that are entries now (answered) or were before (known), and by why that are none (kept)."""

    answered: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)


def refresh(
    cache: Cache, backend: Backend, language: Language, told: Callable[[int, int], None]
) -> RefreshReport:
    """Ask the backend every missed call; what it answers is learned and leaves the log, one by one.

    It can be ended at any moment and begun again. told: gets how many are done and how many there are.
    """
    report = RefreshReport()
    calls = [missed.call for missed in cache.misses()]
    for number, call in enumerate(calls, 1):
        _ask(cache, backend, language, call, report)
        told(number, len(calls))
    return report


def _ask(cache: Cache, backend: Backend, language: Language, call: Call, report: RefreshReport) -> None:
    if cache.find(call, "published") is not None:
        cache.forget_missed(call)
        report.known[call.tool] += 1
        return
    toolset, tool = toolset_of(call.tool), tool_of(call.tool)
    if toolset is None or tool is None:
        report.kept["arguments"] += 1
        return
    try:
        valid = toolset.validated(tool.name, dict(call.arguments), language, given=call.given)
        answer = live_answer(backend, valid, language)
    except ToolFailure as failure:
        report.kept[failure.kind] += 1
    except BadArgument:
        report.kept["arguments"] += 1
    else:
        cache.learn(call, answer)
        cache.forget_missed(call)
        report.answered[call.tool] += 1
