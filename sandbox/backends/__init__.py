"""What answers a call that no cache knows: a world, or live services."""

from sandbox.backends.backend import Backend
from sandbox.backends.combined import CombinedBackend
from sandbox.backends.world import WorldBackend

__all__ = ["Backend", "CombinedBackend", "WorldBackend"]
