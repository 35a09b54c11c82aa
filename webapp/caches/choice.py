"""From what a researcher chose to the setup that a session's log records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sandbox.cache import CacheError, Normalisation
from sandbox.retrieval import EmbeddingFailed, IndexKind, IndexMissing
from sandbox.simulation import NearestSimulator
from sandbox.simulation.model import model_simulator_id
from sandbox.toolbox import Mode, SandboxSetup
from sandbox.toolsets.base import DEFAULT_TOOLSET
from webapp.caches import resources, travel
from webapp.caches.models import ToolCache
from webapp.catalogue.models import World
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """What a researcher chooses.

    embedder: as the environment names it, not its id. simulator_model: None for the built-in simulator.
    """

    mode: Mode = "world"
    cache: ToolCache | None = None
    normalisation: Normalisation = "published"
    embedder: resources.EmbedderName = "fields"
    index: IndexKind = "exact"
    examples: int = 8
    simulator_model: ModelEndpoint | None = None

    @property
    def simulating(self) -> ModelEndpoint | None:
        """The model that answers what no cache holds; None where nothing or the built-in simulator does."""
        return self.simulator_model if self.mode == "isolated" else None


def sandbox_setup(choice: SandboxChoice, world: World, toolset: str = DEFAULT_TOOLSET) -> SandboxSetup:
    """The sandbox of sessions that start now, with the state that its cache is in. toolset: of their suite.

    Raises:
        ChoiceRefused: no cache is named, it is empty, damaged or not indexed, or a part is not configured.
    """
    if choice.mode == "world":
        return SandboxSetup(toolset=toolset)
    if choice.cache is None:
        raise ChoiceRefused(_("Mode “%(mode)s” needs a cache; choose one.") % {"mode": choice.mode}, "cache")
    try:
        if choice.mode == "isolated":
            return _isolated_setup(choice, choice.cache, toolset)
        return _online(choice, choice.cache, world, toolset)
    except EmbeddingFailed as error:
        raise ChoiceRefused(str(error), "embedder") from error
    except IndexMissing as error:
        raise ChoiceRefused(_not_indexed(choice, str(error)), "index") from error
    except CacheError as error:
        raise ChoiceRefused(str(error), "cache") from error


def _not_indexed(choice: SandboxChoice, problem: str) -> str:
    """The built-in exact index has a button; for others the message names the command."""
    if choice.embedder == "fields" and choice.index == "exact":
        words = _("This cache has no usable index: press “Index now” on its page. Details: %(problem)s")
        return words % {"problem": problem}
    return problem


def _isolated_setup(choice: SandboxChoice, cache: ToolCache, toolset: str) -> SandboxSetup:
    handle = resources.open_cache(cache.name)
    if not any(handle.counts.values()):
        raise ChoiceRefused(
            _("Cache “%(name)s” is empty: import a cache, or fill this one with a session in mode “online”.")
            % {"name": cache.name},
            "cache",
        )
    if travel.in_use() and handle.learned_counts:
        raise ChoiceRefused(
            _(
                "Cache “%(name)s” has learned answers since it was indexed, which other hosts lack. Run "
                "manage.py cache index %(name)s on the host that fills it."
            )
            % {"name": cache.name},
            "cache",
        )
    embedder = resources.embedder_named(choice.embedder)
    resources.indexes_of(cache.name, handle.state.digest, embedder, choice.index)
    return SandboxSetup(
        **_state(choice, cache, toolset),
        embedder=embedder.id,
        index=choice.index,
        examples=choice.examples,
        simulator=_simulator(choice.simulator_model),
    )


def _simulator(model: ModelEndpoint | None) -> str:
    """The simulator's id."""
    return (
        NearestSimulator.id if model is None else model_simulator_id(usable(model, "simulator_model").model)
    )


def _online(choice: SandboxChoice, cache: ToolCache, world: World, toolset: str) -> SandboxSetup:
    backend = resources.live_backend(world.pack, toolset).name
    fill(cache, backend, world)
    return SandboxSetup(**_state(choice, cache, toolset), backend=backend)


def fill(cache: ToolCache, backend: str, world: World) -> None:
    """Let a backend fill a cache; what it fills later must come from the same one.

    Raises:
        ChoiceRefused: another backend, or another world, filled it before.
    """
    source = f"{backend}, {world.name} {world.pack_hash[:8]}"
    free = ToolCache.objects.filter(pk=cache.pk, filled_by__in=("", source))
    if not free.update(filled_by=source):
        cache.refresh_from_db(fields=["filled_by"])
        raise ChoiceRefused(
            _(
                "Cache “%(name)s” was filled by %(before)s. Answers of %(now)s must not be mixed "
                "into it; use another cache."
            )
            % {"name": cache.name, "before": cache.filled_by, "now": source},
            "cache",
        )


def _state(choice: SandboxChoice, cache: ToolCache, toolset: str) -> dict[str, Any]:
    state = resources.open_cache(cache.name).state
    return {
        "mode": choice.mode,
        "cache": cache.name,
        "pack": state.pack,
        "digest": state.digest,
        "learned_upto": state.learned_upto,
        "normalisation": choice.normalisation,
        "toolset": toolset,
    }
