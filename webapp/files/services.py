"""Packs to the store and from it. Where no store is set up nothing here does anything: the data folder is all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from sandbox.filestore import FileFigures, FileStore, FsspecStore, WrongFile, checked_pieces, fetch, put
from webapp.files.in_database import DatabaseStore
from webapp.files.models import StoredFile

IN_DATABASE = "database"
"""What names the database as the store."""


def in_use() -> bool:
    """Whether the installation has a store of packs."""
    return bool(settings.CARAVAN_PACKS)


def store() -> FileStore:
    """The store that CARAVAN_PACKS names."""
    return _store(settings.CARAVAN_PACKS)


@lru_cache(maxsize=4)
def _store(named: str) -> FileStore:
    return DatabaseStore() if named == IN_DATABASE else FsspecStore(named)


def name_of(path: Path) -> str:
    """The name of a file below the data folder.

    Raises:
        ValueError: it is not below it.
    """
    return path.relative_to(settings.CARAVAN_DATA).as_posix()


def upload(path: Path, *, again: bool = False) -> FileFigures:
    """Put the bytes of a file into the store; `record` then makes them known.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    return put(store(), path, again=again)


def record(path: Path, figures: FileFigures) -> None:
    """Let other hosts find a file that is in the store."""
    given = {"digest": figures.digest, "size": figures.size}
    StoredFile.objects.update_or_create(name=name_of(path), defaults=given)


def keep(path: Path, *, again: bool = False) -> None:
    """Store a file for other hosts, if there is a store. again: though the store has it already.

    Raises:
        sandbox.filestore.StoreAway: the store can't be reached.
    """
    if in_use():
        record(path, upload(path, again=again))


def read(path: Path) -> bytes:
    """The bytes of a file, from the store if it is there, without leaving it on this host.

    Raises:
        sandbox.filestore.WrongFile: the store's copy is wrong.
        sandbox.filestore.StoreAway: the store can't be reached.
        FileNotFoundError: it is neither there nor here.
    """
    row = StoredFile.objects.filter(name=name_of(path)).first() if in_use() else None
    return b"".join(checked_pieces(store(), row.figures)) if row else path.read_bytes()


def bring(path: Path) -> None:
    """Fetch a file that this host lacks, if there is a store.

    Raises:
        sandbox.filestore.WrongFile: nobody has stored it, or the store's copy is wrong.
        sandbox.filestore.StoreAway: the store can't be reached, or the disk here takes nothing.
    """
    if not in_use() or path.exists():
        return
    row = StoredFile.objects.filter(name=name_of(path)).first()
    if row is None:
        raise WrongFile(
            f"{path} is neither here nor in the store; run manage.py packs store on a host that has it"
        )
    bring_row(row)


def bring_row(row: StoredFile, *, replace: bool = False) -> None:
    """The same of a row. replace: also where the file here is not the one that was stored."""
    path = Path(settings.CARAVAN_DATA) / row.name
    try:
        fetch(store(), row.figures, path, replace=replace)
    except WrongFile as error:
        raise WrongFile(
            f"{row.name} can't be fetched: {error}. Run manage.py packs store --again on a host that has it"
        ) from error


def forget(paths: Iterable[Path]) -> None:
    """Remove files from the store that no host needs any more, with all below those that are folders."""
    if not in_use():
        return
    for path in paths:
        name = name_of(path)
        rows = StoredFile.objects.filter(name=name) | StoredFile.objects.filter(name__startswith=f"{name}/")
        for row in rows:
            row.delete()
            if not StoredFile.objects.filter(digest=row.digest).exists():
                store().remove(row.digest)
