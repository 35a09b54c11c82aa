"""What menus of files offer beside the usual: Parquet, sets of training."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from benchmark.exports.rows import parquet_is_here as is_here
from benchmark.suites import suite_named
from webapp.exchange.training import LABELS, PARQUET, logprobs_of
from webapp.sessions.models import Run

register = template.Library()


@register.simple_tag
def training_files(run: Run) -> list[tuple[str, str]]:
    """The sets of training of a run: the format of each, and what it is called; none of most benchmarks."""
    if suite_named(run.suite).training is None:
        return []
    ends = {"": "JSONL", **({PARQUET: "Parquet"} if is_here() else {})}
    return [
        (f"{name}{end}", f"{label} ({kind})") for name, label in LABELS.items() for end, kind in ends.items()
    ]


@register.simple_tag
def token_words(run: Run) -> str:
    """What its sets have of the tokens of its agent's answers; "" without sets, or without a model."""
    model = run.setup.get("agent_model")
    if suite_named(run.suite).training is None or not model:
        return ""
    if not model.get("logprobs"):
        return _("Without log-probabilities: the model of the agent was not asked for them.")
    found = logprobs_of(run)
    words = _("With log-probabilities: %(n)s of %(of)s answers of the agent in sessions that have ended.")
    return words % {"n": found.answers, "of": found.of}


@register.simple_tag
def parquet_is_here() -> bool:
    """Whether it can be written here."""
    return is_here()
