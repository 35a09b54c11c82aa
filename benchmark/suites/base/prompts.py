"""The parts of a benchmark's prompts that follow from what it has: rubrics, and tools that a model may simulate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.judging import Rubric
from benchmark.promptsets import PromptPart
from benchmark.remarks import gettext_noop as _

ANSWERS = _(
    "The judge's answer is read by rules: keep the form, the keys and the scale that these words ask for."
)
_READ = dict.fromkeys(("judge_system", "judge_user", "meta_system", "meta_user", "rubric"), ANSWERS)


def judge_parts(rubrics: Sequence[Rubric]) -> Iterator[PromptPart]:
    """A part for each input of each rubric that has words of its own."""
    seen = []
    for rubric in rubrics:
        for form in rubric.forms.values():
            if form.prompts in seen:
                continue
            seen.append(form.prompts)
            several = len(rubric.forms) > 1
            key = "_".join(filter(None, ("judge", rubric.name, form.name if several else "")))
            yield PromptPart(key, "judge", form.label, form.prompts, _READ)


def simulator_part() -> PromptPart:
    """What a model is told that answers tool calls."""
    from sandbox.simulation.wording import PROMPTS  # with the sandbox, which not everybody needs

    return PromptPart("simulator", "simulator", _("model that simulates tools"), PROMPTS)


def namer_part() -> PromptPart:
    """What a model is told that names groups of failures."""
    from benchmark.misses.naming import PROMPTS  # with what reads its answers, which not everybody needs

    strict = {"naming": _("The answer is read by rules: one JSON object with “name” and “sentence”.")}
    return PromptPart("naming", "namer", _("model that names groups of failures"), PROMPTS, strict)
