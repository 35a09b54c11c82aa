"""What people answered, for pages: of one session, and over the sessions of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from webapp.jobs import services as jobs
from webapp.people.exports import SeatTenure, answers_in, has_people, held_in, presence_of
from webapp.people.jobs import REMOVAL
from webapp.people.models import PRESENCES, Guest, Sitting, Study
from webapp.people.questionnaire import HIGHEST, LOWEST, STANDARD, Question, asked_in, questions_of
from webapp.sessions.models import Run, Session
from webapp.sessions.reading import Reading


@dataclass(frozen=True, slots=True)
class ScaleResult:
    """The answers to one scale. low, high: of the mean's interval, None of fewer than two answers."""

    question: Question
    count: int
    mean: float
    low: float | None
    high: float | None

    @property
    def words(self) -> str:
        """What was asked, in the reader's language."""
        return self.question.words(get_language() or "en")

    @property
    def ends(self) -> str:
        """What 1 and 7 mean."""
        low, high = self.question.ends(get_language() or "en")
        return f"{LOWEST} {low} … {HIGHEST} {high}" if low and high else f"{LOWEST} … {HIGHEST}"


def of_run(run: Run) -> list[ScaleResult]:
    """The scales that people of a run answered, in the order in which they are asked."""
    from benchmark.reports.statistics import Resampler, estimates  # numpy, where there is something to count

    answers = answers_in(run.sessions.order_by().values("pk"))
    if not answers:
        return []
    import numpy as np

    asked = _questions_of(run)
    keys = [*(key for key in asked if key in answers), *(key for key in answers if key not in asked)]
    blocks = [np.array(answers[key], float)[:, None] for key in keys]
    return [
        ScaleResult(
            asked.get(key, Question(key, "scale", key, key)),
            len(answers[key]),
            estimate.value or 0.0,
            estimate.low,
            estimate.high,
        )
        for key, (estimate,) in zip(keys, estimates(blocks, Resampler()), strict=True)
    ]


def _questions_of(run: Run) -> dict[str, Question]:
    """The questions of all studies of a run by key, and the standard ones."""
    studies = Study.objects.filter(pk__in=Sitting.objects.filter(session__run=run).values("study"))
    questions: dict[str, Question] = {}
    for study in studies:
        questions = {question.key: question for question in questions_of(study)} | questions
    return questions | {question.key: question for question in STANDARD if question.key not in questions}


def drawing(answered: Sequence[ScaleResult]) -> dict[str, Any]:
    """A bar a question with the interval of its mean, as `static/js/charts.js` draws it."""
    names = [answer.question.key for answer in answered]
    above = [None if answer.high is None else max(0.0, answer.high - answer.mean) for answer in answered]
    below = [None if answer.low is None else max(0.0, answer.mean - answer.low) for answer in answered]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [answer.mean for answer in answered],
        "y": names,
        "marker": {"color": "var(--accent)"},
        "error_x": {"type": "data", "symmetric": False, "array": above, "arrayminus": below},
    }
    return {
        "data": [bars],
        "layout": {
            "height": 90 + 36 * len(names),
            "xaxis": {"title": {"text": _("mean answer")}, "range": [0, HIGHEST], "dtick": 1},
            "yaxis": {"type": "category", "autorange": "reversed", "showgrid": False},
        },
    }


# The panel of a session.


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """Somebody who held a seat. answers: with what was asked. waits: the removal of their data is asked for."""

    tenure: SeatTenure
    presence: list[dict[str, Any]]
    answers: list[tuple[str, str, str]]
    waits: bool

    @property
    def guest(self) -> Guest:
        return self.tenure.guest

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Their presence, with the words for it."""
        return [
            {**change, "words": PRESENCES.get(change["presence"], change["presence"])}
            for change in self.presence
        ]


def has_guests(session: Session) -> bool:
    """Whether somebody took a seat of a session, or of the one that its log is from; asked once for a page."""
    known: bool | None = getattr(session, "_has_guests", None)
    if known is None:
        known = has_people(Session.objects.filter(pk=session.pk))
        session._has_guests = known  # type: ignore[attr-defined]
    return known


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Who sat where, when they were there, what they answered; whatever the moment."""
    session = reading.session
    holders = held_in(session)
    waiting = set(
        jobs.open_jobs(REMOVAL)
        .filter(subject__in=[held.guest.pk for held in holders])
        .values_list("subject", flat=True)
    )
    return {
        "people": [
            ParticipantRow(
                held, presence_of(session, held), _answers(session, held.guest), held.guest.pk in waiting
            )
            for held in holders
        ]
    }


def _answers(session: Session, guest: Guest) -> list[tuple[str, str, str]]:
    """What was asked, the answer, and what the ends of its scale mean."""
    language = get_language() or "en"
    asked = {question.key: question for question in asked_in(session)}
    answers = []
    for key, value in guest.answers.items():
        question = asked.get(key)
        ends = question.ends(language) if question else ("", "")
        scale = f"{LOWEST} {ends[0]} … {HIGHEST} {ends[1]}" if any(ends) else ""
        answers.append((question.words(language) if question else key, str(value), scale))
    return answers
