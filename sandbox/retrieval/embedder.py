"""What turns calls into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.calls import Call

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Embeds the input of calls (paper appendix B.3).

    id: names method, version and dimension; vectors of two ids have nothing to do with each other. batch: how many
    calls at a time a build hands over, and may lose when it is killed.
    """

    @property
    def id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def batch(self) -> int: ...

    def embed(self, calls: Sequence[Call]) -> Vectors:
        """A row of length 1 for each call: (len(calls), dimension).

        Raises:
            EmbeddingFailed: not all of them could be embedded.
        """
        ...


class EmbeddingFailed(Exception):
    """Calls that could not be embedded; the message says what failed and what helps."""


class IndexMissing(Exception):
    """No index that fits: none was built, it is being built, it is damaged, or it is of another pack or embedder.

    The message names what is there, what is wanted, and what helps.
    """
