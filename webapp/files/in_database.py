"""The database as a store of packs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Sum
from django.db.models.functions import Length

from sandbox.filestore import PIECE, StoreAway, WrongFile
from webapp.files.models import FilePiece

_ERRORS = (OperationalError, InterfaceError)


class DatabaseStore:
    """Pieces of a megabyte, one a row. A file whose storing was broken off is gone on with."""

    def size(self, digest: str) -> int | None:
        try:
            counted = FilePiece.objects.filter(digest=digest).aggregate(bytes=Sum(Length("data")))
        except _ERRORS as error:
            raise StoreAway(f"the database fails: {error}") from error
        size: int | None = counted["bytes"]
        return size

    def write(self, digest: str, path: Path) -> None:
        """Pieces that differ from the file's are replaced; each is a transaction of its own."""
        try:
            with path.open("rb") as file:
                number = 0
                while data := file.read(PIECE):
                    FilePiece.objects.update_or_create(digest=digest, number=number, defaults={"data": data})
                    number += 1
            FilePiece.objects.filter(digest=digest, number__gte=number).delete()
        except _ERRORS as error:
            raise StoreAway(f"the database fails: {error}") from error

    def read(self, digest: str) -> Iterator[bytes]:
        pieces = FilePiece.objects.filter(digest=digest)
        try:
            count = pieces.count()
            if not count:
                raise WrongFile(f"the database has no file {digest}")
            for number in range(count):
                piece = pieces.filter(number=number).values_list("data", flat=True).first()
                if piece is None:
                    raise WrongFile(f"the database lacks piece {number} of file {digest}")
                yield bytes(piece)
        except _ERRORS as error:
            raise StoreAway(f"the database fails: {error}") from error

    def remove(self, digest: str) -> None:
        try:
            with transaction.atomic():
                FilePiece.objects.filter(digest=digest).delete()
        except _ERRORS as error:
            raise StoreAway(f"the database fails: {error}") from error
