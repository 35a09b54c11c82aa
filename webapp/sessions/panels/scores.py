"""The four scores with what stands behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.scoring import differences
from webapp.sessions.head import score_figures
from webapp.sessions.log import whole_log
from webapp.sessions.models import Score
from webapp.sessions.panels.gaps import Gap, gaps, history_seqs
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of
from webapp.wording.fields import field_label, field_of, value_words
from webapp.wording.issues import IssueLine, issue_lines, unchecked_words


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
    """One traveller's part of the scores. share: completeness in %; utility None without a plan."""

    user: str
    found: int
    possible: int
    share: str
    utility: float | None
    points: list[PointLine]
    gaps: list[Gap]


@dataclass(frozen=True)
class Stricter:
    """The score by the paper's rules beside the published one.

    issues: what only the paper's rules find; unchecked: what they could not look at, with how often each was said.
    """

    score: Score
    issues: list[IssueLine]
    unchecked: list[tuple[str, int]]


@dataclass(frozen=True)
class WorstOff:
    """Who scores least and most, with their scores; what costs the first, and what the plan lacks of their wishes."""

    least: str
    most: str
    low: float
    high: float
    costs: list[tuple[str, PointLine]]
    unmet: list[tuple[str, str]]


STRICT = "paper"


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Figures and evidence; only `score` is set, to None, before there are any."""
    score = reading.score
    if score is None:
        return {"score": None, "ended": reading.session.ended}
    figures, evidence = score.figures, score.figures.get("evidence", {})
    seqs = history_seqs(whole_log(reading.session.pk))
    return {
        "score": score,
        "stricter": _stricter(score, scores_of(reading.session).get(STRICT)),
        "named": list(zip(score_figures(score), _explained(), strict=True)),
        "shares": [_share(user, figures, evidence, seqs) for user in reading.users],
        "total": figures.get("gu_total"),
        "penalty": figures.get("split_penalty"),
        "splits": evidence.get("splits", ()),
        "fairness": _fairness(evidence.get("fairness")),
        "issues": issue_lines(evidence.get("validity", ())),
        "precision": evidence.get("completeness", {}).get("precision"),
    }


def _share(user: str, figures: Mapping[str, Any], evidence: Mapping[str, Any], seqs: Sequence[int]) -> Share:
    found, possible = (figures.get("per_user_completeness") or {}).get(user, (0, 0))
    fields = evidence.get("completeness", {}).get("users", {}).get(user, ())
    return Share(
        user=user,
        found=found,
        possible=possible,
        share=f"{100 * found / possible if possible else 100:.1f}%",
        utility=(figures.get("per_user_utility") or {}).get(user),
        points=[_point(p) for p in evidence.get("utility", ()) if p["user"] == user],
        gaps=list(gaps(fields, seqs)),
    )


def _point(point: Mapping[str, Any]) -> PointLine:
    field, city = field_of(point["path"])
    label = field_label(field, city) if field is not None else point["path"]
    item = value_words(point["item"], field)
    where = point["place"]
    if not where:
        figure = value_words(float(point["matched"]), field) if field is not None else point["matched"]
        where = _("it is %(figure)s") % {"figure": figure}
    return PointLine(f"{point['points']:+d}", point["points"] > 0, f"{label}: {item}", where, point["day"])


def _stricter(score: Score, paper: Score | None) -> Stricter | None:
    """None while there is no score by the paper's rules."""
    if paper is None or not paper.figures:
        return None
    evidence = paper.figures.get("evidence", {})
    unchecked = Counter(unchecked_words(entry) for entry in evidence.get("not_checkable", ()))
    return Stricter(paper, stricter_issues(score, paper), list(unchecked.items()))


def stricter_issues(score: Score, paper: Score | None) -> list[IssueLine]:
    """What only the paper's rules find in the plan."""
    first = score.figures.get("evidence", {})
    second = paper.figures.get("evidence", {}) if paper else {}
    found = [d.second for d in differences(first, second) if d.part == "validity" and d.first is None]
    return issue_lines(found, stricter=True)


def _fairness(evidence: Mapping[str, Any] | None) -> WorstOff | None:
    """None without a plan, or when all are equally well off."""
    if not evidence or not evidence["least"]:
        return None
    return WorstOff(
        least=", ".join(evidence["least"]),
        most=", ".join(evidence["most"]),
        low=evidence["low"],
        high=evidence["high"],
        costs=[(point["user"], _point(point)) for point in evidence["costs"]],
        unmet=[(wish["user"], _wish(wish)) for wish in evidence["unmet"]],
    )


def _wish(wish: Mapping[str, Any]) -> str:
    field, city = field_of(wish["path"])
    label = field_label(field, city) if field is not None else wish["path"]
    return f"{label}: {value_words(wish['item'], field)}"


def _explained() -> list[str]:
    return [
        _("how much of the travellers' wishes the agent came to know"),
        _("what the plan is worth to the group, a traveller on average"),
        _("the least satisfied against the most satisfied, in %"),
        _("whether the plan could be travelled as it is written"),
    ]
