"""The options of a command that say who answers tool calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache
from webapp.commands import BAD_INPUT, row_named
from webapp.endpoints.options import endpoint_named


def add_sandbox_arguments(parser: CommandParser) -> None:
    """`--mode`, `--cache`, and how isolated answers are made."""
    default = SandboxChoice()
    parser.add_argument("--mode", default=default.mode, choices=["world", "isolated", "online"])
    parser.add_argument("--cache", help="Name of a cache, for isolated and online")
    parser.add_argument(
        "--normalisation", default=default.normalisation, choices=["published", "strict-semantic"]
    )
    parser.add_argument(
        "--simulator-model",
        metavar="NAME",
        help="A model that answers what no cache holds (endpoint list); by default the built-in simulator",
    )
    parser.add_argument("--embedder", default=default.embedder, choices=["fields", "endpoint"])
    parser.add_argument("--index", default=default.index, choices=["exact", "approximate"])
    parser.add_argument(
        "--examples", type=int, default=default.examples, help="Similar calls that a simulator sees, 1 to 64"
    )


def sandbox_of(options: Mapping[str, Any]) -> SandboxChoice:
    """What the options chose.

    Raises:
        CommandError: there is no such cache or model, or a figure is out of range.
    """
    if not 1 <= options["examples"] <= 64:
        raise CommandError("--examples must be 1 to 64", returncode=BAD_INPUT)
    names = ("mode", "normalisation", "embedder", "index", "examples")
    cache = cache_named(options["cache"]) if options["cache"] else None
    simulator = endpoint_named(options["simulator_model"]) if options["simulator_model"] else None
    return SandboxChoice(cache=cache, simulator_model=simulator, **{name: options[name] for name in names})


def cache_named(name: str) -> ToolCache:
    """The cache of that name. Raises CommandError with the names that there are."""
    return row_named(ToolCache.objects.all(), name, "cache", "; manage.py cache create makes one")
