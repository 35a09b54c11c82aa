"""What the pages of made queries show: a query of a preview, and the report of a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites.tripscore.tasks import TASK_FILES
from benchmark.suites.tripscore.tasks.listing import SPLIT_WORDS
from webapp.pages import SynthesisPage
from webapp.suites.tripscore import task
from webapp.wording.numbers import counts_by_days
from webapp.wording.remarks import failure_words, stored_remark_words


def _place(figures: Mapping[str, Any]) -> dict[str, Any]:
    query = TASK_FILES.task(figures["task"])
    return {**task.context(query), "definition": query, **failure_words(figures["failures"])}


def _report(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "report": told,
        "days": counts_by_days(told["by_days"]),
        "splits": [f"{_now(SPLIT_WORDS[name])}: {n}" for name, n in told["by_split"].items()],
        "dropped": [f"{n} {_now(why)}" for why, n in told["dropped"].items()],
        **failure_words(told["failures"]),
    }


SYNTHESIS = SynthesisPage(
    words=stored_remark_words,
    place=_place,
    report=_report,
    writer=_("Words written by"),
    by_rule=_("rules"),
    writer_help=_(
        "A model puts each query into words. Where they lack a city, the days or the day of departure, it is asked "
        "again, at most three times; then the words by rule stay."
    ),
    usual_days=_("Leave empty for days from May to September 2026."),
)
