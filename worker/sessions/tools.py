"""The tools of a session, as its opening event set them up."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import SessionOpened
from benchmark.models import Model
from sandbox.backends import Backend, WorldBackend
from sandbox.cache import CacheState
from sandbox.simulation import NearestSimulator, Simulator
from sandbox.toolbox import SandboxSetup, Toolbox
from sandbox.toolbox.isolated_answers import IsolatedAnswers
from sandbox.toolbox.online import OnlineAnswers
from sandbox.toolbox.toolbox import Answers
from sandbox.toolbox.world import WorldAnswers
from sandbox.tools.language import Language
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets import toolset_named
from webapp.caches import resources
from webapp.caches.pins import DatabasePins, scope_of
from webapp.catalogue.packs import open_pack
from webapp.sessions.models import Session
from worker.gate import gate
from worker.sessions.simulator import simulator_over


def tools_of(session: Session, opened: SessionOpened, model: Model | None) -> Toolbox:
    """The toolbox of a session, for this thread. model: that of its simulator, where one asks a model.

    Raises:
        WorldError, CacheError, IndexMissing, UnknownToolset, resources.NotConfigured: a part of the setup is not to
            be had (any more).
    """
    setup = opened.sandbox
    if setup.mode == "world":
        return _toolbox(
            WorldAnswers(WorldBackend(open_pack(session.pack), toolset_named(setup.toolset))), opened
        )
    if setup.mode == "online":
        return _toolbox(_online(session, setup), opened)
    scope = scope_of(run=session.run_id, session=session.pk, language=opened.language)
    simulator = resources.simulator_with(
        setup.simulator, simulator_over(model) if model else NearestSimulator()
    )
    return _toolbox(_isolated_answers(setup, scope, simulator), opened)


def _toolbox(answers: Answers, opened: SessionOpened) -> Toolbox:
    setup = opened.sandbox
    return Toolbox(
        answers,
        opened.language,
        toolset=toolset_named(setup.toolset),
        strictness=setup.strictness,
        given=setup.given,
    )


def _isolated_answers(setup: SandboxSetup, scope: str, simulator: Simulator) -> IsolatedAnswers:
    return IsolatedAnswers(
        resources.open_cache(setup.cache, CacheState(setup.pack, setup.digest, setup.learned_upto)),
        lambda: resources.indexes_with(setup.cache, setup.digest, setup.embedder, setup.index),
        simulator,
        DatabasePins(scope, setup.normalisation),
        normalisation=setup.normalisation,
        examples=setup.examples,
    )


class _BackendElsewhere:
    """A backend that is waited for outside of the gate: a live service takes as long as it likes."""

    def __init__(self, backend: Backend) -> None:
        self.name, self.toolset, self.tools = backend.name, backend.toolset, backend.tools
        self._backend = backend

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The backend's result, or its failure."""
        with gate.wait_outside():
            return self._backend.answer(tool, arguments, language)


def _online(session: Session, setup: SandboxSetup) -> OnlineAnswers:
    backend = _BackendElsewhere(resources.live_backend(session.pack, setup.toolset))
    return OnlineAnswers(resources.open_cache(setup.cache), backend, normalisation=setup.normalisation)
