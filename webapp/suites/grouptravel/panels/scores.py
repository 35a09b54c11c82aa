"""The scores with what stands behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites import metrics_of
from benchmark.suites.grouptravel.provenance import Sources
from benchmark.suites.grouptravel.scoring import differences
from webapp.plans.reading import proposed_at
from webapp.sessions.log import whole_log
from webapp.sessions.models import Score
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of, values_in
from webapp.suites.grouptravel.panels.gaps import Gap, gaps, history_seqs
from webapp.suites.grouptravel.wording.fields import field_label, field_of, value_words
from webapp.suites.grouptravel.wording.issues import (
    PAPER,
    IssueLine,
    fault_words,
    group_issues,
    issue_lines,
    unchecked_words,
)
from webapp.wording.metrics import shown_values
from webapp.wording.numbers import number_words


@dataclass(frozen=True)
class PointLine:
    """A point of utility in words. points: signed; why: the field and the item; where: the part of the plan."""

    points: str
    good: bool
    why: str
    where: str
    day: Any


@dataclass(frozen=True)
class Share:
    """One traveller's part of the scores. share: completeness in %; utility: signed, a dash without a plan."""

    user: str
    found: int
    possible: int
    share: str
    utility: str
    points: list[PointLine]
    gaps: list[Gap]


@dataclass(frozen=True)
class Stricter:
    """The score by the paper's rules beside the published one.

    issues: what only the paper's rules find; unchecked_parts: what they could not look at, with how often each was
    said.
    """

    score: Score
    issues: list[IssueLine]
    unchecked_parts: list[tuple[str, int]]


@dataclass(frozen=True)
class Lack:
    """A wish that earned no point, and why: not in the plan, or where on which day it came to nothing."""

    user: str
    wish: str
    why: str
    day: Any


@dataclass(frozen=True)
class WorstOff:
    """Who scores least and most, with their scores; what costs the first, and which of their wishes earn nothing."""

    least: str
    most: str
    low: str
    high: str
    costs: list[tuple[str, PointLine]]
    unmet_wishes: list[Lack]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Figures and evidence; only `score` is set, to None, before there are any."""
    score = reading.score
    values = values_in(score)
    if score is None:
        return {"score": None, "ended": reading.session.ended}
    figures, evidence = score.figures, score.figures.get("evidence", {})
    seqs = history_seqs(whole_log(reading.session.pk))
    return {
        "score": score,
        "warnings": [fault_words(fault) for fault in figures.get("warnings", ())],
        "stricter": _stricter(score, scores_of(reading.session).get(PAPER)),
        "has_plan": "pv" in values,
        "crashed": "pc" not in values,
        "named": list(shown_values(metrics_of(reading.session.suite), values)),
        "shares": [_share(user, figures, evidence, seqs) for user in reading.users],
        "total": None if figures.get("gu_total") is None else number_words(figures["gu_total"], 0),
        "each": number_words(values.get("gu"), 2),
        "penalty": figures.get("split_penalty"),
        "splits": evidence.get("splits", ()),
        "fairness": _fairness(evidence.get("fairness")),
        "groups": group_issues(_trace_issues(reading, evidence.get("validity", ()))),
        "proposed_at": proposed_at(reading),
    }


def _trace_issues(reading: Reading, evidence: Sequence[Mapping[str, Any]]) -> list[IssueLine]:
    """The issues of the plan, those that only the paper's rules find at the end, each with the result it rests on."""
    assert reading.score is not None
    lines = issue_lines(evidence) + stricter_issues(reading.score, scores_of(reading.session).get(PAPER))
    sources, proposed = Sources(reading.events), proposed_at(reading)
    return [
        replace(line, source=sources.result_with(line.place, proposed)) if line.place else line
        for line in lines
    ]


def _share(user: str, figures: Mapping[str, Any], evidence: Mapping[str, Any], seqs: Sequence[int]) -> Share:
    found, possible = (figures.get("per_user_completeness") or {}).get(user, (0, 0))
    fields = evidence.get("completeness", {}).get("users", {}).get(user, ())
    return Share(
        user=user,
        found=found,
        possible=possible,
        share=f"{100 * found / possible if possible else 100:.1f}%",
        utility=number_words((figures.get("per_user_utility") or {}).get(user), 0),
        points=[_point(p) for p in evidence.get("utility", ()) if p["user"] == user],
        gaps=list(gaps(fields, seqs)),
    )


def _point(point: Mapping[str, Any]) -> PointLine:
    where = point["place"] or _("it is %(figure)s") % {"figure": _figure_reached(point)}
    return PointLine(_signed_points(point), point["points"] > 0, _wish(point), where, point["day"])


def _signed_points(point: Mapping[str, Any]) -> str:
    return number_words(point["points"], 0, signed=True)


def _figure_reached(point: Mapping[str, Any]) -> str:
    """The figure that went over a limit; money as the plan shows it, in whole yuan."""
    field, _city = field_of(point["path"])
    figure = float(point["matched"])
    if field is not None and field.topic == "budget":
        return f"¥{number_words(figure, 0)}"
    return value_words(round(figure, 2), field)


def _stricter(score: Score, paper: Score | None) -> Stricter | None:
    """None while there is no score by the paper's rules."""
    if paper is None or not paper.figures:
        return None
    evidence = paper.figures.get("evidence", {})
    unchecked = Counter(unchecked_words(entry) for entry in evidence.get("not_checkable", ()))
    return Stricter(paper, stricter_issues(score, paper), list(unchecked.items()))


def stricter_issues(score: Score, paper: Score | None) -> list[IssueLine]:
    """What only the paper's rules find in the plan."""
    return issue_lines(stricter_evidence(score, paper), stricter=True)


def stricter_evidence(score: Score, paper: Score | None) -> list[Mapping[str, Any]]:
    """The issues that only the paper's rules find."""
    first = score.figures.get("evidence", {})
    second = paper.figures.get("evidence", {}) if paper else {}
    return [d.second for d in differences(first, second) if d.part == "validity" and d.first is None]


def _fairness(evidence: Mapping[str, Any] | None) -> WorstOff | None:
    """None without a plan, or when all are equally well off."""
    if not evidence or not evidence["least"]:
        return None
    return WorstOff(
        least=", ".join(evidence["least"]),
        most=", ".join(evidence["most"]),
        low=number_words(evidence["low"], 0),
        high=number_words(evidence["high"], 0),
        costs=[(point["user"], _point(point)) for point in evidence["costs"]],
        unmet_wishes=[_lack(wish) for wish in evidence["unmet"]],
    )


def _lack(wish: Mapping[str, Any]) -> Lack:
    return Lack(wish["user"], _wish(wish), _why_nothing(wish), wish.get("day"))


def _why_nothing(wish: Mapping[str, Any]) -> str:
    """What became of a wish that earned no point; stored evidence may be of a time that did not tell."""
    place, by = wish.get("place", ""), wish.get("by")
    if by is not None:
        return _("%(place)s already counts: %(points)s for %(wish)s") % {
            "place": place,
            "points": _signed_points(by),
            "wish": _wish(by),
        }
    words = {
        "absent": _("the plan has nothing of it"),
        "overlap": _("%(place)s overlaps another activity, so it does not count"),
        "unknown": _("%(place)s is not in the catalogue"),
        "apart": _("the plan has %(place)s without this traveller"),
    }
    return words.get(wish.get("reason", ""), _("it earned no point")) % {"place": place}


def _wish(wish: Mapping[str, Any]) -> str:
    field, city = field_of(wish["path"])
    label = field_label(field, city) if field is not None else wish["path"]
    return f"{label}: {value_words(wish['item'], field)}"
