"""The places that a cache's searches list, for one question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.cache.pack import Listing, Pack
from sandbox.toolsets import toolset_of
from sandbox.toolsets.base import Record, Toolset
from sandbox.toolsets.grouptravel.nearest.sameness import bare_name
from sandbox.worlds.text import normalise


class ListedPlaces:
    """Looks the places of a toolset up in a pack. `read`: tool and key of each cached answer that told of one."""

    def __init__(self, pack: Pack, toolset: Toolset) -> None:
        self._pack, self._toolset = pack, toolset
        self._read: dict[str, None] = {}

    @property
    def read(self) -> tuple[str, ...]:
        """Each once, in the order of reading."""
        return tuple(self._read)

    def by_id(self, id: str) -> Record | None:
        """The place of exactly that id."""
        listing = self._pack.place(self._toolset.stored(id))
        return next(iter(self._records([listing])), None) if listing else None

    def called(self, term: str, city: str) -> Sequence[Record]:
        """The places in a city whose name, category or kind is a text, by id."""
        name = bare_name(city)
        return self._records(self._pack.places((name, f"{name}市"), normalise(term))) if name else ()

    def _records(self, listings: Iterable[Listing]) -> list[Record]:
        found = [each for each in listings if toolset_of(each.entry.tool) is self._toolset]
        self._read |= {f"{listing.entry.tool} {listing.entry.key}": None for listing in found}
        return [listing.place.record for listing in found]
