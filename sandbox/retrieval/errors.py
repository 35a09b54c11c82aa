"""What can go wrong between a call and its neighbours."""

from __future__ import annotations


class EmbeddingFailed(Exception):
    """Calls that could not be embedded; the message says what failed and what helps."""


class IndexMissing(Exception):
    """No index that fits: none was built, it is being built, it is damaged, or it is of another pack or embedder.

    The message names what is there, what is wanted, and what helps.
    """
