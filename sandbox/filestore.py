"""A store of files that never change, each under the SHA-256 of its bytes, for hosts without a shared disk.

A file that is fetched is written aside, checked, and put in its place by one rename.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from filelock import FileLock

PIECE = 1024 * 1024
"""Bytes that are read and written at once."""


class WrongFile(Exception):
    """The store has no such file, or what it has is not what was stored."""


class StoreAway(Exception):
    """The store can't be reached, or the disk takes nothing: it may work later."""


@dataclass(frozen=True, slots=True)
class FileFigures:
    """digest: SHA-256 of the bytes, 64 hex digits. size: bytes."""

    digest: str
    size: int


class FileStore(Protocol):
    """Where the bytes are. Each method raises StoreAway where the store can't be reached."""

    def size(self, digest: str) -> int | None:
        """The bytes that it has under a digest; None for none at all."""

    def write(self, digest: str, path: Path) -> None:
        """Store a file; nobody reads half of it under this digest."""

    def read(self, digest: str) -> Iterator[bytes]:
        """The bytes under a digest, piece by piece; WrongFile where there are none."""

    def remove(self, digest: str) -> None:
        """Forget what is under a digest, if anything is."""


class FsspecStore:
    """A folder, a bucket, or whatever else a package for fsspec reaches."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _place(self) -> tuple[Any, str]:
        """The file system and the folder in it.

        Raises:
            ValueError: the address names none, or its package is not installed.
        """
        from fsspec.core import url_to_fs  # late: few processes fetch anything

        try:
            system, folder = url_to_fs(self._url)
        except (ValueError, ImportError) as error:
            raise ValueError(f"the address of the store, {self._plain_url}: {error}") from error
        return system, folder.rstrip("/")

    @property
    def _plain_url(self) -> str:
        """Its address without a password that may stand in it."""
        scheme, _, rest = self._url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    def _path(self, digest: str) -> str:
        return f"{self._place[1]}/{digest[:2]}/{digest}"

    def _outage(self, error: Exception) -> StoreAway:
        return StoreAway(f"the store {self._plain_url} fails: {type(error).__name__}: {error}")

    def size(self, digest: str) -> int | None:
        system, path = self._place[0], self._path(digest)
        try:
            system.invalidate_cache()  # other hosts write there
            return int(system.info(path)["size"])
        except FileNotFoundError:
            return None
        except Exception as error:  # each file system has errors of its own
            raise self._outage(error) from error

    def write(self, digest: str, path: Path) -> None:
        system, target = self._place[0], self._path(digest)
        draft = f"{target}.{uuid4().hex}.part"
        try:
            system.makedirs(target.rpartition("/")[0], exist_ok=True)
            system.put_file(str(path), draft)
            system.mv(draft, target)
        except Exception as error:
            with suppress(Exception):
                system.rm_file(draft)
            raise self._outage(error) from error

    def read(self, digest: str) -> Iterator[bytes]:
        system, path = self._place[0], self._path(digest)
        try:
            with system.open(path, "rb") as file:
                while piece := file.read(PIECE):
                    yield piece
        except FileNotFoundError as error:
            raise WrongFile(f"the store {self._plain_url} has no file {digest}") from error
        except Exception as error:
            raise self._outage(error) from error

    def remove(self, digest: str) -> None:
        system, path = self._place[0], self._path(digest)
        try:
            system.rm_file(path)
        except FileNotFoundError:
            return
        except Exception as error:
            raise self._outage(error) from error


def figures_of(path: Path) -> FileFigures:
    """The figures of a file on this disk.

    Raises:
        OSError: it can't be read.
    """
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    return FileFigures(digest.hexdigest(), size)


def put(store: FileStore, path: Path, *, again: bool = False) -> FileFigures:
    """Store a file, unless it is there in its whole length. again: even then.

    Raises:
        StoreAway: the store can't be reached.
        OSError: the file can't be read.
    """
    figures = figures_of(path)
    if again or store.size(figures.digest) != figures.size:
        store.write(figures.digest, path)
    return figures


def check(store: FileStore, figures: FileFigures) -> None:
    """Read what the store has under a digest.

    Raises:
        WrongFile: it is not what was stored.
        StoreAway: the store can't be reached.
    """
    for _ in checked_pieces(store, figures):
        pass


def fetch(store: FileStore, figures: FileFigures, target: Path, *, replace: bool = False) -> None:
    """Bring a file to this disk, unless it is there; of several processes one does it, and the others wait.

    replace: fetch it though a file is there, unless that one is right.

    Raises:
        WrongFile: the store lacks it, or has other bytes; nothing is in its place then.
        StoreAway: the store can't be reached, or this disk takes nothing.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_name(f".{target.name}.lock")):
            if target.exists() and not (replace and figures_of(target) != figures):
                return
            for left in target.parent.glob(
                f".{glob.escape(target.name)}.*.part"
            ):  # of a process that was killed
                left.unlink()
            _write_checked(store, figures, target)
    except OSError as error:
        raise StoreAway(f"{target} can't be written: {error.strerror or error}") from error


def _write_checked(store: FileStore, figures: FileFigures, target: Path) -> None:
    draft = target.with_name(f".{target.name}.{uuid4().hex}.part")
    try:
        with draft.open("xb") as file:
            for piece in checked_pieces(store, figures):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def checked_pieces(store: FileStore, figures: FileFigures) -> Iterator[bytes]:
    """The bytes of a file, piece by piece; whoever takes them all is told if they are wrong.

    Raises:
        WrongFile: the store lacks it, or has other bytes.
        StoreAway: the store can't be reached.
    """
    digest, size = hashlib.sha256(), 0
    for piece in store.read(figures.digest):
        digest.update(piece)
        size += len(piece)
        yield piece
    if (digest.hexdigest(), size) != (figures.digest, figures.size):
        raise WrongFile(
            f"the store has {size:,} bytes with the SHA-256 {digest.hexdigest()[:12]}…, but {figures.size:,} bytes "
            f"with {figures.digest[:12]}… were stored"
        )
