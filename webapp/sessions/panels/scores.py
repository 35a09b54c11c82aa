"""The four scores with what stands behind each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.preferences import PreferenceField
from webapp.sessions.head import score_figures
from webapp.sessions.reading import Reading
from webapp.wording.fields import field_label, field_of, path_label, value_words
from webapp.wording.issues import issue_lines


@dataclass(frozen=True)
class Gap:
    """A field in which the agent's belief is not the traveller's table."""

    label: str
    missed: str
    invented: str


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


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Figures and evidence; only `score` is set, to None, before there are any."""
    score = reading.score
    if score is None:
        return {"score": None, "ended": reading.session.ended}
    figures, evidence = score.figures, score.figures.get("evidence", {})
    utility: dict[str, float] = figures.get("per_user_utility") or {}
    return {
        "score": score,
        "named": list(zip(score_figures(score), _explained(), strict=True)),
        "shares": [_share(user, figures, evidence) for user in reading.users],
        "total": figures.get("gu_total"),
        "penalty": figures.get("split_penalty"),
        "splits": evidence.get("splits", ()),
        "least": min(utility.items(), key=lambda pair: pair[1], default=None),
        "most": max(utility.items(), key=lambda pair: pair[1], default=None),
        "issues": issue_lines(evidence.get("validity", ())),
        "precision": evidence.get("completeness", {}).get("precision"),
    }


def _share(user: str, figures: Mapping[str, Any], evidence: Mapping[str, Any]) -> Share:
    found, possible = (figures.get("per_user_completeness") or {}).get(user, (0, 0))
    fields = evidence.get("completeness", {}).get("users", {}).get(user, ())
    return Share(
        user=user,
        found=found,
        possible=possible,
        share=f"{100 * found / possible if possible else 100:.1f}%",
        utility=(figures.get("per_user_utility") or {}).get(user),
        points=[_point(p) for p in evidence.get("utility", ()) if p["user"] == user],
        gaps=[gap for f in fields if (gap := _gap(f)).missed or gap.invented],
    )


def _gap(entry: Mapping[str, Any]) -> Gap:
    field, _city = field_of(entry["path"])
    return Gap(path_label(entry["path"]), _values(entry["missed"], field), _values(entry["invented"], field))


def _values(values: Any, field: PreferenceField | None) -> str:
    return "、".join(value_words(value, field) for value in values)


def _point(point: Mapping[str, Any]) -> PointLine:
    field, city = field_of(point["path"])
    label = field_label(field, city) if field is not None else point["path"]
    item = value_words(point["item"], field)
    where = point["place"]
    if not where:
        figure = value_words(float(point["matched"]), field) if field is not None else point["matched"]
        where = _("it is %(figure)s") % {"figure": figure}
    return PointLine(f"{point['points']:+d}", point["points"] > 0, f"{label}: {item}", where, point["day"])


def _explained() -> list[str]:
    return [
        _("how much of the travellers' wishes the agent came to know"),
        _("what the plan is worth to the group, a traveller on average"),
        _("the least satisfied against the most satisfied, in %"),
        _("whether the plan could be travelled as it is written"),
    ]
