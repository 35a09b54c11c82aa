"""What annotators see of a request: what an assistant is told of it, and what the assistant could use."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from benchmark.suites.travelbench.conversation.rules import TOOLSET
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.tools.language import Language
from sandbox.toolsets import toolset_named
from webapp.pages import LabelPage


def task(definition: Task) -> dict[str, Any]:
    """The query, time and situation, and the tools. What was meant and every label stay out; so does the profile,
    which a study may show.
    """
    language: Language = "zh" if (get_language() or "").startswith("zh") else "en"
    functions = (definition["function"] for definition in toolset_named(TOOLSET).definitions(language))
    return {
        "query": definition.query,
        "time": definition.time,
        "situation": definition.context,
        "tools": [(function["name"], function["description"]) for function in functions],
    }


def profile(definition: Task) -> str:
    """The profile, which only multi-turn tasks have."""
    return definition.user_profile


LABEL_PAGE = LabelPage(task=task, profile=profile)
