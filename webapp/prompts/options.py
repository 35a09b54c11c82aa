"""What commands take of sets of prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.commands import BAD_INPUT
from webapp.forms import ChoiceRefused
from webapp.prompts.choice import SHIPPED, OtherWords
from webapp.prompts.models import PromptSetVersion
from webapp.prompts.services import version_named


def add_prompts_argument(parser: CommandParser) -> None:
    """`--prompts`."""
    parser.add_argument(
        "--prompts",
        metavar="NAME[@VERSION]",
        help="The set of prompts (prompt_set list), by default the newest version of it; without, the shipped words",
    )


def add_other_prompts_argument(parser: CommandParser) -> None:
    """`--prompts` of what goes on from a session."""
    parser.add_argument(
        "--prompts",
        metavar="NAME[@VERSION]",
        help=f"The set of prompts from there on, or {SHIPPED}; by default the words of the session",
    )


def other_prompts_of(options: Mapping[str, Any]) -> OtherWords | None:
    """What they chose, None for the words of the session. Raises CommandError with the sets that there are."""
    return SHIPPED if options["prompts"] == SHIPPED else prompts_of(options)


def prompts_of(options: Mapping[str, Any]) -> PromptSetVersion | None:
    """The version that the options chose. Raises CommandError with the sets that there are."""
    if not options["prompts"]:
        return None
    try:
        return version_named(options["prompts"])
    except ChoiceRefused as refusal:
        raise CommandError(f"--prompts: {refusal}", returncode=BAD_INPUT) from refusal
