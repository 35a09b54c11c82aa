"""Packs and indexes of caches on their way to hosts without a shared disk.

What a cache learns stays on the host that learned it until it is indexed there: then it is in a pack.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from django.db import transaction

from sandbox.cache import CacheError, CacheState, point_to, pointer
from sandbox.filestore import WrongFile
from sandbox.retrieval import IndexKind, IndexMissing, place_of, read_manifest
from webapp.caches.models import ToolCache, caches_folder, index_folder
from webapp.files import services as files
from webapp.files.models import StoredFile
from webapp.files.services import in_use

__all__ = ["bring_indexes", "bring_pack", "in_use", "keep_indexes_of", "keep_pack"]


def keep_pack(cache: ToolCache, pack: str) -> None:
    """Make a pack that is here the current one on all hosts; the row is saved with it.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    cache.pack = pack
    if not in_use():
        cache.save(update_fields=["pack"])
        return
    path = cache.folder / pack
    figures = files.upload(path)
    with transaction.atomic():  # a host that finds its own pack among the stored ones goes by the row
        files.record(path, figures)
        cache.save(update_fields=["pack"])


def bring_pack(name: str, state: CacheState | None = None) -> None:
    """Fetch the pack of a state, else the current one, if this host lacks it.

    Raises:
        CacheError: the store lacks it, or its copy is wrong.
        sandbox.filestore.StoreAway: the store can't be reached, or the disk here is full.
    """
    if not in_use():
        return
    folder = caches_folder() / name
    wanted = state.pack if state else _current_elsewhere(name, folder)
    if not wanted:
        return
    try:
        files.bring(folder / wanted)
    except WrongFile as error:
        raise CacheError(str(error)) from error
    if state is None:
        point_to(folder, wanted)


def _current_elsewhere(name: str, folder: Path) -> str:
    """The pack that another host made the current one; "" where that is the one here, or the one here is newer."""
    wanted: str = ToolCache.objects.filter(name=name).values_list("pack", flat=True).first() or ""
    here = ""
    with suppress(CacheError):
        here = pointer(folder)
    if here == wanted or (here and not StoredFile.objects.filter(name=files.name_of(folder / here)).exists()):
        return ""
    return wanted


def keep_indexes_of(name: str, digest: str, embedder_id: str) -> None:
    """Store what was built of a pack by an embedder, for other hosts.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    place = place_of(index_folder(name), digest, embedder_id)
    for path in (*place.glob("*.faiss"), *place.glob("*.json")) if in_use() else ():
        files.keep(path)


def bring_indexes(name: str, digest: str, embedder_id: str, kind: IndexKind) -> None:
    """Fetch the indexes of a pack, if this host has none and another one has stored some.

    Raises:
        IndexMissing: the store's copy of a file is wrong.
        sandbox.filestore.StoreAway: the store can't be reached, or the disk here is full.
    """
    place = place_of(index_folder(name), digest, embedder_id)
    if not in_use() or read_manifest(place, kind) is not None:
        return
    rows = StoredFile.objects.filter(name__startswith=f"{files.name_of(place)}/")
    try:
        for row in sorted(
            rows, key=lambda row: row.name.endswith(".json")
        ):  # what says that they are built is last
            files.bring_row(row)
    except WrongFile as error:
        raise IndexMissing(str(error)) from error
