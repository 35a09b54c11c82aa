"""Worlds: read-only packs of places, services, weather and facts."""

from sandbox.worlds.builder import PackBuilder
from sandbox.worlds.extras import ExtraKind
from sandbox.worlds.locate import Spot
from sandbox.worlds.pack import WorldError
from sandbox.worlds.reader import World, open_world
from sandbox.worlds.search import Hit

__all__ = ["ExtraKind", "Hit", "PackBuilder", "Spot", "World", "WorldError", "open_world"]
