"""What sessions of TripScore lost: reward, by the constraint and the item of the plan that lost it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from benchmark.core.events import DraftWithdrawn, Event, MessagePosted
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.misses import Finding, Miss, share_points
from benchmark.remarks import gettext_noop as _
from benchmark.suites.base import Figures, Misses, Ratings
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.judging.rubrics import join_ratings
from benchmark.suites.tripscore.metrics import (
    COMMON_SENSE,
    CONSTRAINTS,
    DELIVERED,
    FEASIBLE,
    FORMAT,
    KEYS_BY_RUBRIC,
    LABELS,
    PREFERENCE,
    RATED,
    REWARD,
    SOFT,
)
from benchmark.suites.tripscore.scoring.parameters import USER, Parameters
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.scoring.worth import STRENGTHS, of_request, of_sights
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Task

AnySetting = Setting[Task, None]
_Key = tuple[str, ...]
_RULES, _JUDGE = "highest", "highest_rated"
_CAUSES: Final[Mapping[str, str]] = {
    "no_plan": "no_plan",
    "unknown_id": "invented",
    "other_name": "against_world",
    "known_external": "against_world",
    "other_link": "against_world",
    "other_time": "against_world",
    "day_count": "dropped",
    "no_sight": "left_out",
    "no_hotel": "left_out",
    "no_leg_from": "left_out",
    "no_leg_to": "left_out",
    "other_date": "against_world",
    "other_period": "against_world",
    "closed": "against_world",
    "opens_late": "against_world",
    "arrives_late": "against_world",
    "leaves_early": "against_world",
}
"""By what is found."""
_CAUSES_OF_RULES: Final[Mapping[str, str]] = {
    **dict.fromkeys(CONSTRAINTS[FORMAT], "inconsistent"),
    **dict.fromkeys(CONSTRAINTS[COMMON_SENSE], "inconsistent"),
    **dict.fromkeys(CONSTRAINTS[SOFT], "arranged"),
    **dict.fromkeys(CONSTRAINTS[PREFERENCE], "dropped"),
    **dict.fromkeys(KEYS_BY_RUBRIC.values(), "judged"),
    "response_format": "malformed",
}
"""By the constraint, of whatever else is found."""


def _find(log: Sequence[Event], setting: AnySetting, figures: Figures, ratings: Ratings) -> Iterator[Miss]:
    session = _LostPlan(log, setting, figures)
    reward = figures.get(REWARD)
    if isinstance(reward, int | float):
        yield from session.misses(REWARD, reward, session.evidence[_RULES], {})
        yield from _rating_misses(session, figures, ratings)
    else:
        yield Miss(REWARD, "no_plan", "unjudged", 0.0, seqs=session.end)


def _rating_misses(session: _LostPlan, figures: Figures, ratings: Ratings) -> Iterator[Miss]:
    """The same of the reward with a judge's ratings, where one has rated it by every rubric that counts."""
    given = join_ratings(figures, ratings).get(RATED) if ratings else None
    if given is None:
        yield Miss(RATED, "no_rating", "unjudged", 0.0, seqs=session.end)
        return
    told = {key: own.ratings.get(key) for key, own in ratings.items()}
    parameters = session.parameters
    judged = {KEYS_BY_RUBRIC[key]: of_sights(told.get(key)) for key in ("iconic", "diversity")}
    judged[USER] = of_request(told.get(USER), parameters.user_zero)
    yield from session.misses(RATED, given, session.evidence[_JUDGE], judged)


class _LostPlan:
    """The plan of a session, and what was found against it."""

    def __init__(self, log: Sequence[Event], setting: AnySetting, figures: Figures) -> None:
        self._log, self._task, self._figures = log, setting.task, figures
        evidence = figures.get("evidence")
        self.evidence: Mapping[str, Any] = evidence if isinstance(evidence, dict) else {}
        self.parameters = Parameters.model_validate(self.evidence.get("parameters", {}))
        self.end = (log[-1].seq,)

    def misses(
        self, metric: str, reward: float, highest: float, judged: Mapping[str, float | None]
    ) -> Iterator[Miss]:
        """What the reward lacks of the highest one. judged: the constraints that a judge has rated."""
        lost = max(0.0, highest - reward)
        if self._figures.get(FEASIBLE):
            shares = self._shares(judged)
            rest = lost - sum(shares.values())
            yield from self._constraints(metric, {key: own for key, own in shares.items() if own > 0})
            yield from self._wishes_without_figures(metric, rest)
            return
        gate = COMMON_SENSE if self._figures.get(DELIVERED) else FORMAT
        broken = [key for key in CONSTRAINTS[gate] if self._figures.get(key) in (False, 0)]
        yield from self._constraints(metric, {key: lost / len(broken) for key in broken})

    def _shares(self, judged: Mapping[str, float | None]) -> dict[str, float]:
        """What each constraint takes of a feasible plan's reward."""
        rules = self.parameters
        soft = {key: judged.get(key, self._figures.get(key)) for key in CONSTRAINTS[SOFT]}
        wished = {key: judged.get(key, self._figures.get(key)) for key in self.evidence["stated"]}
        return _weighted_losses(soft, rules.w1, rules.w3, rules, judged) | _weighted_losses(
            wished, rules.w2, rules.w4.get(self._task.query.type, 0.0), rules, judged
        )

    def _wishes_without_figures(self, metric: str, rest: float) -> Iterator[Miss]:
        """What was lost by wishes of which nothing can be told, such as of hotels without known stars."""
        lacking = [
            key
            for key in self.evidence["stated"]
            if self._figures.get(key) is None and key not in KEYS_BY_RUBRIC.values()
        ]
        if lacking and rest > 1e-9:
            found = [Miss(metric, key, "unjudged", 0.0, seqs=self._seqs) for key in lacking]
            yield from share_points(found, rest)

    def _constraints(self, metric: str, lost: Mapping[str, float]) -> Iterator[Miss]:
        """What is found against each, which share what it lost; one miss at least."""
        for key, points in lost.items():
            marks = [mark for mark in self.evidence["marks"] if mark["params"].get("constraint") == key]
            found = [
                Miss(
                    metric,
                    key,
                    self._cause(key, mark),
                    0.0,
                    item=_words(mark),
                    seqs=self._seqs,
                    began=began,
                    finding=_finding(mark),
                )
                for mark in marks or [{"key": "", "params": {}}]
                for began in [self._began(mark)]
            ]
            yield from share_points(found, points)

    def _cause(self, key: str, mark: Mapping[str, Any]) -> str:
        if key in CONSTRAINTS[PREFERENCE] and not self._can_be_met(key):
            return "impossible"
        if key == "attraction" and not mark["key"]:
            return "left_out"
        return _CAUSES.get(mark["key"]) or _CAUSES_OF_RULES[key]

    def _can_be_met(self, wish: str) -> bool:
        """Whether the data of the request hold anything that would."""
        wishes, reference = self._task.query.preferences, self._task.reference
        if wish == "budget" and wishes.budget:
            low, high = self.parameters.band(wishes.budget) or (0, None)
            stars = [hotel.star for hotel in reference.hotels if hotel.star is not None]
            return not stars or any(low <= star and (high is None or star < high) for star in stars)
        tags = {tag for place in reference.attractions for tag in place.folded_tags}
        if wish == "attraction":
            return bool(tags & {fold_name(tag) for tag in wishes.attraction})
        if wish == "effort" and wishes.effort and fold_name(wishes.effort) != "light":
            return bool(tags & {*STRENGTHS})
        return True

    @property
    def _seqs(self) -> tuple[int, ...]:
        """The message with the plan, or the end of a session without one; then the request."""
        said = [event.seq for event in self._log if _is_answer(event)]
        asked = [e.seq for e in self._log if isinstance(e.body, MessagePosted) and e.body.role != AGENT]
        return (said[-1] if said else self.end[0], *asked[:1])

    def _began(self, mark: Mapping[str, Any]) -> int | None:
        """The first answer in which this was found, drafts that were withdrawn too."""
        sought = _key_of(mark)
        return next((seq for seq, found in self._versions if sought in found), None)

    @cached_property
    def _versions(self) -> list[tuple[int, set[_Key]]]:
        """What is found in each plan that the agent wrote, by its event; the last one is the session's."""
        lookup = Lookup(self._task.reference)
        versions = []
        for event in self._log:
            body = event.body
            if (isinstance(body, DraftWithdrawn) and body.speaker == AGENT) or (
                isinstance(body, MessagePosted) and body.role == AGENT
            ):
                plan = find_plan(body.content)
                score = score_plan(plan, self._task, self.parameters, {}, lookup)
                found = {
                    _key_of({"key": mark.key, "params": {**mark.params, "constraint": key}})
                    for key, marks in score.marks.items()
                    for mark in marks
                }
                versions.append((event.seq, found))
        return versions


def _key_of(mark: Mapping[str, Any]) -> _Key:
    """What tells a finding from another, whatever its figures."""
    told = mark["params"]
    return mark["key"], str(told.get("constraint")), str(told.get("day")), str(told.get("name"))


def _is_answer(event: Event) -> bool:
    return isinstance(event.body, MessagePosted) and event.body.role == AGENT


def _weighted_losses(
    values: Mapping[str, Any],
    weights: Mapping[str, float],
    whole: float,
    rules: Parameters,
    judged: Mapping[str, float | None],
) -> dict[str, float]:
    """What each value lacks of 1, by its weight: what is missing weighs nothing, or counts 0 as the run has it."""
    counts_zero = rules.missing == "zero"
    known = {key: value for key, value in values.items() if counts_zero or value is not None}
    total = sum(weights.get(key, 0.0) for key in known)
    can_lose = {
        key: value
        for key, value in known.items()
        if value is not None or key not in KEYS_BY_RUBRIC.values() or key in judged
    }
    return {
        key: whole * weights.get(key, 0.0) * (_best(key, rules) - (value or 0.0)) / total if total else 0.0
        for key, value in can_lose.items()
    }


def _best(key: str, rules: Parameters) -> float:
    """The most that a constraint can be worth."""
    return max(1.0, rules.user_zero) if key == USER else 1.0


def _words(mark: Mapping[str, Any]) -> str:
    """Day, period and item, and what they are against."""
    told = {key: value for key, value in mark["params"].items() if key != "constraint"}
    parts = [str(told.pop(key)) for key in ("day", "period", "name", "field") if told.get(key) is not None]
    return " · ".join(
        [*parts, *(f"{key} {_short(value)}" for key, value in told.items() if value is not None)]
    )


def _finding(mark: Mapping[str, Any]) -> Finding | None:
    """The same for pages, which say it in a reader's language; None where no mark tells what lost the points."""
    told = tuple((key, value) for key, value in mark["params"].items() if key != "constraint")
    return Finding(mark["key"], told) if mark["key"] else None


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


MISSES: Final = Misses(
    version="2",
    find=_find,
    metrics=(REWARD, RATED),
    kinds={**LABELS, "no_plan": _("no plan"), "no_rating": _("not rated by a judge")},
)
