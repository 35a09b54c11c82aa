"""What is wrong with a cache."""

from __future__ import annotations


class CacheError(Exception):
    """A cache, or a file that should become one, that can't be used; the message says where and what helps."""
