"""The mode `isolated`: the cache answers; if it can't, a simulator does, which sees the most similar cached calls."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from sandbox.cache import Cache, Normalisation, call_of, key_of
from sandbox.cache.pack import Listing, Pack
from sandbox.calls import Call, Example
from sandbox.retrieval import EmbeddingFailed, Indexes
from sandbox.simulation import Simulator
from sandbox.toolbox.outcome import Answer, Mode
from sandbox.tools.errors import BadArgument, ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.toolsets import toolset_of
from sandbox.toolsets.base import Question, Record, Toolset, ValidCall
from sandbox.worlds.text import bare_name, normalise

log = logging.getLogger(__name__)

_NOTHING_SIMILAR = Says(
    "没有缓存到这个工具的任何调用，无法作答；请改用其他工具",
    "No call of this tool is cached, so there is nothing to answer from; use another tool",
)
_NO_LOOK_UP = Says("相似调用检索失败，请稍后再试", "Similar calls could not be looked up; try again")


class IsolatedAnswers:
    """Answers from one state of a cache (paper appendix B.2, B.3).

    `indexes` is called at the first miss, because opening indexes takes seconds. Each miss is logged with the
    simulated result, or without one if the simulator failed.
    """

    mode: Mode = "isolated"

    def __init__(
        self,
        cache: Cache,
        indexes: Callable[[], Indexes],
        simulator: Simulator,
        pins: Pins,
        *,
        normalisation: Normalisation = "published",
        examples: int = 8,
    ) -> None:
        self._cache, self._indexes, self._simulator, self._pins = cache, indexes, simulator, pins
        self._normalisation, self._example_count = normalisation, examples

    @property
    def asks_model(self) -> bool:
        """Whether the simulator is a model."""
        return self._simulator.asks_model

    def answer(self, valid: ValidCall, language: Language) -> Answer:
        """The cached answer, else the pinned one, else one that is simulated now."""
        entry = self._cache.find(valid.call, self._normalisation)
        if entry is not None:
            return Answer(entry, "cache")
        return self._pins.get(valid.call) or self._simulate(valid, language)

    def _simulate(self, valid: ValidCall, language: Language) -> Answer:
        same, places = self._as_compared(valid), ListedPlaces(self._cache.pack, valid.toolset)
        try:
            examples, keys = self._similar_or_listed(same.call, places)
            question = Question(same, examples, language, self._near, places)
            result = _storable(self._simulator.simulate(question))
        except (ToolFailure, BadArgument):
            self._cache.log_miss(valid.call, None)
            raise
        self._cache.log_miss(
            valid.call, result
        )  # before the pin, which keeps other sessions from getting here
        return self._pins.pin(valid.call, Answer(result, "simulated", (*keys, *places.read)))

    def _as_compared(self, valid: ValidCall) -> ValidCall:
        """The call in its normal form, so that the answer does not depend on which spelling came first."""
        if self._normalisation == "published":
            return valid
        call = call_of(valid.call.tool, key_of(valid.call, self._normalisation))
        return replace(valid, call=call, arguments=valid.tool.arguments.model_validate(call.arguments))

    def _near(self, call: Call) -> Sequence[Example]:
        """The cached answers to a call that helps to answer another one, and to similar calls."""
        known = self._cache.find(call, self._normalisation)
        exact = () if known is None else (Example(call, known, 1.0),)
        return (*exact, *self._similar(call)[0]) if self._cache.pack.counts.get(call.tool) else exact

    def _similar_or_listed(
        self, call: Call, places: ListedPlaces
    ) -> tuple[Sequence[Example], tuple[str, ...]]:
        """As `_similar`; empty if no call of the tool is cached but a cached search lists the place with this id."""
        has_none = not self._cache.pack.counts.get(call.tool)
        return ((), ()) if has_none and places.by_id(str(call.arguments.get("id"))) else self._similar(call)

    def _similar(self, call: Call) -> tuple[Sequence[Example], tuple[str, ...]]:
        """The nearest cached calls with their answers, and their keys."""
        if not self._cache.pack.counts.get(call.tool):
            raise ToolFailure("unanswered", _NOTHING_SIMILAR)
        try:
            near = self._indexes().search(call, self._example_count)
        except EmbeddingFailed as error:
            log.warning("no similar calls of %s: %s", call.tool, error)
            raise ToolFailure("simulator", _NO_LOOK_UP) from error
        entries = self._cache.pack.entries(call.tool, [each.number for each in near])
        examples = [
            Example(entry.call, entry.result, each.similarity)
            for entry, each in zip(entries, near, strict=True)
        ]
        return examples, tuple(entry.key for entry in entries)


def _storable(result: str) -> str:
    """The text without lone surrogates: models write them in JSON, and they can be neither stored nor sent."""
    return result.encode("utf-8", "replace").decode()


class Pins(Protocol):
    """Keeps the simulated answers of a run, so that the same call gets the same bytes again.

    Even a model at temperature 0 may vary. Pins are kept outside the cache, which holds real answers only.
    """

    def get(self, call: Call) -> Answer | None:
        """The answer that this call got before in this run; None if there is none."""
        ...

    def pin(self, call: Call, answer: Answer) -> Answer:
        """Keep an answer, unless another session of the run kept one first. Returns the one that is kept."""
        ...


class ListedPlaces:
    """Looks up the places of a toolset that cached searches list. `read`: tool and key of each answer it used."""

    def __init__(self, pack: Pack, toolset: Toolset) -> None:
        self._pack, self._toolset = pack, toolset
        self._read: dict[str, None] = {}

    @property
    def read(self) -> tuple[str, ...]:
        """Each answer once, in the order of use."""
        return tuple(self._read)

    def by_id(self, id: str) -> Record | None:
        """The place with exactly this id; None if no cached answer lists it."""
        listing = self._pack.place(self._toolset.stored_name(id))
        return next(iter(self._records([listing])), None) if listing else None

    def places_called(self, term: str, city: str) -> Sequence[Record]:
        """The places of a city whose name, category or kind is `term`, ordered by id."""
        name = bare_name(city)
        return self._records(self._pack.places((name, f"{name}市"), normalise(term))) if name else ()

    def _records(self, listings: Iterable[Listing]) -> list[Record]:
        own_listings = [each for each in listings if toolset_of(each.entry.tool) is self._toolset]
        self._read |= {f"{listing.entry.tool} {listing.entry.key}": None for listing in own_listings}
        return [listing.place.record for listing in own_listings]
