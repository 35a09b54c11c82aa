"""`online`: the cache answers, else a backend, whose answer is cached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.backends import Backend
from sandbox.cache import Cache, Normalisation
from sandbox.calls import Call
from sandbox.toolbox.outcome import Answer, Mode
from sandbox.tools.errors import BadArgument, ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.toolsets import tool_of, toolset_of
from sandbox.toolsets.base import ValidCall

_NOT_OFFERED = Says("当前没有服务提供这个工具", "No service offers this tool at present")


class OnlineAnswers:
    """Answers from a cache that grows (paper appendix B.2). What the backend fails at is logged for a refresh."""

    mode: Mode = "online"
    asks_model = False

    def __init__(self, cache: Cache, backend: Backend, *, normalisation: Normalisation = "published") -> None:
        self._cache, self._backend, self._normalisation = cache, backend, normalisation

    def answer(self, valid: ValidCall, language: Language) -> Answer:
        """What is cached, else what the backend says now; of two at once the first to be cached stands."""
        found = self._cache.find(valid.call, self._normalisation)
        if found is not None:
            return Answer(found, "cache")
        try:
            result = live_answer(self._backend, valid, language)
        except ToolFailure:
            self._cache.log_miss(valid.call, None)
            raise
        return Answer(self._cache.learn(valid.call, result), "live")


def live_answer(backend: Backend, valid: ValidCall, language: Language) -> str:
    """A backend's result as it is cached.

    Raises:
        BadArgument: a value that the backend does not know.
        ToolFailure: it does not offer the tool, or failed.
    """
    if valid.toolset.name != backend.toolset or valid.tool.name not in backend.tools:
        raise ToolFailure("backend", _NOT_OFFERED)
    result = backend.answer(valid.tool, valid.arguments, language)
    return result.as_text()


@dataclass
class RefreshReport:
    """Misses by tool that are entries now (answered) or were before (known), and by why that are none (kept)."""

    answered_counts: Counter[str] = field(default_factory=Counter)
    known_counts: Counter[str] = field(default_factory=Counter)
    kept_counts: Counter[str] = field(default_factory=Counter)


def refresh(
    cache: Cache, backend: Backend, language: Language, progress: Callable[[int, int], None]
) -> RefreshReport:
    """Ask the backend every missed call; what it answers is learned and leaves the log, one by one.

    It can be ended at any moment and begun again. progress: gets how many are done and how many there are.
    """
    report = RefreshReport()
    calls = [missed.call for missed in cache.misses()]
    for number, call in enumerate(calls, 1):
        _ask(cache, backend, language, call, report)
        progress(number, len(calls))
    return report


def _ask(cache: Cache, backend: Backend, language: Language, call: Call, report: RefreshReport) -> None:
    if cache.find(call, "published") is not None:
        cache.forget_missed(call)
        report.known_counts[call.tool] += 1
        return
    toolset, tool = toolset_of(call.tool), tool_of(call.tool)
    if toolset is None or tool is None:
        report.kept_counts["arguments"] += 1
        return
    try:
        valid = toolset.validate(tool.name, dict(call.arguments), language, given=call.defaults)
        answer = live_answer(backend, valid, language)
    except ToolFailure as failure:
        report.kept_counts[failure.kind] += 1
    except BadArgument:
        report.kept_counts["arguments"] += 1
    else:
        cache.learn(call, answer)
        cache.forget_missed(call)
        report.answered_counts[call.tool] += 1
