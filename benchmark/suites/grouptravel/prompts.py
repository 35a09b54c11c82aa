"""The parts of the prompts that researchers may say in other words."""

from __future__ import annotations

from typing import Final

from benchmark.promptsets import PromptPart
from benchmark.remarks import gettext_noop as _
from benchmark.suites.grouptravel.briefing.wording import PROMPTS
from benchmark.suites.grouptravel.travellers.llm.request import PROMPTS as TRAVELLERS

_PLAN = _("The plan is read by rules: keep the fields, their names and the form that these words ask for.")
_TABLE = _("The table is read by rules: keep its fields, their names and the form that these words ask for.")
_MARKS = _("[pass], the marker of a compromise and the mention @Agent are read by rules: keep their form.")
_STEPS = _(
    "Thought, Action, Action Input and Answer are read by rules: keep these words at the beginning of lines."
)
PROMPT_PARTS: Final = (
    PromptPart(
        "agent",
        "agent",
        _("agent over a model"),
        PROMPTS,
        {"plan": _PLAN, "summary": _TABLE, "table": _TABLE, "react": _STEPS, "react_form": _STEPS},
    ),
    PromptPart("users", "users", _("traveller over a model"), TRAVELLERS, {"rules": _MARKS, "turn": _MARKS}),
)
