"""The figures of TripScore, as a session shows them: the reward and the 22 constraints (Table 2 of the paper)."""

from __future__ import annotations

from benchmark.metrics import Group, Metric
from benchmark.metrics import gettext_noop as _

FORMAT, COMMON_SENSE, SOFT, PREFERENCE = "format", "commonsense", "soft", "pref"
GROUPS = (
    Group(FORMAT, _("Format")),
    Group(COMMON_SENSE, _("Common sense")),
    Group(SOFT, _("Soft constraints")),
    Group(PREFERENCE, _("Preferences")),
)
REWARD, DELIVERED, FEASIBLE, COND_REWARD, TIME = "reward", "delivered", "feasible", "cond_reward", "plan_time"

CONSTRAINTS: dict[str, dict[str, str]] = {
    FORMAT: {
        "response_format": _("the plan has the form of the paper"),
        "information_verification": _("what it names is in the data"),
        "information_accuracy": _("names and times are those of the data"),
        "information_relevance": _("descriptions and entries belong together"),
    },
    COMMON_SENSE: {
        "information_completeness": _("days, sights, hotels and legs are complete"),
        "chronological_order": _("periods and departures are in order"),
        "location_consistency": _("places are where the traveller is"),
        "operating_hours": _("sights are open"),
        "travel_block_out": _("legs leave time for sights"),
        "transport_consistency": _("legs make one journey"),
    },
    SOFT: {
        "schedule_density": _("days that are neither full nor empty"),
        "hotel_consistency": _("nights without a change of hotel near by"),
        "daytime_utilization": _("days that are used before the evening"),
        "unique_attractions": _("sights that are not visited again"),
        "location_clustering": _("no long ways between sights"),
        "iconic_landmarks": _("famous sights, by a judge"),
        "attraction_diversity": _("sights of many kinds, by a judge"),
    },
    PREFERENCE: {
        "budget": _("nights in hotels of the wished class"),
        "pacing": _("hours a day as wished"),
        "attraction": _("sights of a wished kind"),
        "effort": _("days as hard as wished"),
        "user": _("the person's request, by a judge"),
    },
}
"""The constraints by group, each with what it says of a plan; the keys are those of golden files."""
LABELS: dict[str, str] = {
    "response_format": _("response format"),
    "information_verification": _("information verification"),
    "information_accuracy": _("information accuracy"),
    "information_relevance": _("information relevance"),
    "information_completeness": _("information completeness"),
    "chronological_order": _("chronological order"),
    "location_consistency": _("location consistency"),
    "operating_hours": _("operating hours"),
    "travel_block_out": _("travel block out"),
    "transport_consistency": _("transport consistency"),
    "schedule_density": _("schedule density"),
    "hotel_consistency": _("hotel consistency"),
    "daytime_utilization": _("daytime utilization"),
    "unique_attractions": _("unique attractions"),
    "location_clustering": _("location clustering"),
    "iconic_landmarks": _("iconic landmarks"),
    "attraction_diversity": _("attraction diversity"),
    "budget": _("budget"),
    "pacing": _("pacing"),
    "attraction": _("attraction"),
    "effort": _("effort"),
    "user": _("user"),
}
"""What tables call the constraints; the names are those of the paper."""
GATES = (FORMAT, COMMON_SENSE)
KEYS_BY_RUBRIC = {"iconic": "iconic_landmarks", "diversity": "attraction_diversity", "user": "user"}
"""Constraints that judges rate, by their rubrics."""
RATED = "rated"
"""The reward with the ratings of one judge."""


def _metric_of(group: str, key: str, name: str) -> Metric:
    label = LABELS[key]
    if group in GATES:
        return Metric(
            key=key, label=label, name=name, group=group, unit="flag", met_words=_("kept"), digits=1
        )
    return Metric(key=key, label=label, name=name, group=group, digits=3, partial=True)


def _metric_of_rubric(rubric: str, label: str, name: str) -> Metric:
    """What a rating is worth in points, calibrated where a meta-judge was asked."""
    return Metric(key=f"judge_{rubric}", label=label, name=name, digits=1, partial=True, source="rater")


METRICS = (
    Metric(
        key=REWARD,
        label=_("Reward"),
        name=_("reward by rules"),
        of_runs=_("mean reward by rules"),
        digits=3,
        headline=True,
        help=_("What judges rate is left out; with a person's words 3.0 is the most by rules alone."),
        meaning=_(
            "−3 without a plan of the right form, 0 against common sense, else by rules from 2 to 3.1, or to 3.0 "
            "with a person's words."
        ),
    ),
    Metric(
        key=DELIVERED,
        label="DR",
        name=_("delivered"),
        of_runs=_("delivery rate"),
        unit="flag",
        digits=1,
        met_words=_("delivered"),
        headline=True,
        meaning=_("Plans that pass the four constraints of format."),
    ),
    Metric(
        key=FEASIBLE,
        label="CPR",
        name=_("passes common sense"),
        of_runs=_("share of the delivered that passes common sense"),
        unit="flag",
        digits=1,
        met_words=_("feasible"),
        headline=True,
        partial=True,
        meaning=_("Delivered plans that pass the six constraints of common sense."),
    ),
    Metric(
        key=COND_REWARD,
        label="CondR",
        name=_("reward of a feasible plan by rules"),
        of_runs=_("mean reward of feasible plans by rules"),
        digits=3,
        headline=True,
        partial=True,
        meaning=_("The reward by rules of plans that pass both gates."),
    ),
    Metric(
        key=TIME,
        label=_("time, s"),
        name=_("seconds of the model's requests"),
        better="low",
        digits=1,
        partial=True,
        help=_("From the first request to the plan; waits for rate limits are left out."),
        meaning=_("Seconds from the first request to a model until the plan, without waits for rate limits."),
    ),
    Metric(
        key=RATED,
        label=_("Rated reward"),
        name=_("reward with a judge's ratings"),
        of_runs=_("mean reward with a judge's ratings; over sessions that it rated by every rubric"),
        digits=3,
        partial=True,
        source="rater",
        help=_("At most 3.1, or 4.4 with a person's words; one a judge."),
        meaning=_(
            "The reward with one judge's ratings of famous sights, variety and the person's request: at most 3.1, or "
            "4.4 with a person's words."
        ),
    ),
    _metric_of_rubric("iconic", _("S iconic"), _("famous sights, by a judge, 0 to 100")),
    _metric_of_rubric("diversity", _("S diversity"), _("variety of sights, by a judge, 0 to 100")),
    _metric_of_rubric("user", _("S user"), _("the person's request, by a judge, 0 to 100")),
    *(
        _metric_of(group, key, name)
        for group, constraints in CONSTRAINTS.items()
        for key, name in constraints.items()
    ),
)
