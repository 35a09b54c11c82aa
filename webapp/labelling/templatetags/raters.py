"""Filters of the pages on raters and on weights."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from benchmark.labelling.statistic import Statistic
from webapp.labelling.figures import MessageMean
from webapp.labelling.rater_accuracy import Source
from webapp.labelling.strata import stratum_labels, value_words
from webapp.labelling.wording import interval_words
from webapp.wording.numbers import number_words, share_words
from webapp.wording.remarks import remark_words

register = template.Library()
_FACETS: Mapping[str, str | Promise] = {
    "stratum": _lazy("stratum"),
    "agents": _lazy("agents"),
    "speaker": _lazy("speaker"),
}
_KINDS: Mapping[str, str | Promise] = {
    "metric": _lazy("metric of the rules"),
    "judge": _lazy("judge"),
    "pointwise": _lazy("model, plan by plan"),
    "pairwise": _lazy("model, pair by pair"),
}
_ANSWER_WORDS: Mapping[str, str | Promise] = {
    "A": "A",
    "B": "B",
    "neither": _lazy("neither"),
    "tie": _lazy("equally good"),
}


@register.filter
def stat(statistic: Statistic | None) -> str:
    """A value with its decimals, a share in per cent; a dash for none."""
    if statistic is None or statistic.value is None:
        return "–"
    if statistic.definition.share:
        return f"{share_words(statistic.value)} %"
    return number_words(statistic.value, 3)


register.filter("stat_interval", interval_words)


@register.filter
def stat_why(statistic: Statistic | None) -> str:
    """Why there is no value, "" where there is one."""
    return (
        ""
        if statistic is None or statistic.value is not None or statistic.reason is None
        else remark_words(statistic.reason)
    )


register.filter("remark", remark_words)


@register.filter
def in_words(text: str) -> str:
    """A message id of the core in the page's language."""
    return _(text) if text else ""


@register.filter
def decimals(value: float | None, places: int = 3) -> str:
    """A number with so many decimals; a dash for none."""
    return number_words(value, places)


@register.filter
def short(value: float) -> str:
    """A weight with as many digits as it has, six at most."""
    return f"{value:g}"


@register.filter
def signed_number(value: float | None, places: int = 2) -> str:
    """A number with its sign; a dash for none."""
    return number_words(value, places, signed=True)


@register.filter
def percent(share: float | None) -> str:
    """A share of 1 in per cent; a dash for none."""
    return "–" if share is None else f"{share_words(share)} %"


@register.filter
def facet_words(name: str, suite: str) -> str:
    """What results are split by: agents and strata, or a field of the benchmark's tasks."""
    return str(_FACETS.get(name) or stratum_labels(suite).get(name, name))


@register.filter
def slice_words(part: MessageMean, suite: str) -> str:
    """The value by which messages were chosen."""
    return value_words(suite, part.facet, part.value) or "–"


@register.filter
def source_words(kind: str) -> str:
    """What kind of rater it is."""
    return str(_KINDS.get(kind, kind))


@register.filter
def rater_words(source: Source) -> str:
    """What a rater is called: a metric's name, a judge's with what it makes of a plan, a model's."""
    if source.metric is None:
        return source.name
    metric = _(source.metric.name)
    return (
        metric
        if source.rater is None
        else _("%(figure)s: %(judge)s") % {"figure": metric, "judge": source.name}
    )


@register.filter
def said_words(label: str | None) -> str:
    """What people or a rater say of a pair; a dash for nothing."""
    return str(_ANSWER_WORDS.get(label or "", "–"))
