"""The tools of a session, as its opening event set them up."""

from __future__ import annotations

from benchmark.core.events import SessionOpened
from benchmark.models import Model
from sandbox.cache import CacheState
from sandbox.simulation import NearestSimulator, Simulator
from sandbox.toolbox import SandboxSetup, Toolbox, world_tools
from sandbox.toolbox.isolated import IsolatedAnswers
from sandbox.toolbox.online import OnlineAnswers
from webapp.caches import parts
from webapp.caches.pins import DatabasePins
from webapp.catalogue.packs import open_pack
from webapp.sessions.models import Session
from worker.simulating import simulator_over


def tools_of(session: Session, opened: SessionOpened, model: Model | None) -> Toolbox:
    """The toolbox of a session, for this thread. model: that of its simulator, where one asks a model.

    Raises:
        WorldError, CacheError, IndexMissing, parts.NotConfigured: a part of the setup is not to be had (any more).
    """
    setup = opened.sandbox
    if setup.mode == "world":
        return world_tools(open_pack(session.pack), opened.language)
    if setup.mode == "online":
        return Toolbox(_online(session, setup), opened.language)
    scope = f"run:{session.run_id}" if session.run_id else f"session:{session.pk}"
    simulator = parts.simulator_with(setup.simulator, simulator_over(model) if model else NearestSimulator())
    return Toolbox(_isolated(setup, f"{scope}:{opened.language}", simulator), opened.language)


def _isolated(setup: SandboxSetup, scope: str, simulator: Simulator) -> IsolatedAnswers:
    return IsolatedAnswers(
        parts.open_cache(setup.cache, CacheState(setup.pack, setup.digest, setup.learned_upto)),
        lambda: parts.indexes_with(setup.cache, setup.digest, setup.embedder, setup.index),
        simulator,
        DatabasePins(scope, setup.normalisation),
        normalisation=setup.normalisation,
        examples=setup.examples,
    )


def _online(session: Session, setup: SandboxSetup) -> OnlineAnswers:
    backend = parts.live_backend(session.pack)
    return OnlineAnswers(parts.open_cache(setup.cache), backend, normalisation=setup.normalisation)
