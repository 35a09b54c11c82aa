"""The words of other languages, `locale/*/LC_MESSAGES/*.po`, and how they are compiled: without a gettext binary."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def compile_catalogues(folder: Path = LOCALE) -> int:
    """Write the .mo file of each .po file that is newer than it; how many were written."""
    stale = list(_stale(folder))
    for source in stale:
        _write(source)
    return len(stale)


def _stale(folder: Path) -> Iterator[Path]:
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        made = source.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime_ns < source.stat().st_mtime_ns:
            yield source


def _write(source: Path) -> None:
    """Beside its place and then into it: another process reads the old file or the new one, never a part."""
    handle, name = tempfile.mkstemp(dir=source.parent, prefix=source.stem, suffix=".part")
    os.close(handle)
    made = Path(name)
    try:
        polib.pofile(str(source)).save_as_mofile(str(made))
        made.chmod(0o644)
        made.replace(source.with_suffix(".mo"))
    finally:
        made.unlink(missing_ok=True)
