"""The parts of the prompts that researchers may say in other words."""

from __future__ import annotations

from typing import Final

from benchmark.promptsets import PromptPart
from benchmark.remarks import gettext_noop as _
from benchmark.suites.travelbench.briefing.prompts import PROMPTS
from benchmark.suites.travelbench.travellers.llm.user import PROMPTS as USERS

_MARK = _("The mark [Unsolved] is read by rules, also in run records: keep it as it is.")
_END = _("The mark that ends the conversation is read by rules: keep “$tag”.")
_STEPS = _(
    "Thought, Action, Action Input and Answer are read by rules: keep these words at the beginning of lines."
)
PROMPT_PARTS: Final = (
    PromptPart(
        "agent",
        "agent",
        _("agent over a model"),
        PROMPTS,
        {"unsolved": _MARK, "react": _STEPS, "react_form": _STEPS},
    ),
    PromptPart("users", "users", _("user over a model"), USERS, {"rules": _END, "heard": _END}),
)
