"""What the pages of made tasks show: a task of a preview, and the report of a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.tasks import TASK_FILES
from benchmark.suites.tripbench.tasks.listing import SUBSET_WORDS, TIER_WORDS
from webapp.pages import SynthesisPage
from webapp.suites.tripbench import task
from webapp.wording.numbers import counts_by_days
from webapp.wording.remarks import MOST_TOLD, failure_words, stored_remark_words


class _Count(NamedTuple):
    """Of a subset: how many tasks were asked for, and how many were made."""

    subset: str
    tier: str
    asked: int
    made: int


def _place(figures: Mapping[str, Any]) -> dict[str, Any]:
    if figures["task"] is None:
        return {"id": figures["id"], **failure_words(figures["failures"])}
    made = TASK_FILES.task(figures["task"])
    return {**task.context(made), "definition": made}


def _report(told: Mapping[str, Any]) -> dict[str, Any]:
    made = told["by_subset"]
    asked = told.get(
        "asked", made
    )  # reports of before tell what was made alone: it was all that was asked for
    left_out = [stored_remark_words(each["remark"]) for each in told.get("left_out", ())]
    return {
        "report": told,
        "subsets": [
            _Count(_now(SUBSET_WORDS[name]), _now(TIER_WORDS[SHAPES[name].tier]), asked[name], count)
            for name, count in made.items()
        ],
        "left_out": left_out[:MOST_TOLD],
        "more_left_out": max(0, len(left_out) - MOST_TOLD),
        "days": counts_by_days(told["by_days"]),
    }


SYNTHESIS = SynthesisPage(
    words=stored_remark_words,
    place=_place,
    report=_report,
    writer=_("Tasks written by"),
    by_rule=_("rules"),
    writer_help=_("Tasks of TRIP-Bench are made by rule alone; a model may be their user."),
    count=400,
    count_help=_("The paper tests with 400."),
    usual_days=_("Leave empty for days from May to September 2026."),
)
