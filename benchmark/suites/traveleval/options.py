"""What is chosen for a TravelEval session."""

from __future__ import annotations

import os

from benchmark.core.options import Value
from benchmark.metrics import gettext_noop as _
from benchmark.plans.hours import read_window_text
from benchmark.remarks import Remark
from benchmark.suites.base import Option, check_between
from benchmark.suites.traveleval.factors import (
    BASE_MINUTES,
    DATE_FACTORS,
    DENSITIES,
    HOUR_FACTORS,
    Numbers,
    numbers_text,
    refuse_numbers,
)

LENIENT, STRICT = "lenient", "strict"
SCHEMA_OPTION = Option(
    key="schema",
    label=_("A plan off the schema"),
    default=LENIENT,
    values={LENIENT: _("counts, with what can be read of it"), STRICT: _("is none, as published")},
    usual=False,
)
ROUNDS_OPTION = Option(
    key="rounds",
    label=_("Rounds of ReAct"),
    default=3,
    check=check_between(1, 3),
    help=_("How often ReAct may look something up before its plan; the paper's limit is 3."),
    usual=False,
)
REFLECTIONS_OPTION = Option(
    key="reflections",
    label=_("Reflections of Reflexion"),
    default=1,
    check=check_between(0, 3),
    help=_(
        "How often Reflexion looks back at its plan and writes it anew; once in the paper, at most 3 times."
    ),
    usual=False,
)
OPTIONS = (SCHEMA_OPTION, ROUNDS_OPTION, REFLECTIONS_OPTION)

BY_PROFILE, NO_QUEUES, PUBLISHED_QUEUES, HOLIDAY_QUEUES = "profile", "none", "published", "holidays"
QUEUE_OPTION = Option(
    key="queue",
    label=_("Queues at sights"),
    default=BY_PROFILE,
    values={
        BY_PROFILE: _("by each profile's own calendar"),
        PUBLISHED_QUEUES: _("by the published dates"),
        HOLIDAY_QUEUES: _("by the calendar of holidays"),
        NO_QUEUES: _("none"),
    },
    help=_("Which queues the scores take from the time of visits."),
    usual=False,
)
ROADS_KEY = "CARAVAN_AMAP_KEY"
"""Of the environment."""


def _refuse_roads(choice: Value) -> Remark | None:
    if choice != AMAP or os.environ.get(ROADS_KEY):
        return None
    words = _("set %(variable)s for the server and its workers, or choose %(great_circle)s or %(streets)s")
    return Remark(words, {"variable": ROADS_KEY, "great_circle": GREAT_CIRCLE, "streets": STREETS})


GREAT_CIRCLE, STREETS, AMAP, NO_DISTANCES = "great_circle", "streets", "amap", "none"
DISTANCE_OPTION = Option(
    key="distances",
    label=_("Distances"),
    default=GREAT_CIRCLE,
    values={
        GREAT_CIRCLE: _("as the crow flies"),
        STREETS: _("by street or metro, estimated from the world"),
        AMAP: _("by road, as AMap tells them"),
        NO_DISTANCES: _("none, as without a road service"),
    },
    check=_refuse_roads,
    help=_("AMap can be chosen where CARAVAN_AMAP_KEY is set. Its answers are kept."),
    usual=False,
)


def _refuse_hours(text: Value) -> Remark | None:
    if not text or read_window_text(str(text)):
        return None
    return Remark(_("write two times of day, such as 06:00-23:00, or nothing"))


SERVICE_OPTION = Option(
    key="service_hours",
    label=_("Hours of public transport"),
    default="",
    check=_refuse_hours,
    help=_("Such as 06:00-23:00; without them nobody knows whether ways by bus and metro are served."),
    usual=False,
)
AS_WRITTEN, STANDARD = "as_written", "standard"
NAMES_OPTION = Option(
    key="names",
    label=_("Names of places"),
    default=AS_WRITTEN,
    values={AS_WRITTEN: _("as the plan has them"), STANDARD: _("those of the tables that are most alike")},
    help=_("The published pipeline changes names before it scores; each change is told beside the plan."),
    usual=False,
)


def _numbers_option(key: str, label: str, usual: Numbers, words: str, least: float = 0.0) -> Option:
    def check(text: Value) -> Remark | None:
        return refuse_numbers(str(text), usual, least)

    return Option(key=key, label=label, default=numbers_text(usual), check=check, help=words, usual=False)


BASE_OPTION = _numbers_option(
    "queue_base", _("Queues by kind of sight"), BASE_MINUTES, _("B of the paper: minutes of a usual day.")
)
DATES_OPTION = _numbers_option(
    "queue_dates",
    _("Queues by kind of day"),
    DATE_FACTORS,
    _("K_date of the paper: what queues are multiplied by. The published dates know no short holiday."),
)
HOURS_OPTION = _numbers_option(
    "queue_hours", _("Queues by hour"), HOUR_FACTORS, _("K_time of the paper: what queues are multiplied by.")
)
DENSITIES_OPTION = _numbers_option(
    "densities",
    _("Sights a day"),
    DENSITIES,
    _("What ADS compares with: of a packed and of a slow trip, with children or seniors, of others."),
    least=0.01,
)
SCORING_OPTIONS = (
    QUEUE_OPTION,
    BASE_OPTION,
    DATES_OPTION,
    HOURS_OPTION,
    DISTANCE_OPTION,
    SERVICE_OPTION,
    DENSITIES_OPTION,
    NAMES_OPTION,
)
