"""Open packs: one read-only handle a thread and file, so that no lock is shared between sessions."""

from __future__ import annotations

import threading

from benchmark.suites.grouptravel.scoring import Catalogue
from sandbox.worlds import World as Pack
from sandbox.worlds import open_world
from webapp.catalogue.models import World, worlds_folder

_local = threading.local()
_catalogues: dict[str, Catalogue] = {}
_KEPT = 4


def open_pack(file_name: str) -> Pack:
    """The pack of this file name under worlds/.

    Raises:
        sandbox.worlds.WorldError: the file is missing or is no pack.
    """
    handles: dict[str, Pack] = _local.__dict__.setdefault("handles", {})
    if file_name not in handles:
        if len(handles) >= _KEPT:
            handles.pop(next(iter(handles))).close()
        handles[file_name] = open_world(worlds_folder() / file_name)
    return handles[file_name]


def pack_of(world: World) -> Pack:
    """The pack that a world points to now."""
    return open_pack(world.pack)


def catalogue_of(file_name: str) -> Catalogue:
    """The scoring catalogue of a pack; read-only once made, and shared by the threads of a process."""
    if file_name not in _catalogues:
        while len(_catalogues) >= _KEPT:
            _catalogues.pop(next(iter(_catalogues)))
        _catalogues[file_name] = Catalogue(open_pack(file_name).catalogue())
    return _catalogues[file_name]
