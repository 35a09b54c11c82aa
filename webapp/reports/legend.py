"""What a report's figures are, and what its numbers of tables and figures refer to."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

FIGURES: Mapping[str, Promise] = {
    "gu": gettext_lazy(
        "group utility: points for wishes that the plan meets, less points for those that it goes against and for "
        "splitting the group, on average a traveller; in points, with no lower or upper limit."
    ),
    "pc": gettext_lazy(
        "preference completeness: how many of the travellers' wishes the agent came to know; in %, 0 to 100."
    ),
    "gf": gettext_lazy(
        "group fairness: how near the utility of the least satisfied traveller comes to that of the most satisfied "
        "one; in %, 0 to 100 (all equally well off)."
    ),
    "pv": gettext_lazy(
        "plan validity: how many plans could be travelled as they are written, without any issue; in %, 0 to 100."
    ),
    "judge": gettext_lazy(
        "S, the score of the LLM judge: its mean rating of five dimensions, calibrated by the meta-judge; in points, "
        "0 to 100."
    ),
    "other": gettext_lazy(
        "the mean of PC, GF, PV and judge, over judged tasks, empty where there are none; 0 to 100."
    ),
    "rules": gettext_lazy("Other without the judge, over all tasks; 0 to 100."),
}
"""What each figure is, with its unit and range, by the key of its column."""
EXPLAINED_IN = "main_results"
"""The part that explains them; in others they are titles of columns."""


def counterpart_words() -> str:
    """What `Table 1` beside a heading means."""
    return _(
        "“Table 1” or “Figure 7” beside a heading: the table or figure of the GroupTravelBench paper that the part "
        "corresponds to."
    )
