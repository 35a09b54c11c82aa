"""Writing caches. The folder on disk is the truth; the row follows it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from django.utils.translation import gettext as _

from sandbox.cache import (
    POINTER,
    Cache,
    CacheError,
    ImportReport,
    create,
    export_published,
    fold,
    import_published,
    pack_digests,
    prune,
)
from sandbox.retrieval import IndexKind, build_indexes, keep_indexes
from sandbox.retrieval.brought_vectors import TakenVectors, files_of_vectors, take_vectors
from sandbox.toolbox.online import RefreshReport, refresh
from sandbox.tools.language import Language
from sandbox.toolsets.base import DEFAULT_TOOLSET
from webapp.caches import resources, travel
from webapp.caches.choice import fill
from webapp.caches.jobs import INDEX
from webapp.caches.models import ToolCache, caches_folder, index_folder
from webapp.catalogue.models import World
from webapp.files import services as files
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job

YOUNG_S = 3600.0
SLUG = re.compile(r"[A-Za-z0-9_-]{1,60}")
Progress = Callable[[str, int, int], None]


def create_cache(*, name: str, language: Language = "zh") -> ToolCache:
    """An empty cache; what there is of one of this name stays as it is."""
    create(caches_folder() / name)
    cache, _ = ToolCache.objects.get_or_create(name=name, defaults={"language": language})
    return follow(cache)


def new_cache(*, name: str, language: Language) -> ToolCache:
    """An empty cache of a new name.

    Raises:
        ValueError: there is one of this name, or no such name can be given to a cache.
    """
    _check_name(name)
    if ToolCache.objects.filter(name=name).exists():
        raise ValueError(f"there is a cache “{name}” already; choose another name")
    return create_cache(name=name, language=language)


def import_cache(
    *,
    name: str,
    source: Path,
    progress: Progress,
    merge: bool = False,
    replace: bool = False,
    language: Language = "zh",
    toolset: str = DEFAULT_TOOLSET,
) -> ImportReport:
    """Read a published directory into a cache, new or known; nothing changes unless all of it is right.

    merge adds to what the cache holds, replace throws that away; a cache that holds something needs one of them.
    language: of a new cache's answers. toolset: whose tools the directory's files are of.

    Raises:
        CacheError: something in the directory is wrong; the message says what and where.
        ValueError: no such name can be given to a cache.
    """
    cache = ToolCache.objects.filter(name=name).first() or ToolCache(name=name, language=language)
    _check_name(name)
    if cache.pk and not (merge or replace) and (held := _entries(cache)):
        raise ValueError(f"cache “{name}” holds {held:,} entries; say --merge to add to them, or --replace")
    if cache.pk:
        travel.bring_pack(name)
    report = import_published(source, cache.folder, progress, merge=merge, toolset=toolset)
    cache.source = str(source.resolve())[:400]
    cache.filled_by = cache.filled_by if merge else ""
    cache.save()
    follow(cache)
    return report


def take_embeddings(*, name: str, source: Path, toolset: str, model: str = "") -> TakenVectors:
    """Keep the vectors that a published directory brings along, where they are those of the endpoint's model.

    model: of files that do not name theirs; "" for the published one. What was not read is told, and nothing else
    depends on it: an index embeds what has no vector.

    Raises:
        IndexMissing: another process is building, or the stored vectors are damaged.
        resources.NotConfigured: the environment names the endpoint wrongly.
    """
    files = files_of_vectors(source, toolset)
    if not files:
        return TakenVectors()
    return take_vectors(files, index_folder(name), resources.endpoint_embedder(), model)


def _check_name(name: str) -> None:
    if not SLUG.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a cache; use letters, digits, - and _, at most 60")


def _entries(cache: ToolCache) -> int:
    """0 for a cache that is damaged: an import mends it."""
    try:
        return sum(resources.open_cache(cache.name).counts.values())
    except CacheError:
        return 0


def export_cache(*, cache: ToolCache, target: Path, overwrite: bool, progress: Progress) -> Mapping[str, int]:
    """Write a cache as a published directory; the entries written, by tool."""
    return export_published(resources.open_cache(cache.name), target, progress, overwrite=overwrite)


def index_cache(
    *,
    name: str,
    embedder: resources.EmbedderName = "fields",
    kind: IndexKind = "exact",
    progress: Progress = lambda label, done, total: None,
) -> str:
    """Fold what was learned into the pack, and build its index; in words, what was done."""
    cache = ToolCache.objects.get(name=name)
    travel.bring_pack(name)
    fold(cache.folder, progress)
    _drop_old_packs(cache)
    follow(cache)
    handle = resources.open_cache(name)
    chosen = resources.embedder_named(embedder)
    report = build_indexes(handle.pack, index_folder(name), chosen, kind=kind, progress=progress)
    travel.keep_indexes_of(name, handle.state.digest, chosen.id)
    ToolCache.objects.filter(pk=cache.pk).update(indexing="")
    return f"{report}; {kind}, by {chosen.id}"


def request_index(name: str) -> None:
    """Have a worker index a cache."""
    row = ToolCache.objects.filter(name=name)
    row.update(indexing=_("A worker was asked to index this cache; reload in a moment."))
    if not jobs.enqueue(kind=INDEX, subject=name):
        row.update(
            indexing=_("No worker can be reached; one will index it later, or run manage.py cache index.")
        )


@retries(INDEX)
def _index_again(job: Job) -> None:
    request_index(job.subject)


def fail_index(name: str, problem: str) -> None:
    """Say on a cache's page why it is not indexed."""
    ToolCache.objects.filter(name=name).update(indexing=problem[:600])


def _drop_old_packs(cache: ToolCache) -> None:
    """Keep the current pack, those of unfinished sessions, and young ones that a session may be about to name."""
    unfinished = cache.sessions.filter(finished_at=None, events__seq=1)
    named = {payload["sandbox"]["pack"] for payload in unfinished.values_list("events__payload", flat=True)}
    since = time.time() - YOUNG_S
    young = {path.name for path in cache.folder.glob("pack-*.sqlite3") if path.stat().st_mtime > since}
    if gone := prune(cache.folder, named | young):
        keep_indexes(index_folder(cache.name), kept := pack_digests(cache.folder))
        files.forget(cache.folder / name for name in gone)
        digests = {name.removeprefix("pack-")[:12] for name in gone} - kept
        files.forget(index_folder(cache.name) / digest for digest in digests)


def refresh_cache(*, cache: ToolCache, world: World, progress: Callable[[int, int], None]) -> RefreshReport:
    """Ask the live services, and a world for what they do not offer, every missed call.

    Raises:
        ChoiceRefused: other services, or another world, filled the cache before.
    """
    backend = resources.live_backend(world.pack)
    fill(cache, backend.name, world)
    report = refresh(resources.open_cache(cache.name), backend, cache.answers_in, progress)
    follow(cache)
    return report


def store_caches(*, again: bool) -> Iterator[str]:
    """Store packs and indexes of the caches of this host; their names below the data folder.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    for cache in ToolCache.objects.all():
        with suppress(CacheError):  # what is damaged in the store is mended below
            travel.bring_pack(cache.name)
        if (cache.folder / POINTER).exists():
            follow(cache)
        paths = sorted([*cache.folder.glob("pack-*.sqlite3"), *index_folder(cache.name).glob("*/*/*.faiss")])
        for path in (*paths, *sorted(index_folder(cache.name).glob("*/*/*.json"))):
            files.keep(path, again=again)
            yield files.name_of(path)


def follow(cache: ToolCache) -> ToolCache:
    """Bring a row, and the store of packs, up to what is on this host."""
    with closing(Cache.open(cache.folder)) as handle:
        state, cache.counts = handle.state, dict(handle.counts)
    cache.digest = state.digest
    travel.keep_pack(cache, state.pack)
    cache.save(update_fields=["digest", "counts", "changed_at"])
    return cache
