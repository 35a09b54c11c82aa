"""Open packs: one read-only handle a thread and file, so that no lock is shared between sessions."""

from __future__ import annotations

import threading
from typing import Any

from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite
from sandbox.worlds import World as Pack
from sandbox.worlds import open_world
from webapp.catalogue.models import World, worlds_folder

_local = threading.local()
_for_scores: dict[tuple[str, str], Any] = {}
_MAX_OPEN_PACKS = 4
PLACES = ".places.json"
"""The end of the name of a file of places that came with run records, and that is no world."""


def open_pack(file_name: str) -> Pack:
    """The pack of this file name under worlds/.

    Raises:
        sandbox.worlds.WorldError: the file is missing or is no pack.
    """
    handles: dict[str, Pack] = _local.__dict__.setdefault("handles", {})
    if file_name not in handles:
        if len(handles) >= _MAX_OPEN_PACKS:
            handles.pop(next(iter(handles))).close()
        handles[file_name] = open_world(worlds_folder() / file_name)
    return handles[file_name]


def pack_of(world: World) -> Pack:
    """The pack that a world points to now."""
    return open_pack(world.pack)


def _for(suite: AnySuite, file_name: str) -> Any:
    if not file_name:  # of an imported session, where scores need no world
        return None
    if suite.records is not None and suite.records.places is not None and file_name.endswith(PLACES):
        return suite.records.places(worlds_folder() / file_name)
    return suite.scoring.world(open_pack(file_name))


def pack_for_scores(suite: str, file_name: str) -> Any:
    """What the scores of a benchmark need of a pack, or of a file of places; shared by the threads of a process."""
    key = (suite, file_name)
    if key not in _for_scores:
        while len(_for_scores) >= _MAX_OPEN_PACKS:
            _for_scores.pop(next(iter(_for_scores)))
        _for_scores[key] = _for(suite_named(suite), file_name)
    return _for_scores[key]
