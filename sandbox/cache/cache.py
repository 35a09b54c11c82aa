"""A cache: a folder with one current pack, and an append area beside it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from sandbox.cache.keys import CacheError, MissedCall, Normalisation
from sandbox.cache.learned_store import LearnedStore
from sandbox.cache.pack import Pack
from sandbox.calls import Call

POINTER = "current.json"
_PACK_NAME = re.compile(r"pack-[0-9a-f]{12}(-\d+)?\.sqlite3")


@dataclass(frozen=True, slots=True)
class CacheState:
    """What a cache knew at a moment. pack: file name. learned_upto: the last learned entry that counts."""

    pack: str
    digest: str
    learned_upto: int


class Cache:
    """A handle of a cache, for one thread: as it was in a state, or as it is and becomes."""

    def __init__(self, folder: Path, pack_name: str, upto: int | None) -> None:
        self.folder, self._pack_name, self._upto = folder, pack_name, upto
        self.pack = Pack(folder / pack_name)
        self._learned_store = LearnedStore(folder)

    @classmethod
    def open(cls, folder: Path, state: CacheState | None = None) -> Cache:
        """Open the cache of a folder. With a state, nothing that was learned or imported later is seen.

        Raises:
            CacheError: there is no cache, the state's pack is gone, or a file is damaged.
        """
        if state is None:
            return cls(folder, pointer(folder), None)
        if not _PACK_NAME.fullmatch(state.pack):
            raise CacheError(f"{state.pack!r} is no name of a cache pack")
        cache = cls(folder, state.pack, state.learned_upto)
        if cache.pack.digest != state.digest:
            cache.close()
            raise CacheError(
                f"cache file {folder / state.pack} is not the pack {state.digest[:12]} that is asked for; put that "
                "one back, or start anew"
            )
        return cache

    @property
    def state(self) -> CacheState:
        """What the handle sees: its own state, else the one of this moment."""
        upto = self._learned_store.last_id() if self._upto is None else self._upto
        return CacheState(self._pack_name, self.pack.digest, upto)

    @property
    def lacks_learned(self) -> bool:
        """Whether its state counts entries that were learned elsewhere, and are not in the append area here."""
        upto = self._upto or 0
        return self.pack.learned_from < upto and self._learned_store.last_id() < upto

    @property
    def outdated(self) -> bool:
        """Whether another pack has become the current one since the handle was opened."""
        return pointer(self.folder) != self._pack_name

    def find(self, call: Call, normalisation: Normalisation) -> str | None:
        """The result of the same call, None where it is not cached (paper appendix B.2).

        The pack is asked before what was learned; an exact key in either before one that `normalisation` makes equal.
        """
        exact = self._find(call, "published")
        return exact if exact is not None or normalisation == "published" else self._find(call, normalisation)

    def _find(self, call: Call, normalisation: Normalisation) -> str | None:
        entry = self.pack.find(call, normalisation)
        if entry is not None:
            return entry
        return self._learned_store.find(call, normalisation, self.pack.learned_from, self._upto)

    def learn(self, call: Call, result: str) -> str:
        """Add an answer, for good once this returns; the first one of a call stands, and is returned."""
        standing = self.pack.find(call, "published")
        return (
            self._learned_store.learn(call, result, self.pack.learned_from) if standing is None else standing
        )

    def log_miss(self, call: Call, simulated_result: str | None) -> None:
        """Log a call that was not cached, with what was simulated instead."""
        self._learned_store.log_miss(call, simulated_result)

    def misses(self, tool: str | None = None) -> list[MissedCall]:
        """The log of misses, of one tool or by tool, in order of first misses."""
        return self._learned_store.misses(tool)

    def last_misses(self, count: int) -> list[MissedCall]:
        """The calls that were missed first most recently."""
        return self._learned_store.last_misses(count)

    def missed_counts(self) -> dict[str, int]:
        """How many calls of each tool are in the log of misses."""
        return self._learned_store.missed_counts()

    def forget_missed(self, call: Call) -> None:
        """Take a call out of the log of misses."""
        self._learned_store.forget_missed(call)

    def learned_pairs(self, tool: str) -> dict[str, str]:
        """Key and result of what was learned of a tool since the pack was made."""
        return self._learned_store.pairs(tool, self.pack.learned_from, self._upto)

    @property
    def learned_counts(self) -> Mapping[str, int]:
        """Entries of the append area by tool, those in the pack left out."""
        learned = self._learned_store.hashes(self.pack.learned_from, self._upto)
        counts = {tool: len(hashes) - self.pack.holds(hashes) for tool, hashes in learned.items()}
        return {tool: count for tool, count in counts.items() if count}

    @property
    def counts(self) -> Mapping[str, int]:
        """Entries of pack and append area by tool."""
        learned = self.learned_counts
        tools = sorted({*self.pack.counts, *learned})
        return {tool: self.pack.counts.get(tool, 0) + learned.get(tool, 0) for tool in tools}

    def close(self) -> None:
        """Let go of the files."""
        self.pack.close()
        self._learned_store.close()


def pointer(folder: Path) -> str:
    """The name of the current pack.

    Raises:
        CacheError: the folder holds no cache, or its pointer is damaged.
    """
    path = folder / POINTER
    try:
        name = json.loads(path.read_bytes())["pack"]
    except FileNotFoundError:
        raise CacheError(f"{folder} holds no cache; import one") from None
    except (ValueError, KeyError, TypeError) as error:
        raise CacheError(f"{path} is damaged ({error}); import the cache again") from error
    if not isinstance(name, str) or not _PACK_NAME.fullmatch(name):
        raise CacheError(f"{path} names no pack; import the cache again")
    return name


def point_to(folder: Path, pack_name: str) -> None:
    """Make a pack the current one, at once and for good."""
    with NamedTemporaryFile("w", dir=folder, prefix=".pointer-", delete=False) as draft:
        json.dump({"pack": pack_name}, draft)
        draft.flush()
        os.fsync(draft.fileno())
    Path(draft.name).replace(folder / POINTER)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder outlive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
