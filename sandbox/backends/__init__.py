"""What answers a call that no cache knows: a world, or live services."""

from sandbox.backends.backend import Backend, CombinedBackend, WorldBackend

__all__ = ["Backend", "CombinedBackend", "WorldBackend"]
