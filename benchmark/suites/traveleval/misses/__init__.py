"""What sessions of TravelEval lost: in each figure that has a best value, by the item of the plan that lost it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from benchmark.core.events import Event
from benchmark.core.setting import Setting
from benchmark.misses import CauseWords, Miss
from benchmark.remarks import gettext_noop as _
from benchmark.suites.base import Figures, Misses, Ratings, split_rating
from benchmark.suites.traveleval.judging.rubric import HIGHEST, LOWEST, RUBRIC
from benchmark.suites.traveleval.misses.parts import FINDERS, Part
from benchmark.suites.traveleval.misses.reading import LostPlan
from benchmark.suites.traveleval.scoring.costs import KINDS
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables

_FLAGS: Final = ("bcs", "tcs", "hcs", "pas_a", "pas_t", "pas_c", "ttcs")
_HIGH: Final = (*_FLAGS, "str")
"""Of which 1 is the best; of the others 0 is."""
_NO_FIGURE: Final[Mapping[str, str]] = {
    "not_reached": "no_plan",
    "refused": "malformed",
    "unreadable": "malformed",
}


def _find(
    log: Sequence[Event], setting: Setting[Query, Tables], figures: Figures, ratings: Ratings
) -> Iterator[Miss]:
    session = LostPlan(log, setting, figures)
    for metric, find in FINDERS.items():
        value = figures.get(metric)
        if not isinstance(value, int | float):
            why = session.missing(metric)
            cause = _NO_FIGURE.get(str(why.get("reason")), "unjudged")
            yield Miss(metric, "no_figure", cause, 0.0, item=str(why.get("field", "")), seqs=session.plan_seq)
        elif (lost := 1 - value if metric in _HIGH else value) > 0:
            yield from _share(session, metric, lost, [*find(session)])
    yield from _rating_misses(session, ratings)


def _share(session: LostPlan, metric: str, lost: float, parts: Sequence[Part]) -> Iterator[Miss]:
    """What each part loses, by its weight; one that nothing is found for loses all."""
    told = parts or [Part("other", "left_out")]
    whole = sum(part.weight for part in told)
    for part in told:
        points = lost * part.weight / whole if whole else lost / len(told)
        seqs = (*session.plan_seq, *part.seqs, *(session.request_seq if part.cause == "dropped" else ()))
        began = session.began(part.mark)
        yield Miss(
            metric,
            part.kind,
            part.cause,
            points,
            item=part.item,
            seqs=seqs,
            began=began,
            failures=part.failures,
        )


def _rating_misses(session: LostPlan, ratings: Ratings) -> Iterator[Miss]:
    """What a judge's score lacks of 100, by dimension; the rest is what a meta-judge took of it."""
    said = ratings.get(RUBRIC.name)
    if said is None:
        yield Miss(RUBRIC.metric, "no_rating", "unjudged", 0.0, seqs=session.plan_seq)
        return
    parts, rest = split_rating(said, LOWEST, HIGHEST)
    for dimension, points in parts.items():
        if points > 0:
            yield Miss(RUBRIC.metric, dimension, "judged", points, seqs=session.plan_seq)
    if rest > 1e-9:
        cause = "meta" if parts else "no_plan"
        yield Miss(RUBRIC.metric, "score", cause, rest, seqs=session.plan_seq)


MISSES: Final = Misses(
    version="1",
    find=_find,
    metrics=(*FINDERS, RUBRIC.metric),
    kinds={
        "no_figure": _("no figure"),
        "no_rating": _("not rated by a judge"),
        "score": _("the whole score"),
        "sight": _("sight"),
        "journey": _("journey between cities"),
        "seats": _("seats"),
        "beds": _("beds"),
        "tickets": _("tickets"),
        "cars": _("cars"),
        "people": _("number of travellers"),
        "spent": _("budget"),
        "told": _("whether it keeps the budget, as the plan says"),
        "days": _("number of days"),
        "nights": _("number of nights"),
        "hotel": _("kind of hotel"),
        "mode": _("mode of transport"),
        "cuisine": _("wished cuisine"),
        "rejected": _("rejected cuisine"),
        "length": _("length of a visit"),
        "queue": _("time in queues"),
        "short": _("visit shorter than its queue"),
        "way": _("order of a day's places"),
        "other": _("other"),
        **{
            f"cost_{kind}": words
            for kind, words in zip(
                KINDS,
                (
                    _("cost of attractions"),
                    _("cost of journeys between cities"),
                    _("cost of ways in the city"),
                    _("cost of the hotel"),
                    _("cost of meals"),
                    _("other costs"),
                ),
                strict=True,
            )
        },
        **{dimension.key: dimension.label for dimension in RUBRIC.dimensions},
    },
    causes={
        "misnamed": CauseWords(
            _("under another name"), _("The world has something that is called much like it.")
        ),
        "meta": CauseWords(
            _("a meta-judge's rating"), _("A meta-judge found the judgement less than excellent.")
        ),
    },
)
