"""What the pages of made tasks show: a task of a preview, and the report of a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites.tripbench.tasks import TASK_FILES
from benchmark.suites.tripbench.tasks.listing import SUBSET_WORDS
from webapp.pages import SynthesisPage
from webapp.suites.tripbench import task
from webapp.wording.numbers import counts_by_days
from webapp.wording.remarks import stored_remark_words


def _place(figures: Mapping[str, Any]) -> dict[str, Any]:
    made = TASK_FILES.task(figures["task"])
    return {**task.context(made), "definition": made}


def _report(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "report": told,
        "subsets": [f"{_now(SUBSET_WORDS[name])}: {n}" for name, n in told["by_subset"].items()],
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
