"""How the reward of a plan comes about: gates, weights, evidence, parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchmark.plans.view import Mark
from benchmark.suites.tripscore.metrics import (
    CONSTRAINTS,
    GATES,
    GROUPS,
    KEYS_BY_RUBRIC,
    LABELS,
    RATED,
    SOFT,
)
from benchmark.suites.tripscore.scoring.options import SCORING_OPTIONS, words_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from webapp.judging.models import Judgement
from webapp.judging.wording import rating_lists, source_words
from webapp.sessions.models import MetricValue
from webapp.sessions.reading import Reading
from webapp.suites.tripscore.plans import words_of as finding_words
from webapp.wording.numbers import number_words
from webapp.wording.options import option_value


class ShownFinding(NamedTuple):
    """where: day, period and item. mend: what would set it right."""

    where: str
    text: str
    mend: str


class ShownParameter(NamedTuple):
    """changed: whether it differs from the profile `published`."""

    key: str
    label: str
    value: str
    changed: bool


@dataclass(frozen=True)
class ShownConstraint:
    """value: in words. weight: "" where the query does not ask for it. kept: None for figures."""

    label: str
    name: str
    value: str
    weight: str
    kept: bool | None
    findings: list[ShownFinding]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Each constraint by group, with the highest reward and the parameters; nothing before there is a score."""
    if reading.score is None:
        return {"groups": [], "ended": reading.session.ended}
    figures = reading.score.figures
    evidence = figures["evidence"]
    judged = _judge_findings(reading)
    labels = dict(GROUPS)
    return {
        "groups": [
            (
                _(labels[group]),
                group not in GATES,
                [_constraint(group, key, name, figures, judged) for key, name in keys.items()],
            )
            for group, keys in CONSTRAINTS.items()
        ],
        "reward": number_words(figures["reward"], 3),
        "highest": number_words(evidence["highest"], 3),
        "highest_rated": number_words(evidence["highest_rated"], 3),
        "rated": [
            (rater, number_words(value, 3))
            for rater, value in MetricValue.objects.filter(
                session=reading.session, profile=reading.score.profile, key=RATED
            ).values_list("rater", "value")
        ],
        "parameters": list(_parameters(evidence["parameters"])),
        "profile": reading.score.profile,
        "long_texts": ", ".join(evidence.get("long_texts", ())),
    }


def _judge_findings(reading: Reading) -> Mapping[str, list[ShownFinding]]:
    """What judges say of each constraint that they rate, with what they list."""
    found: dict[str, list[ShownFinding]] = {}
    rows = Judgement.objects.filter(session=reading.session, score__isnull=False)
    for row in rows.select_related("batch__judge").order_by("pk"):
        for key, rating in row.ratings.items():
            score = _("rated %(rating)s of 5") % {"rating": rating["score"]}
            lists = (
                f"{listed.label}: {'; '.join(listed.entries)}"
                for listed in rating_lists(rating, key, reading.session.suite)
            )
            where = ", ".join(filter(None, (row.batch.judge.name, source_words(row))))
            told = ShownFinding(where, f"{score}. {rating['rationale']}", ". ".join(lists))
            found.setdefault(KEYS_BY_RUBRIC.get(key, key), []).append(told)
    return found


def _constraint(
    group: str,
    key: str,
    name: str,
    figures: Mapping[str, Any],
    judged: Mapping[str, list[ShownFinding]],
) -> ShownConstraint:
    value, evidence = figures.get(key), figures["evidence"]
    is_gate = group in GATES
    shown = "–" if value is None else _("kept") if value is True else _("broken") if is_gate else ""
    weights = evidence["parameters"]["w1" if group == SOFT else "w2"]
    asked = not is_gate and (group == SOFT or key in evidence["stated"])
    return ShownConstraint(
        _(LABELS[key]),
        _(name),
        shown or number_words(value, 3),
        number_words(weights.get(key, 0), 2) if asked else "",
        value if is_gate else None,
        [*_findings(key, evidence), *judged.get(key, ())],
    )


def _findings(key: str, evidence: Mapping[str, Any]) -> Iterator[ShownFinding]:
    for raw in evidence["marks"]:
        if raw["params"].get("constraint") == key:
            sentence = finding_words(Mark(tuple(raw["at"]), raw["key"], raw["params"]))
            yield ShownFinding(sentence.place, sentence.text, sentence.mend)


def _parameters(told: Mapping[str, Any]) -> Iterator[ShownParameter]:
    """In the order of the options; weights by their whole names."""
    usual = DEFAULTS.model_dump(mode="json")
    for option in SCORING_OPTIONS:
        value = told[option.key]
        shown = option_value(option, value if option.values or isinstance(value, bool) else words_of(value))
        yield ShownParameter(option.key, _(option.label), shown, value != usual[option.key])
