"""All kinds of extras that this version can read: those of sources that are imported, and those of toolsets."""

from __future__ import annotations

from sandbox.toolsets import TOOLSETS
from sandbox.worlds.china10.rows import KINDS
from sandbox.worlds.extras import ExtraKinds, declare


def declared_extras() -> ExtraKinds:
    """The kinds by owner and kind."""
    return declare([*KINDS, *(kind for toolset in TOOLSETS.values() for kind in toolset.extras)])
