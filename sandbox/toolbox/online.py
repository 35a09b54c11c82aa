"""The mode `online`: the cache answers; if it can't, a live backend does, and its answer is cached."""

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
    """Answers from a cache that grows (paper appendix B.2). Calls at which the backend fails wait for `refresh`."""

    mode: Mode = "online"
    asks_model = False

    def __init__(self, cache: Cache, backend: Backend, *, normalisation: Normalisation = "published") -> None:
        self._cache, self._backend, self._normalisation = cache, backend, normalisation

    def answer(self, valid: ValidCall, language: Language) -> Answer:
        """The cached answer, else that of the backend. If two sessions ask at once, both get the one cached first."""
        entry = self._cache.find(valid.call, self._normalisation)
        if entry is not None:
            return Answer(entry, "cache")
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
    """What became of the missed calls.

    answered, known: by tool, calls that were answered now, or that were in the cache already. kept: by reason, calls
    that are still missing.
    """

    answered_counts: Counter[str] = field(default_factory=Counter)
    known_counts: Counter[str] = field(default_factory=Counter)
    kept_counts: Counter[str] = field(default_factory=Counter)


def refresh(
    cache: Cache, backend: Backend, language: Language, progress: Callable[[int, int], None]
) -> RefreshReport:
    """Ask the backend for every missed call. Each answer is cached, and its call leaves the log, at once.

    So it can be stopped at any moment and started again. progress: called with how many calls are done and how many
    there are.
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
