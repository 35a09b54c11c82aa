"""Finding the cached calls that are most similar to one that is not cached (paper appendix B.3).

The embedder behind an endpoint loads a large library, so it is imported from its own module, `endpoint`.
"""

from sandbox.retrieval.building import build_indexes
from sandbox.retrieval.embedder import Embedder, EmbeddingFailed, IndexMissing
from sandbox.retrieval.fields import FieldsEmbedder
from sandbox.retrieval.indexes import (
    Indexes,
    IndexKind,
    keep_indexes,
    open_indexes,
    place_of,
    read_manifest,
)
