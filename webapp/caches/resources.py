"""The parts of a sandbox that the threads of a process share, and this thread's handles of caches."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from django.conf import settings
from django.utils.translation import gettext as _

from sandbox.backends import Backend, CombinedBackend, WorldBackend
from sandbox.cache import Cache, CacheError, CacheState
from sandbox.retrieval import Embedder, FieldsEmbedder, Indexes, IndexKind, IndexMissing, open_indexes
from sandbox.simulation import Simulator
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET
from webapp.caches import travel
from webapp.caches.models import caches_folder, index_folder
from webapp.catalogue.packs import open_pack
from webapp.forms import ChoiceRefused

if TYPE_CHECKING:
    from sandbox.backends.amap import AmapBackend
    from sandbox.retrieval.endpoint import EndpointEmbedder

EmbedderName = Literal["fields", "endpoint"]

_MAX_OPEN_CACHES = 4
_local = threading.local()
_indexes: dict[tuple[Path, str, str, IndexKind], Indexes] = {}
_indexes_lock = threading.Lock()


class NotConfigured(ChoiceRefused):
    """A part that the environment does not set up, or not as it was."""


def open_cache(name: str, state: CacheState | None = None) -> Cache:
    """This thread's handle of a cache: as it was in `state`, else as it is now.

    Raises:
        sandbox.cache.CacheError: there is no such cache, a file of it is damaged, or another host has learned what
            the state counts.
        sandbox.filestore.StoreAway: this host lacks its pack, and the store can't be reached just now.
    """
    travel.bring_pack(name, state)
    handles: dict[tuple[Path, CacheState | None], Cache] = _local.__dict__.setdefault("handles", {})
    folder = caches_folder() / name
    handle = handles.pop((folder, state), None)
    if handle is not None and state is None and handle.outdated:
        handle.close()
        handle = None
    if handle is None:
        handle = Cache.open(folder, state)
        if travel.in_use() and handle.lacks_learned:
            handle.close()
            raise CacheError(
                f"cache {name} has learned answers on another host that its pack lacks; run manage.py cache index "
                f"{name} there, and start anew"
            )
    while len(handles) >= _MAX_OPEN_CACHES:
        handles.pop(next(iter(handles))).close()
    handles[folder, state] = handle
    return handle


def indexes_of(name: str, digest: str, embedder: Embedder, kind: IndexKind) -> Indexes:
    """The indexes of a cache's pack, shared by the threads of this process; the last few are kept.

    Raises:
        sandbox.retrieval.IndexMissing: they are not built, or by another embedder.
    """
    key = (index_folder(name), digest, embedder.id, kind)
    with _indexes_lock:
        indexes = _indexes.pop(key, None)
        if indexes is None:
            travel.bring_indexes(name, digest, embedder.id, kind)
            indexes = open_indexes(key[0], digest, embedder, kind)
        while len(_indexes) >= _MAX_OPEN_CACHES:
            _indexes.pop(next(iter(_indexes)))
        _indexes[key] = indexes
    return indexes


def indexes_with(name: str, digest: str, embedder_id: str, kind: IndexKind) -> Indexes:
    """The same by the id of the embedder; an endpoint may have to be asked what it is.

    Raises:
        NotConfigured: this process has another embedder.
        sandbox.retrieval.IndexMissing, sandbox.retrieval.EmbeddingFailed: as above; the endpoint is away.
    """
    return indexes_of(name, digest, embedder_with(embedder_id), kind)


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Whether a pack is indexed. problem: why not, else empty."""

    embedder: str
    kind: IndexKind
    problem: str = ""


def index_statuses(name: str, digest: str) -> list[IndexStatus]:
    """How the current pack is indexed by the built-in embedder, and whatever else is there."""
    return [status for kind in ("exact", "approximate") if (status := _status(name, digest, kind))]


def _status(name: str, digest: str, kind: IndexKind) -> IndexStatus | None:
    embedder = fields_embedder()
    try:
        travel.bring_indexes(name, digest, embedder.id, kind)
        open_indexes(index_folder(name), digest, embedder, kind)
    except IndexMissing as error:
        return IndexStatus(embedder.id, kind, str(error)) if kind == "exact" else None
    return IndexStatus(embedder.id, kind)


@lru_cache(maxsize=1)
def fields_embedder() -> FieldsEmbedder:
    """The built-in embedder."""
    return FieldsEmbedder()


@lru_cache(maxsize=1)
def _endpoint_embedder(**given: Any) -> EndpointEmbedder:
    from sandbox.retrieval.endpoint import EndpointEmbedder, EndpointSettings

    return EndpointEmbedder(EndpointSettings(**given))


def endpoint_embedder() -> EndpointEmbedder | None:
    """The embedder behind the endpoint; None where none is set up.

    Raises:
        NotConfigured: the environment names it wrongly.
    """
    given = settings.CARAVAN_EMBEDDINGS
    if not (given["url"] and given["model"]):
        return None
    try:
        return _endpoint_embedder(**given)
    except ValueError as error:
        raise NotConfigured(f"CARAVAN_EMBEDDINGS_*: {error}", "embedder") from error


def embedder_named(name: EmbedderName) -> Embedder:
    """An embedder by the name that researchers choose it by.

    Raises:
        NotConfigured: the environment names no endpoint, or names it wrongly.
    """
    if name == "fields":
        return fields_embedder()
    chosen = endpoint_embedder()
    if chosen is None:
        raise NotConfigured(
            _("No embeddings endpoint is set up: set CARAVAN_EMBEDDINGS_URL and CARAVAN_EMBEDDINGS_MODEL."),
            "embedder",
        )
    return chosen


def embedder_with(id_: str) -> Embedder:
    """The embedder of that id.

    Raises:
        NotConfigured: this process is set up with another one; vectors of two are never compared.
    """
    if id_ == fields_embedder().id:
        return fields_embedder()
    chosen = embedder_named("endpoint")
    if chosen.id != id_:
        raise NotConfigured(
            _("The session needs embedder %(wanted)s, but this process uses %(here)s.")
            % {"wanted": id_, "here": chosen.id},
            "embedder",
        )
    return chosen


def simulator_with(id_: str, simulator: Simulator) -> Simulator:
    """The simulator of that id, which this one has to be.

    Raises:
        NotConfigured: this version has another one.
    """
    if simulator.id != id_:
        raise NotConfigured(
            _("The session needs simulator %(wanted)s, but this process uses %(here)s.")
            % {"wanted": id_, "here": simulator.id},
            "simulator_model",
        )
    return simulator


@lru_cache(maxsize=1)
def _amap() -> AmapBackend | None:
    """One a process, since it counts requests; through Redis all processes count together."""
    from sandbox.backends.amap import amap_from_environment  # and with it an HTTP client, for online sessions

    try:
        return amap_from_environment(os.environ, storage_uri=settings.COUNTERS_URI)
    except ValueError as error:
        raise NotConfigured(str(error), "mode") from error


def live_backend(world_pack: str, toolset: str = DEFAULT_TOOLSET) -> Backend:
    """AMap where a key is set and it knows the toolset, a world for everything else; the handle is this thread's.

    Raises:
        NotConfigured: a CARAVAN_AMAP_* variable is wrong.
        sandbox.worlds.WorldError: the pack can't be opened.
    """
    world, amap = WorldBackend(open_pack(world_pack), toolset_named(toolset)), _amap()
    return CombinedBackend(amap, world) if amap and amap.toolset == toolset else world
