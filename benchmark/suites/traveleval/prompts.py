"""The parts of the prompts that researchers may say in other words."""

from __future__ import annotations

from typing import Final

from benchmark.promptsets import PromptPart
from benchmark.remarks import gettext_noop as _
from benchmark.suites.traveleval.briefing.briefing import PROMPTS

_PLAN = _("The plan is read by rules: keep the fields, their names and the form that these words ask for.")
_STEPS = _(
    "Thought, Action, Action Input and Answer are read by rules: keep these words at the beginning of lines."
)
PROMPT_PARTS: Final = (
    PromptPart(
        "agent",
        "agent",
        _("agent over a model"),
        PROMPTS,
        {"plan": _PLAN, "schema": _PLAN, "react": _STEPS, "react_form": _STEPS},
    ),
)
