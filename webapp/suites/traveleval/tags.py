"""Tags of the templates of TravelEval."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.utils.translation import gettext as _

from benchmark.suites.traveleval.factors import KINDS_ELSEWHERE
from benchmark.suites.traveleval.metrics import METRICS
from benchmark.suites.traveleval.scoring import examples
from webapp.wording.metrics import mean_digits, percent_label

register = template.Library()
_METRICS = {metric.key: metric for metric in METRICS}


class ExampleRow(NamedTuple):
    """A worked example in words. published_value, paper_value: a dash for none."""

    label: str
    words: str
    caveat: str
    published_value: str
    paper_value: str


@register.simple_tag
def other_kinds() -> str:
    """What worlds call kinds of sights, and what the queue model calls them."""
    return ", ".join(f"{kind} → {name}" for kind, name in KINDS_ELSEWHERE.items())


@register.simple_tag
def worked_examples() -> list[ExampleRow]:
    """What both profiles make of a plan, for each metric on which they differ."""
    return [
        ExampleRow(
            percent_label(metric),
            _(work.words),
            _(work.caveat) if work.caveat else "",
            mean_digits(metric, work.published_value),
            mean_digits(metric, work.paper_value),
        )
        for work in examples.worked_examples()
        for metric in (_METRICS[work.key],)
    ]
