"""What the store of packs holds, and its bytes where the database itself is the store."""

from __future__ import annotations

from django.db import models

from sandbox.filestore import FileFigures


class StoredFile(models.Model):
    """A file below the data folder that the store holds too. name: its path there, with `/`. digest: SHA-256, hex."""

    name = models.CharField(max_length=400, unique=True)
    digest = models.CharField(max_length=64, db_index=True)
    size = models.BigIntegerField(help_text="Bytes")
    stored_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def figures(self) -> FileFigures:
        return FileFigures(self.digest, self.size)


class FilePiece(models.Model):
    """A piece of the bytes under a digest, from 0 on; all but the last have `sandbox.filestore.PIECE` bytes."""

    digest = models.CharField(max_length=64)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["digest", "number"], name="one_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.digest[:12]} {self.number}"
