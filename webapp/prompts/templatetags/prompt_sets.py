"""Sets of prompts in templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.promptsets import PromptFile, Role
from benchmark.suites import SUITES, suite_named
from webapp.prompts.models import PromptSetVersion
from webapp.prompts.views import Words

register = template.Library()
_ROLES: Mapping[Role, Promise] = {
    "agent": gettext_lazy("Agent"),
    "users": gettext_lazy("Simulated users"),
    "simulator": gettext_lazy("Tool simulator"),
    "judge": gettext_lazy("Judge"),
    "namer": gettext_lazy("Failure analysis"),
}


@register.filter
def prompt_words(message: str) -> str:
    """A sentence that a benchmark declares, in the reader's language."""
    return _(message)


@register.filter
def role_told(role: Role) -> str:
    """What those are called who are told a part."""
    return str(_ROLES[role])


@register.filter
def suite_title(name: str) -> str:
    """What a benchmark is called; one that is not here any more by its name."""
    return suite_named(name).title if name in SUITES else name


@register.filter
def file_address(words: Words, file: PromptFile) -> str:
    """The page of a template in a set."""
    if words.version is None:
        return reverse("shipped_prompt_file", args=[words.suite, file.path])
    return reverse("prompt_file", args=[words.version.prompt_set.name, words.version.number, file.path])


@register.filter
def text_of(words: Words, file: PromptFile) -> str:
    """The words of a template in a set."""
    return words.text(file)


@register.filter
def line_count(text: str) -> int:
    """How many lines a text has."""
    return len(text.splitlines())


@register.filter
def has_words(files: Mapping[str, Any], path: str) -> bool:
    """Whether a set says a template otherwise."""
    return path in files


@register.filter
def before(version: PromptSetVersion) -> str:
    """The version before one, as addresses name it."""
    return f"{version.prompt_set.name}@{version.number - 1}"
