"""Making a new pack the current one: made aside, checked, then switched to in one rename."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import closing, contextmanager
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import mkdtemp

from filelock import FileLock, Timeout

from sandbox.cache.cache import POINTER, Cache, point_to, pointer, sync_folder
from sandbox.cache.keys import CacheError
from sandbox.cache.learned_store import LearnedStore
from sandbox.cache.pack import Pack, write_pack

Progress = Callable[[str, int, int], None]
Pairs = Iterable[tuple[str, str]]
LOCK_WAIT_S = 5.0


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """The only builder of a cache: a scratch folder in it, removed at the end; what a killed one left goes first.

    The cache's folder is made, and goes again if no cache comes to be in it.

    Raises:
        CacheError: somebody else is building.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "building.lock", timeout=LOCK_WAIT_S):
            for left in [*folder.glob(".building-*"), *folder.glob(".pointer-*")]:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            scratch = Path(mkdtemp(dir=folder, prefix=".building-"))
            try:
                yield scratch
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
                if is_new and not (folder / POINTER).exists():
                    shutil.rmtree(folder, ignore_errors=True)
    except Timeout:
        raise CacheError(
            f"{folder.name} is being imported or indexed by another process; try again"
        ) from None


def switch_to(folder: Path, draft: Path, digest: str, learned_from: int) -> None:
    """Put a finished pack among the others, under its name, and make it the current one."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    name = f"pack-{digest[:12]}.sqlite3" if not learned_from else f"pack-{digest[:12]}-{learned_from}.sqlite3"
    draft.replace(folder / name)
    sync_folder(folder)
    if (folder / POINTER).exists() and (last := folder / pointer(folder)).exists():
        os.utime(last)  # a pack's age counts from when it was the current one
    point_to(folder, name)


def create(folder: Path) -> None:
    """An empty cache; one that is there stays as it is."""
    if (folder / POINTER).exists():
        return
    with building(folder) as scratch:
        if not (folder / POINTER).exists():
            LearnedStore(folder).close()
            switch_to(folder, scratch / "pack", write_pack(scratch / "pack", ()), 0)


def fold(folder: Path, progress: Progress) -> bool:
    """A new pack of the current one and all that was learned since; False where there is nothing to do.

    What was learned stays beside it, so that sessions over an older state keep their hits.
    """
    with building(folder) as scratch, closing(as_it_is(folder)) as cache:
        if not cache.learned_counts and cache.pack.is_current:
            return False
        upto = cache.state.learned_upto
        tools = merge_additions(cache.pack, cache.counts, cache.learned_pairs, progress)
        switch_to(folder, scratch / "pack", write_pack(scratch / "pack", tools, learned_from=upto), upto)
    return True


def as_it_is(folder: Path) -> Cache:
    """The cache of this moment; what is learned while a pack is made of it stays beside that pack."""
    with closing(Cache.open(folder)) as cache:
        state = cache.state
    return Cache.open(folder, state)


def prune(folder: Path, keep: Set[str]) -> list[str]:
    """Remove every pack but the current one and those named in `keep`; returns the file names removed.

    keep: `CacheState.pack` of the sessions that may still be run. Who has a pack open reads on. A pack's file was
    last changed when another one took its place.
    """
    with building(folder):
        old = [path for path in folder.glob("pack-*.sqlite3") if path.name not in {*keep, pointer(folder)}]
        for path in old:
            path.unlink()
    return sorted(path.name for path in old)


def pack_digests(folder: Path) -> set[str]:
    """The first twelve digits of the digest of every pack that is there, current or not."""
    return {path.name.removeprefix("pack-")[:12] for path in folder.glob("pack-*.sqlite3")}


def merge_additions(
    pack: Pack,
    tools: Iterable[str],
    added: Callable[[str], Mapping[str, str]],
    progress: Progress,
    *,
    added_wins: bool = False,
) -> Iterator[tuple[str, Pairs]]:
    """Tools of a pack with what is added to each; of two answers to a call the pack's, or the added one."""
    for tool in sorted(tools):
        yield tool, _both(pack, tool, added(tool), progress, added_wins=added_wins)


def _both(pack: Pack, tool: str, added: Mapping[str, str], progress: Progress, *, added_wins: bool) -> Pairs:
    """Nothing here outlives the pairs: just one tool's are in memory."""
    old, new = pack.pairs(tool), sorted(added.items())
    both = (new, old) if added_wins else (old, new)
    total = pack.counts.get(tool, 0) + len(new)
    return count_pairs(_first_of_each(merge(*both, key=itemgetter(0))), tool, total, progress)


def _first_of_each(pairs: Pairs) -> Iterator[tuple[str, str]]:
    """`merge` is stable: of equal keys the one of the first source comes first."""
    return (next(group) for _, group in groupby(pairs, key=itemgetter(0)))


def count_pairs(pairs: Pairs, tool: str, total: int, progress: Progress) -> Iterator[tuple[str, str]]:
    """The same pairs, with progress told every thousand and at the end."""
    done = 0
    for done, pair in enumerate(pairs, 1):
        if done % 1000 == 0:
            progress(tool, done, total)
        yield pair
    progress(tool, done, done)
