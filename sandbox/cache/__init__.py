"""The content-addressed cache of tool answers (paper appendix B.2)."""

from sandbox.cache.building import create, fold, pack_digests, prune
from sandbox.cache.cache import POINTER, Cache, CacheState, point_to, pointer
from sandbox.cache.keys import (
    CacheError,
    KeyProblem,
    Normalisation,
    call_of,
    key_of,
    published_key,
    read_key,
    semantic_key,
)
from sandbox.cache.layout import ImportReport, export_published, import_published
