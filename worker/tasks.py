"""What the worker does on a message: load, call, nothing else."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.db import close_old_connections

from sandbox.cache import CacheError
from sandbox.retrieval import IndexMissing
from webapp.caches.models import ToolCache
from webapp.caches.services import INDEX as INDEX_CACHE
from webapp.caches.services import index_cache
from webapp.endpoints.services import TEST, run_test
from webapp.errands import Errand
from webapp.queue import ADVANCE, INDEX, JUDGE, PROBE, RESCORE
from webapp.sessions.scoring import rescore
from webapp.storage import AWAY
from worker.app import app
from worker.heart import heart
from worker.judging import advance_judgement
from worker.outages import storage_outage
from worker.stepping import advance

log = logging.getLogger(__name__)


@app.task(name=ADVANCE)
def advance_session(session_id: str) -> None:
    """Go on with a session for a few seconds."""
    with _connected():
        advance(session_id)


@app.task(name=RESCORE)
def rescore_session(session_id: str) -> None:
    """Score an ended session by the code of today; begun again, or too late, it does no harm."""
    with _connected():
        rescore(session_id=session_id)


@app.task(name=INDEX)
def index_named_cache(name: str) -> None:
    """Fold what a cache has learned and build its built-in index; begun again, it goes on where it was."""
    with _connected(), _doing(INDEX_CACHE, name) as mine:
        if mine:
            _index(name)


def _index(name: str) -> None:
    try:
        index_cache(name=name)
    except AWAY:
        raise
    except Exception as error:  # whatever it is, the cache's page says it
        known = isinstance(error, CacheError | IndexMissing)
        log.warning("cache %s is not indexed: %s", name, error, exc_info=None if known else error)
        ToolCache.objects.filter(name=name).update(indexing=str(error)[:600])


@app.task(name=PROBE)
def probe_endpoint(name: str) -> None:
    """Test a model endpoint with this worker's key and network; begun again, it is tested again."""
    with _connected(), _doing(TEST, name) as mine:
        if mine:
            run_test(name=name)


@contextmanager
def _doing(errand: Errand, name: str) -> Iterator[bool]:
    """Take an errand, keep it until the block ends, and end it; gives whether it is to be done here.

    It stays to be done only where the database is away or this process dies: what fails otherwise would fail again.
    """
    if not errand.take(name):
        yield False
        return
    try:
        with heart().renewing(partial(errand.keep, name)):
            yield True
    except AWAY:
        raise
    except Exception:
        errand.end(name)
        raise
    errand.end(name)


@app.task(name=JUDGE)
def judge_session(judgement_id: int) -> None:
    """Ask a judge, or a meta-judge, once; begun again, it goes on where the database says."""
    with _connected():
        advance_judgement(judgement_id)


@contextmanager
def _connected() -> Iterator[None]:
    """Usable connections, which are given back after. What the database does not take, the sweeper finds again."""
    close_old_connections()
    try:
        yield
    except AWAY as error:
        storage_outage.met(error)
    finally:
        close_old_connections()
