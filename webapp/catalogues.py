"""The words of other languages, `locale/*/LC_MESSAGES/*.po`, and how they are compiled: without a gettext binary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polib

from benchmark.outputs import open_output

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
    made = source.with_suffix(".mo")
    with open_output(made) as file:  # another process reads the old file or the new one, never a part
        file.write(polib.pofile(str(source)).to_binary())
    made.chmod(0o644)
