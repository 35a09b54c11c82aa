"""From what a researcher chose to the setup that a session's log records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sandbox.cache import CacheError, Normalisation
from sandbox.retrieval import EmbeddingFailed, IndexKind, IndexMissing
from sandbox.toolbox import Mode, SandboxSetup
from webapp.caches import parts
from webapp.caches.models import ToolCache


class SandboxRefused(ValueError):
    """A sandbox that can't be set up; the message says why and what helps."""


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """What a researcher chooses. embedder, simulator: as the environment names them, not their ids."""

    mode: Mode = "world"
    cache: ToolCache | None = None
    normalisation: Normalisation = "published"
    embedder: parts.EmbedderName = "fields"
    index: IndexKind = "exact"
    examples: int = 8
    simulator: parts.SimulatorName = "nearest"


def sandbox_setup(choice: SandboxChoice, world_pack: str) -> SandboxSetup:
    """The sandbox of a session that starts now, with the state that its cache is in.

    Raises:
        SandboxRefused: no cache is named, it is empty, damaged or not indexed, or a part is not configured.
    """
    if choice.mode == "world":
        return SandboxSetup()
    if choice.cache is None:
        raise SandboxRefused(_("Mode “%(mode)s” needs a cache; choose one.") % {"mode": choice.mode})
    try:
        if choice.mode == "isolated":
            return _isolated(choice, choice.cache)
        return _online(choice, choice.cache, world_pack)
    except (CacheError, IndexMissing, EmbeddingFailed, parts.NotConfigured) as error:
        raise SandboxRefused(str(error)) from error


def _isolated(choice: SandboxChoice, cache: ToolCache) -> SandboxSetup:
    handle = parts.open_cache(cache.name)
    if not any(handle.counts.values()):
        raise SandboxRefused(
            _("Cache “%(name)s” is empty: import one, or fill it by a session in mode “online”.")
            % {"name": cache.name}
        )
    embedder = parts.embedder_named(choice.embedder)
    if any(handle.pack.counts.values()):
        parts.indexes_of(cache.name, handle.state.digest, embedder, choice.index)
    return SandboxSetup(
        **_state(choice, cache),
        embedder=embedder.id,
        index=choice.index,
        examples=choice.examples,
        simulator=parts.simulator_named(choice.simulator).id,
    )


def _online(choice: SandboxChoice, cache: ToolCache, world_pack: str) -> SandboxSetup:
    return SandboxSetup(**_state(choice, cache), backend=parts.live_backend(world_pack).name)


def _state(choice: SandboxChoice, cache: ToolCache) -> dict[str, Any]:
    state = parts.open_cache(cache.name).state
    return {
        "mode": choice.mode,
        "cache": cache.name,
        "pack": state.pack,
        "digest": state.digest,
        "learned_upto": state.learned_upto,
        "normalisation": choice.normalisation,
    }
