"""The synthetic sandbox that cache and retrieval are measured on, in a folder that a later run can use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sandbox.worlds import WorldError, open_world
from tests.scale.cache import TOTAL, counts, write_published, write_tool
from tests.scale.world import PLACES, build

PUBLISHED_SEARCHES = 86_000
"""Entries of search_poi in the published cache (GroupTravelBench appendix B.5)."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Where everything is. `source` holds the published layout, `cache` and `indexes` what is made of it."""

    folder: Path
    total: int = TOTAL
    places: int = PLACES

    @property
    def source(self) -> Path:
        return self.folder / f"published-{self.total}"

    @property
    def cache(self) -> Path:
        return self.folder / f"cache-{self.total}"

    @property
    def indexes(self) -> Path:
        return self.cache / "index"

    @property
    def world(self) -> Path:
        return self.folder / f"world-{self.places}.pack"

    def generate(self) -> None:
        """Write the published layout and the world, unless they are there and can be read."""
        if not (self.source / "complete").exists():
            write_published(self.source, self.total)
            (self.source / "complete").touch()
        try:
            open_world(self.world).close()
        except WorldError:
            build(self.world, self.places)


def searches_only(sandbox: Sandbox) -> Sandbox:
    """A sandbox with as many entries of search_poi as the published cache has, and of nothing else."""
    small = Sandbox(sandbox.folder / "searches", min(PUBLISHED_SEARCHES, counts(sandbox.total)["search_poi"]))
    if not (small.source / "complete").exists():
        write_tool(small.source, "search_poi", small.total)
        (small.source / "complete").touch()
    return small
