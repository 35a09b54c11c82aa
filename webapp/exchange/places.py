"""Files of places that come with run records, kept beside the worlds."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from benchmark.outputs import open_output
from webapp.catalogue.models import worlds_folder
from webapp.catalogue.packs import PLACES
from webapp.exchange.imports import Choice
from webapp.files import services as files

_READ_AT_ONCE = 1024 * 1024


def keep_places(path: Path, choice: Choice) -> str:
    """Keep a copy of a file of places for scores; its name, which follows from its content.

    Raises:
        ValueError: the benchmark can't read it, or its records can't be imported.
        OSError: it can't be read or written.
    """
    if choice.records.places is None:
        raise ValueError(f"{path}: scores of {choice.suite} look up no places; leave the catalogue out")
    choice.records.places(path)
    name = f"{_digest(path)}{PLACES}"
    kept = worlds_folder() / name
    if not kept.exists():
        with path.open("rb") as source, open_output(kept) as copy:
            shutil.copyfileobj(source, copy)
    files.keep(kept)
    return name


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_READ_AT_ONCE):
            digest.update(piece)
    return digest.hexdigest()[:16]
