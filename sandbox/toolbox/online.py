"""`online`: the cache answers, else a backend, whose answer is cached."""

from __future__ import annotations

from sandbox.backends import Backend
from sandbox.cache import Cache, Normalisation
from sandbox.toolbox.outcome import Answer, Mode
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.results import compact
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
    return compact(result.model_dump(mode="json"))
