"""What sessions of GroupTravelBench lost: wishes, what was never learned of them, and faults of plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.core.events import Event
from benchmark.core.setting import Setting
from benchmark.misses import CauseWords, Miss
from benchmark.remarks import gettext_noop as _
from benchmark.suites.base import Figures, Misses, Ratings
from benchmark.suites.grouptravel.misses.faults import validity_misses
from benchmark.suites.grouptravel.misses.knowledge import completeness_misses
from benchmark.suites.grouptravel.misses.reading import LostSession
from benchmark.suites.grouptravel.misses.wishes import utility_misses
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.tasks import Task


def _find(
    log: Sequence[Event], setting: Setting[Task, Catalogue], figures: Figures, ratings: Ratings
) -> Iterator[Miss]:
    session = LostSession.of(log, setting)
    yield from utility_misses(session)
    yield from validity_misses(session)
    yield from completeness_misses(session)


MISSES = Misses(
    version="1",
    find=_find,
    metrics=("gu", "pv", "pc"),
    kinds={
        "avg_budget": _("budget"),
        "transport.must": _("transport must"),
        "transport.prefer": _("transport prefers"),
        "transport.avoid": _("transport avoids"),
        "transport.reject": _("transport refuses"),
        "intensity.max_poi_per_day": _("sights per day"),
        "intensity.max_active_hours": _("hours per day"),
        "hotel_preference.prefer": _("hotel prefers"),
        "hotel_preference.avoid": _("hotel avoids"),
        "attractions.must_visit": _("must visit"),
        "attractions.reject_visit": _("refuses to visit"),
        "attractions.category_pref.positive": _("likes"),
        "attractions.category_pref.negative": _("dislikes"),
        "food.must_eat": _("must eat"),
        "food.prefer_eat": _("prefers to eat"),
        "food.avoid_eat": _("avoids eating"),
        "food.reject_eat": _("refuses to eat"),
        "split": _("the group goes separate ways"),
        "no_plan": _("no plan"),
    },
    causes={
        "overlap": CauseWords(
            _("in the plan at the time of something else"),
            _(
                "The plan has it, but something else of the same traveller overlaps it, so that it does not count."
            ),
        ),
        "apart": CauseWords(
            _("in the plan, without them"), _("Others of the group go there, and not the traveller.")
        ),
        "unknown": CauseWords(
            _("in the plan, unknown to the world"),
            _("The plan has it under a name that the world does not know."),
        ),
        "counted": CauseWords(
            _("in the plan, counted as something else"),
            _("The plan has it, and the same place counts for another wish of the traveller."),
        ),
        "wrong_tier": CauseWords(
            _("noted as another kind of wish"),
            _("The agent's table has it, but as a stronger, weaker or opposite wish."),
        ),
        "stale": CauseWords(
            _("noted as before a compromise"),
            _("The agent's table has what the traveller wished before they gave way."),
        ),
    },
)
