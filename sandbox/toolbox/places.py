"""The places that a cache's searches list, for one question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.cache.pack import Listing, Pack
from sandbox.toolsets.base import Record
from sandbox.toolsets.grouptravel.nearest.sameness import bare_name
from sandbox.worlds.text import normalise


class ListedPlaces:
    """Looks places up in a pack. `read`: tool and key of each cached answer that a place was taken from."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._read: dict[str, None] = {}

    @property
    def read(self) -> tuple[str, ...]:
        """Each once, in the order of reading."""
        return tuple(self._read)

    def by_id(self, id: str) -> Record | None:
        """The place of exactly that id."""
        listing = self._pack.place(id)
        return self._records([listing])[0] if listing else None

    def called(self, term: str, city: str) -> Sequence[Record]:
        """The places in a city whose name, category or kind is a text, by id."""
        name = bare_name(city)
        return self._records(self._pack.places((name, f"{name}市"), normalise(term))) if name else ()

    def _records(self, listings: Iterable[Listing]) -> list[Record]:
        found = list(listings)
        self._read |= {f"{listing.entry.tool} {listing.entry.key}": None for listing in found}
        return [listing.place.record for listing in found]
