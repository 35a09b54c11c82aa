"""Statistics, and what is wrong with answers of models that compare, in words."""

from __future__ import annotations

import re

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.labelling.statistic import Statistic
from webapp.wording.numbers import number_words, share_words


def interval_words(statistic: Statistic | None) -> str:
    """The 95 % interval, "" where there is none."""
    if statistic is None or statistic.low is None or statistic.high is None:
        return ""
    if statistic.definition.share:
        return f"{share_words(statistic.low)} – {share_words(statistic.high)} %"
    return f"{number_words(statistic.low, 3)} – {number_words(statistic.high, 3)}"


_FAULTS: dict[str, Promise] = {
    "no_json": _("the answer contains no JSON object"),
    "repaired": _("the answer's JSON was broken and had to be repaired"),
    "ambiguous": _("the answer holds several different results, so none of them counts"),
    "twice": _("a key is written more than once, so it does not count"),
    "cut_off": _("the answer reached its length limit"),
    "missing": _("a key is missing"),
    "wrong_type": _("a value can't be read"),
    "out_of_range": _("a value is out of its range"),
}
"""Of `benchmark.labelling.comparing.answers`."""
_KINDS = "|".join(_FAULTS)
_FAULT = re.compile(rf"({_KINDS})(?: \((.*?)\))?(?=; (?:{_KINDS})|$)", re.DOTALL)


def problem_words(stored: str) -> str:
    """Why a model's answer was unusable, from faults as they are stored (`missing (score); cut_off`).

    Anything else, such as what a server said, stays as it is.
    """
    faults = list(_FAULT.finditer(stored))
    if "; ".join(fault[0] for fault in faults) != stored:
        return stored
    return "; ".join(_fault_words(*fault.groups()) for fault in faults)


def _fault_words(kind: str, detail: str | None) -> str:
    words = str(_FAULTS[kind])
    return _now("%(fault)s: %(detail)s") % {"fault": words, "detail": detail} if detail else words
