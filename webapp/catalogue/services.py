"""Writing worlds: they come in whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.worlds import open_world
from webapp.catalogue.models import World, worlds_folder
from webapp.files import services as files


def build_world(*, name: str, build: Callable[[Path], Any]) -> World:
    """Let `build` write a pack to a path, then make `name` point to it.

    The pack's file is named after its content, so sessions over an earlier pack of that name keep theirs.
    Where hosts share a store, it is there first. Whatever `build` raises leaves the catalogue as it was.
    """
    folder = worlds_folder()
    with TemporaryDirectory(dir=folder, prefix=".building-") as temporary:
        draft = Path(temporary) / "pack.sqlite3"
        build(draft)
        figures = _figures(draft)
        file_name = f"{name}-{figures['pack_hash'][:16]}.sqlite3"
        draft.replace(folder / file_name)
    files.keep(folder / file_name)  # before anybody hears of it
    world, _ = World.objects.update_or_create(name=name, defaults={**figures, "pack": file_name})
    return world


def _figures(pack: Path) -> dict[str, Any]:
    world = open_world(pack)
    try:
        destinations = [city.name for city in world.cities() if city.destination]
        return {
            "pack_hash": world.pack_hash,
            "source": world.source,
            "note": world.note,
            "report": world.report,
            "cities": [city.name for city in world.cities()],
            "places": sum(1 for city in destinations for _ in world.places(city)),
        }
    finally:
        world.close()
