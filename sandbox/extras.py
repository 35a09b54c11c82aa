"""All kinds of extras that this version can read: those of sources that are imported, and those of toolsets."""

from __future__ import annotations

from sandbox.toolsets import TOOLSETS
from sandbox.worlds import World
from sandbox.worlds.china10.rows import KINDS
from sandbox.worlds.extras import AnyKind, ExtraCount, ExtraKinds, declare


def declared_extras() -> ExtraKinds:
    """The kinds by owner and kind."""
    return declare([*KINDS, *_kinds_of_toolsets()])


def count_extras(world: World) -> list[ExtraCount]:
    """How much a world keeps, by owner and kind; 0 of what a toolset declares and the world keeps none of."""
    kept = world.extra_counts()
    known = {(count.owner, count.kind) for count in kept}
    lacking = (kind for kind in _kinds_of_toolsets() if (kind.owner, kind.kind) not in known)
    return sorted((*kept, *(ExtraCount(kind.owner, kind.kind, 0, 0) for kind in lacking)))


def _kinds_of_toolsets() -> list[AnyKind]:
    return [kind for toolset in TOOLSETS.values() for kind in toolset.extras]
