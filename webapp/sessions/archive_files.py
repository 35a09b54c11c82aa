"""Archives of ended sessions: what their tools answered, most of a log, lies in one compressed file a session.

The rows of the log stay, so that everything is counted and found as before; in place of a payload that was moved a
row names the file, and whoever reads the row gets the payload. Its SHA-256 is compared when the file is read.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings

from sandbox.filestore import StoreAway, WrongFile
from webapp.fields import OrderedJSONField
from webapp.files import services as files

FOLDER = "archives"
KEY = "@archive"
"""The one key of what stands in place of a payload: session, number and SHA-256, with `/` between them."""
KEPT_FILES = 16
"""Files that a process keeps as it has read them: a page reads all payloads of a session one after the other."""


class BrokenArchive(WrongFile):
    """The file of an archived session is missing, or is not the one that was written."""


def archive_path(session_id: str) -> Path:
    """Where the file of a session lies on this host."""
    return Path(settings.CARAVAN_DATA) / FOLDER / session_id[-2:] / f"{session_id}.jsonl.xz"


def placeholder(session_id: str, seq: int, digest: str) -> dict[str, str]:
    """What stands in place of the payload of an event."""
    return {KEY: f"{session_id}/{seq}/{digest}"}


def write_archive(session_id: str, payloads: dict[int, Any]) -> str:
    """Write the payloads of a session by their numbers; gives the SHA-256 (hex) of the file.

    Where there is a store it alone keeps the file, so that what is removed from there is on no host.

    Raises:
        sandbox.filestore.StoreAway: it can't be written, or other hosts could not fetch it.
    """
    lines = (
        json.dumps({"seq": seq, "payload": payload}, ensure_ascii=True) for seq, payload in payloads.items()
    )
    data = lzma.compress("".join(f"{line}\n" for line in lines).encode())
    path = archive_path(session_id)
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    except OSError as error:
        raise StoreAway(f"{path} can't be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            draft.unlink()
    files.keep(path)
    if files.in_use():
        path.unlink()
    return hashlib.sha256(data).hexdigest()


def remove_archive(session_id: str) -> None:
    """Remove the file of a session, here and from the store."""
    path = archive_path(session_id)
    path.unlink(missing_ok=True)
    with suppress(OSError):  # others are in it
        path.parent.rmdir()
    files.forget([path])


def read_archive(session_id: str, digest: str) -> dict[int, Any]:
    """The payloads of a session by their numbers.

    Raises:
        BrokenArchive: the file is not there, or another one than was written.
        sandbox.filestore.StoreAway: the store can't be reached just now.
    """
    return _read(archive_path(session_id), digest)


@lru_cache(maxsize=KEPT_FILES)
def _read(path: Path, digest: str) -> dict[int, Any]:
    try:
        data = files.read(path)
    except (WrongFile, FileNotFoundError) as error:
        raise BrokenArchive(f"{path} is not there: bring it back from a backup of CARAVAN_DATA") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise BrokenArchive(f"{path} is not what was archived: bring it back from a backup of CARAVAN_DATA")
    return dict(_payloads(data))


def forget_read_archives() -> None:
    """Drop what this process has kept of files that it read."""
    _read.cache_clear()


def _payloads(data: bytes) -> Iterator[tuple[int, Any]]:
    for line in lzma.decompress(data).decode().splitlines():
        told = json.loads(line)
        yield told["seq"], told["payload"]


class PayloadField(OrderedJSONField):
    """The payload of an event, wherever it lies."""

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        payload = super().from_db_value(value, expression, connection)
        if isinstance(payload, dict) and payload.keys() == {KEY}:
            session_id, seq, digest = payload[KEY].split("/")
            return read_archive(session_id, digest)[int(seq)]
        return payload
