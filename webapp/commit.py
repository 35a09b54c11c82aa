"""Which version of the code this is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def commit() -> str:
    """The commit that the code was checked out at; "" where it is no checkout of git."""
    try:
        return _read(Path(settings.BASE_DIR) / ".git")
    except OSError:
        return ""


def _read(place: Path) -> str:
    if place.is_file():  # of a worktree: it names the folder
        place = place.parent / place.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
    head = (place / "HEAD").read_text(encoding="utf-8").strip()
    name = head.removeprefix("ref:").strip()
    if name == head:
        return head
    shared = place / "commondir"
    common = place / shared.read_text(encoding="utf-8").strip() if shared.is_file() else place
    for folder in (place, common):
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8").strip()
    return _packed_ref(common / "packed-refs", name)


def _packed_ref(file: Path, name: str) -> str:
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return next((line.partition(" ")[0] for line in lines if line.endswith(f" {name}")), "")
