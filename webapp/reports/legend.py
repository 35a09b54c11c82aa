"""What a report's figures are, and what its numbers of tables and figures refer to."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.reports.tasks import metrics_of_tasks, metrics_of_whole_runs

_MEANS: Mapping[str, Promise] = {
    "other": gettext_lazy(
        "the mean of PC, GF, PV and judge, over judged tasks, empty where there are none; 0 to 100."
    ),
    "rules": gettext_lazy("Other without the judge, over all tasks; 0 to 100."),
}


def meanings() -> dict[str, str]:
    """What each figure is, with its unit and range, by the key of its column."""
    metrics = [*metrics_of_tasks(), *metrics_of_whole_runs()]
    told = {metric.key: _(metric.meaning or metric.name) for metric in metrics}
    return told | {key: str(meaning) for key, meaning in _MEANS.items()}


EXPLAINED_IN = "main_results"
"""The part that explains them; in others they are titles of columns."""


def counterpart_words() -> str:
    """What `Table 1` beside a heading means."""
    return _(
        "“Table 1” or “Figure 7” beside a heading: the table or figure of the GroupTravelBench paper that the part "
        "corresponds to."
    )
