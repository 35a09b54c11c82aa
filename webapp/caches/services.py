"""Writing caches. The folder on disk is the truth; the row follows it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from sandbox.cache import ImportReport, create, export_published, fold, import_published, pack_digests, prune
from sandbox.retrieval import IndexKind, build_indexes, keep_indexes
from sandbox.toolbox.refresh import RefreshReport, refresh
from sandbox.tools.language import Language
from webapp.caches import parts
from webapp.caches.models import ToolCache
from webapp.catalogue.models import World
from webapp.sessions.models import ENDED, Event

YOUNG_S = 3600.0
SLUG = re.compile(r"[A-Za-z0-9_-]{1,60}")
Progress = Callable[[str, int, int], None]


def create_cache(*, name: str) -> ToolCache:
    """An empty cache; one of this name stays as it is."""
    cache, _ = ToolCache.objects.get_or_create(name=name)
    create(cache.folder)
    return follow(cache)


def import_cache(*, name: str, source: Path, merge: bool, progress: Progress) -> ImportReport:
    """Read a published directory into a cache, new or known; nothing changes unless all of it is right.

    Raises:
        CacheError: something in the directory is wrong; the message says what and where.
        ValueError: no such name can be given to a cache.
    """
    cache = ToolCache.objects.filter(name=name).first() or ToolCache(name=name)
    if not SLUG.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a cache; use letters, digits, - and _, at most 60")
    report = import_published(source, cache.folder, progress, merge=merge)
    cache.source = str(source.resolve())[:400]
    cache.save()
    follow(cache)
    return report


def export_cache(*, cache: ToolCache, target: Path, overwrite: bool, progress: Progress) -> Mapping[str, int]:
    """Write a cache as a published directory; the entries written, by tool."""
    return export_published(parts.open_cache(cache.name), target, progress, overwrite=overwrite)


def index_cache(
    *,
    name: str,
    embedder: parts.EmbedderName = "fields",
    kind: IndexKind = "exact",
    progress: Progress = lambda label, done, total: None,
) -> str:
    """Fold what was learned into the pack, and build its index; in words, what was done."""
    cache = ToolCache.objects.get(name=name)
    fold(cache.folder, progress)
    _drop_old_packs(cache)
    follow(cache)
    handle = parts.open_cache(name)
    chosen = parts.embedder_named(embedder)
    report = build_indexes(handle.pack, parts.index_folder(name), chosen, kind=kind, progress=progress)
    return f"{report}; {kind}, by {chosen.id}"


def _drop_old_packs(cache: ToolCache) -> None:
    """Keep the current pack, those of unfinished sessions, and young ones that a session may be about to name."""
    unfinished = Event.objects.filter(session__cache=cache, seq=1).exclude(session__status__in=ENDED)
    named = {payload["sandbox"]["pack"] for payload in unfinished.values_list("payload", flat=True)}
    since = time.time() - YOUNG_S
    young = {path.name for path in cache.folder.glob("pack-*.sqlite3") if path.stat().st_mtime > since}
    if prune(cache.folder, named | young):
        keep_indexes(parts.index_folder(cache.name), pack_digests(cache.folder))


def refresh_cache(
    *, cache: ToolCache, world: World, language: Language, told: Callable[[int, int], None]
) -> RefreshReport:
    """Ask the live services, and a world for what they do not offer, every missed call."""
    report = refresh(parts.open_cache(cache.name), parts.live_backend(world.pack), language, told)
    follow(cache)
    return report


def follow(cache: ToolCache) -> ToolCache:
    """Bring a row up to what is on disk."""
    handle = parts.open_cache(cache.name)
    cache.digest, cache.counts = handle.state.digest, dict(handle.counts)
    cache.save()
    return cache
