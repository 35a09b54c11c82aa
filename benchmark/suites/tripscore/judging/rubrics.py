"""Three things that judges rate (TripScore, appendices H.1 to H.3), and the reward with their ratings in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmark.core.events import Event
from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric, Transcript
from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Ratings
from benchmark.suites.tripscore.judging.comparing import compared_case
from benchmark.suites.tripscore.metrics import FEASIBLE, KEYS_BY_RUBRIC, RATED, REWARD
from benchmark.suites.tripscore.scoring.parameters import SOFT, USER, Parameters
from benchmark.suites.tripscore.scoring.reward import reward_of_worth
from benchmark.suites.tripscore.scoring.worth import of_request, of_sights
from benchmark.suites.tripscore.tasks.task import REAL, SYNTHETIC
from benchmark.text.prompts import Prompts

_FOLDER: Final = Path(__file__).parent / "prompts"
_TRIES: Final = 3


def _transcript_by(prompts: Prompts) -> Callable[[Iterable[Event]], Transcript]:
    def read(events: Iterable[Event]) -> Transcript:
        """The request and the last plan. Raises ValueError: the log does not begin with its opening."""
        case = compared_case(events)
        answer = case.answer or prompts.line(case.language, "lines", "no_plan")
        shown = prompts.fill(case.language, "shown", query=case.request, answer=answer)
        return Transcript(shown, frozenset(), case.language)

    return read


def _rubric(dimension: Dimension, label: str, points: Callable[[int], float | None], **more: Any) -> Rubric:
    key = dimension.key
    prompts = Prompts(_FOLDER / key, _FOLDER / "shared")
    form = InputForm(
        PUBLISHED,
        label,
        prompts,
        _transcript_by(prompts),
        temperature=0.0,
        tries=_TRIES,
        calibration_optional=True,
    )

    def score(ratings: Mapping[str, int], meta: int | None) -> float:
        """What the constraint is worth, times 100, and times meta / 5 where a meta-judge said something."""
        return 100 * (points(ratings[key]) or 0.0) * (1 if meta is None else meta / 5)

    return Rubric(f"judge_{key}", (dimension,), {PUBLISHED: form}, score, name=key, **more)


ICONIC, DIVERSITY = "iconic", "diversity"
RUBRICS: Final = (
    _rubric(
        Dimension(
            ICONIC, _("famous sights"), lists=(("missing_attractions", _("famous sights that are missing")),)
        ),
        _("the plan"),
        of_sights,
    ),
    _rubric(
        Dimension(DIVERSITY, _("variety of sights"), lists=(("diversity_issues", _("more of the same")),)),
        _("the plan"),
        of_sights,
    ),
    _rubric(
        Dimension(USER, _("the person's request"), lowest=0),
        _("the request and the plan"),
        lambda rating: of_request(rating, 1.0),
        unrated_facets={"type": SYNTHETIC},
    ),
)


def join_ratings(figures: Mapping[str, Any], ratings: Ratings) -> dict[str, float]:
    """The reward with what one judge says; nothing of a feasible plan that it has not rated by every rubric that
    counts. figures: of a session, as they are stored.
    """
    if not figures.get(FEASIBLE):
        return {RATED: figures[REWARD]}
    evidence = figures["evidence"]
    parameters = Parameters.model_validate(evidence["parameters"])
    is_real = USER in evidence["stated"]
    given = {key: own.ratings.get(key) for key, own in ratings.items()}
    needed = (ICONIC, DIVERSITY, *([USER] if is_real else []))
    rated = [given.get(key) for key in needed]
    if any(rating is None for rating in rated):
        return {}
    soft = {key: figures.get(key) for key in SOFT.values()}
    soft |= {KEYS_BY_RUBRIC[key]: of_sights(given[key]) for key in (ICONIC, DIVERSITY)}
    wished = {key: figures.get(key) for key in evidence["stated"]}
    if is_real:
        wished[USER] = of_request(given[USER], parameters.user_zero)
    return {RATED: reward_of_worth(soft, wished, REAL if is_real else SYNTHETIC, parameters)}
