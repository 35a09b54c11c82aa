"""AMap's (高德) web service as a live backend: places, coordinates, routes, weather."""

from sandbox.backends.amap.backend import AmapBackend, amap_from_environment
from sandbox.backends.amap.settings import AmapSettings

__all__ = ["AmapBackend", "AmapSettings", "amap_from_environment"]
