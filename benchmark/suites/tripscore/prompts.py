"""The parts of the prompts that researchers may say in other words."""

from __future__ import annotations

from typing import Final

from benchmark.promptsets import PromptPart
from benchmark.remarks import gettext_noop as _
from benchmark.suites.tripscore.briefing import PROMPTS
from benchmark.suites.tripscore.methods.results import PROMPTS as METHODS

_PLAN = _("The plan is read by rules: keep the fields, their names and the form that these words ask for.")
_STATEMENTS = _("The translation is read by rules: keep the keys and the form that these words ask for.")
_READ = dict.fromkeys(("concepts", "constraints", "statements", "translator", "translation"), _STATEMENTS)
PROMPT_PARTS: Final = (
    PromptPart(
        "agent",
        "agent",
        _("agent over a model"),
        PROMPTS,
        dict.fromkeys(("plan", "schema", "tree_plan"), _PLAN),
    ),
    PromptPart("methods", "agent", _("agents that translate and search"), METHODS, _READ),
)
