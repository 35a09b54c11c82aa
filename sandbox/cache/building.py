"""Making a new pack the current one: made aside, checked, then switched to in one rename."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import mkdtemp

from filelock import FileLock, Timeout

from sandbox.cache.cache import POINTER, Cache, point_to, sync_folder
from sandbox.cache.errors import CacheError
from sandbox.cache.learned import Learned
from sandbox.cache.pack import Pack, write_pack

Progress = Callable[[str, int, int], None]
Pairs = Iterable[tuple[str, str]]
LOCK_WAIT_S = 5.0


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """The only builder of a cache: a scratch folder in it, removed at the end; what a killed one left goes first.

    Raises:
        CacheError: somebody else is building.
    """
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
    point_to(folder, name)


def create(folder: Path) -> None:
    """An empty cache; one that is there stays as it is."""
    if (folder / POINTER).exists():
        return
    with building(folder) as scratch:
        if not (folder / POINTER).exists():
            Learned(folder).close()
            switch_to(folder, scratch / "pack", write_pack(scratch / "pack", ()), 0)


def fold(folder: Path, progress: Progress) -> bool:
    """A new pack of the current one and all that was learned since; False where there is nothing to do.

    What was learned stays beside it, so that sessions over an older state keep their hits.
    """
    with building(folder) as scratch, closing(Cache.open(folder)) as cache:
        upto, learned = cache.state.learned_upto, cache.learned_pairs()
        if not learned and cache.pack.is_current:
            return False
        digest = write_pack(scratch / "pack", merged(cache.pack, learned, progress), learned_from=upto)
        switch_to(folder, scratch / "pack", digest, upto)
    return True


def merged(
    pack: Pack, added: Mapping[str, Mapping[str, str]], progress: Progress, *, added_wins: bool = False
) -> Iterator[tuple[str, Pairs]]:
    """The tools of a pack with what is added to them; of two answers to a call the pack's, or the added one."""
    for tool in sorted({*pack.counts, *added}):
        old, new = pack.pairs(tool), sorted(added.get(tool, {}).items())
        both = (new, old) if added_wins else (old, new)
        total = pack.counts.get(tool, 0) + len(new)
        yield tool, counted(_first_of_each(merge(*both, key=itemgetter(0))), tool, total, progress)


def _first_of_each(pairs: Pairs) -> Iterator[tuple[str, str]]:
    """`merge` is stable: of equal keys the one of the first source comes first."""
    return (next(group) for _, group in groupby(pairs, key=itemgetter(0)))


def counted(pairs: Pairs, tool: str, total: int, progress: Progress) -> Iterator[tuple[str, str]]:
    """The same pairs, with progress told every thousand and at the end."""
    done = 0
    for done, pair in enumerate(pairs, 1):
        if done % 1000 == 0:
            progress(tool, done, total)
        yield pair
    progress(tool, done, done)
