"""Open packs: one read-only handle a thread and file, so that no lock is shared between sessions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite
from sandbox.filestore import WrongFile
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError, open_world
from webapp.catalogue.models import World, worlds_folder
from webapp.files import services as files

_local = threading.local()
_for_scores: dict[tuple[str, str], Any] = {}
_MAX_OPEN_PACKS = 4
PLACES = ".places.json"
"""The end of the name of a file of places that came with run records, and that is no world."""


def pack_path(file_name: str) -> Path:
    """Where the pack, or the file of places, of this name lies on this host, fetched if a store has it.

    Raises:
        sandbox.worlds.WorldError: the store lacks it, or its copy is wrong.
        sandbox.filestore.StoreAway: the store can't be reached just now, or the disk is full.
    """
    path = worlds_folder() / file_name
    try:
        files.bring(path)
    except WrongFile as error:
        raise WorldError(str(error)) from error
    return path


def store_worlds(*, again: bool) -> Iterator[str]:
    """Store all packs and files of places of this host; their names below the data folder.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    folder = worlds_folder()
    for path in sorted([*folder.glob("[!.]*.sqlite3"), *folder.glob(f"[!.]*{PLACES}")]):
        files.keep(path, again=again)
        yield files.name_of(path)


def open_pack(file_name: str) -> Pack:
    """The pack of this file name under worlds/.

    Raises:
        sandbox.worlds.WorldError: the file is missing or is no pack.
        sandbox.filestore.StoreAway: as `pack_path` has it.
    """
    handles: dict[str, Pack] = _local.__dict__.setdefault("handles", {})
    if file_name not in handles:
        if len(handles) >= _MAX_OPEN_PACKS:
            handles.pop(next(iter(handles))).close()
        handles[file_name] = open_world(pack_path(file_name))
    return handles[file_name]


def pack_of(world: World) -> Pack:
    """The pack that a world points to now."""
    return open_pack(world.pack)


def _for(suite: AnySuite, file_name: str) -> Any:
    if not file_name:  # of an imported session, where scores need no world
        return None
    if suite.records is not None and suite.records.places is not None and file_name.endswith(PLACES):
        return suite.records.places(pack_path(file_name))
    return suite.scoring.world(open_pack(file_name))


def pack_for_scores(suite: str, file_name: str) -> Any:
    """What the scores of a benchmark need of a pack, or of a file of places; shared by the threads of a process."""
    key = (suite, file_name)
    if key not in _for_scores:
        while len(_for_scores) >= _MAX_OPEN_PACKS:
            _for_scores.pop(next(iter(_for_scores)))
        _for_scores[key] = _for(suite_named(suite), file_name)
    return _for_scores[key]
