"""When the garbage collector looks at what."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG_AFTER = 10_000
"""Objects made and not yet dropped before a collection, in place of 700: what a search for a plan keeps while it
runs is gone before most of these.
"""
FULL_AFTER = 50
"""Collections of the middle generation before a full one, in place of 10."""


def pause_collections() -> None:
    """No collection runs until `resume_collections`: what is imported stays, and none would find anything."""
    gc.disable()


def resume_collections() -> None:
    """What is there by now is left out of all later collections."""
    gc.freeze()
    gc.enable()


@contextmanager
def loading() -> Iterator[None]:
    """No collection runs while modules are imported, and what is there at the end is left out of all later ones.

    Otherwise nine full ones go over all that is loaded: a sixth of the time that a process takes to start.
    """
    if not gc.isenabled():  # whoever paused them decides when they go on
        yield
        return
    pause_collections()
    try:
        yield
    finally:
        resume_collections()


def settle() -> None:
    """Leave what start-up has made out of all later collections.

    A full one looks at every object, and nothing else runs meanwhile: over the 200,000 of a web process it takes 0.2
    to 0.5 s on a slow machine, every 15 s or so while people talk. It finds little, for modules and templates stay.
    """
    gc.collect()
    gc.freeze()
    _, middle, _ = gc.get_threshold()
    gc.set_threshold(YOUNG_AFTER, middle, FULL_AFTER)
