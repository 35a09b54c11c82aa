"""What the sessions of the database are played and scored in."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import EventBody, SessionOpened
from benchmark.core.setting import Setting
from benchmark.suites import suite_named
from benchmark.suites.base import fill_options
from sandbox.worlds import World
from webapp.caches.roads import open_roads
from webapp.catalogue.packs import PLACES, open_pack
from webapp.sessions.models import Session


def setting_of(session: Session, opening: EventBody, world: Any = None) -> Setting[Any, Any]:
    """What its benchmark may know of a session beside its log.

    opening: the first of its log. world: what scores need of its pack, None where nothing is scored.
    """
    return Setting(
        read_task=lambda: session.task.parsed_definition,
        definition=session.task.definition,
        world=world,
        open_pack=lambda: _pack(session.pack),
        open_roads=open_roads,
        users=opening.users if isinstance(opening, SessionOpened) else (),
        options=fill_options(
            suite_named(session.suite).options, opening.options if isinstance(opening, SessionOpened) else {}
        ),
        seed=session.seed,
        language=opening.language if isinstance(opening, SessionOpened) else "zh",
        trial_id=session.trial_id,
    )


def _pack(file_name: str) -> World | None:
    """The world of a session, None where it was imported with a file of places or without a world."""
    return None if not file_name or file_name.endswith(PLACES) else open_pack(file_name)
