"""The 22 metrics of TravelEval in six groups (section 3.1 of the paper), as a session shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmark.metrics import Group, Metric
from benchmark.metrics import gettext_noop as _

GROUPS = (
    Group("accuracy", _("Accuracy")),
    Group("compliance", _("Compliance")),
    Group("temporality", _("Temporality")),
    Group("spatiality", _("Spatiality")),
    Group("economy", _("Economy")),
    Group("utility", _("Utility")),
)


_AS_PUBLISHED = {
    "far": _("As published any place of the city passes for a sight; by the paper sights alone."),
    "vroh": _("As published by the start alone, of meals at sights too; by the paper the whole visit."),
    "frtc": _("As published always 0: the program compares a field that no plan has."),
    "itd": _("As published night services are compared as if they arrived on the same day."),
    "pd": _("As published beds count twice, and tickets and cars only together; by the paper each once."),
    "bcs": _("As published of the plan's own budget; by the paper of the query's."),
    "pas_a": _("As published preferences alone where there are any; by the paper rejections too."),
    "pas_t": _("As published rejections of the last leg alone; by the paper of each."),
    "pas_c": _("As published an unknown restaurant has the cuisine of the meal before."),
    "str": _("As published one of a sight's kinds of queue is drawn at random; here it is the first."),
    "otu": _("As published a sum of shares, not of hours."),
    "csm_p90": _("As published of meals too, with a 0 where the first day gives no value."),
    "csm_p95": _("As published of meals too, with a 0 where the first day gives no value."),
    "aqe": _("As published without queues."),
    "be": _("As published missing where a sight has no star; by the paper that counts 3.0."),
    "profit": _("As published missing where a sight has no star; by the paper that counts 3.0."),
}
"""What is wrong with, or special about, the published figure."""


_HEADLINES = ("far", "bcs", "hcs", "str", "ssr", "be", "edi", "profit")


def _metric(
    group: str, key: str, label: str, name: str, meaning: str, better: Any = "high", **more: Any
) -> Metric:
    digits = 1 if more.get("unit") in ("share", "flag") else more.pop("digits", 3)
    return Metric(
        key=key,
        label=label,
        name=name,
        meaning=meaning,
        help=_AS_PUBLISHED.get(key, ""),
        group=group,
        better=better,
        digits=digits,
        headline=key in _HEADLINES,
        evidence=(f"rows.{key}",),
        **more,
    )


def _flag(key: str, label: str, name: str, meaning: str) -> Metric:
    return _metric(
        "compliance", key, label, name, meaning, unit="flag", met_words=_("kept"), missed_words=_("not kept")
    )


def _cost(kind: str, label: str, name: str) -> Metric:
    meaning = _("what this kind of things costs the whole party, by the plan's own prices; CNY.")
    return _metric("economy", f"cost_{kind}", label, name, meaning, "neither", digits=0)


def _share(kind: str, label: str, name: str) -> Metric:
    meaning = _("which share of all costs this kind of things is.")
    return _metric("economy", f"share_{kind}", label, name, meaning, "neither", unit="share")


def _ablation(group: str, of: str, key: str, label: str, name: str, better: Any, **more: Any) -> Metric:
    return replace(_metric(group, key, label, name, "", better, **more), detail_of=of)


METRICS = (
    _metric(
        "accuracy", "ccd", "CCD", _("cost calculation deviation"),
        _("how far the told costs are from those that follow from the plan's prices, for each CNY of these."), "low",
    ),
    _metric(
        "accuracy", "far", "FAR", _("fictitious attraction rate"),
        _("the share of visits to places that the city does not have."), "low", unit="share",
    ),
    _metric(
        "accuracy", "vroh", "VROH", _("violation rate of opening hours"),
        _("the share of visits while the place is closed."), "low", unit="share",
    ),
    _metric(
        "accuracy", "frtc", "FRTC", _("failure rate of traffic connections"),
        _("the share of ways that no public transport serves at that time; as published always 0."), "low",
        unit="share",
    ),
    _metric(
        "accuracy", "itd", "ITD", _("intercity traffic deviation"),
        _("how far the hours of journeys are from those of the timetable, for each hour of these."), "low",
    ),
    _metric(
        "accuracy", "pd", "PD", _("personnel deviation"),
        _("seats, beds and tickets too many or too few, for each traveller."), "low",
    ),
    _flag("bcs", "BCS", _("budget"), _("whether the costs keep the budget.")),
    _flag("tcs", "TCS", _("time"), _("whether the plan has as many days as asked.")),
    _flag("hcs", "HCS", _("people"), _("whether seats, beds, tickets and cars are enough for everybody.")),
    _flag("pas_a", "PAS-A", _("wishes for the hotel"), _("whether the hotel is as wished, for all nights.")),
    _flag("pas_t", "PAS-T", _("wishes for transport"), _("whether journeys are by the wished modes.")),
    _flag("pas_c", "PAS-C", _("wishes for meals"), _("whether the wished cuisines come, and no rejected one.")),
    _flag("ttcs", "TTCS", _("length of visits"), _("whether visits without queues last as long as recommended.")),
    _metric(
        "temporality", "str", "STR", _("scene-time ratio"),
        _("the share of visits that is no queue."), unit="share",
    ),
    _metric(
        "temporality", "dtu", "DTU", _("daily time utilization"),
        _("the share of each day that is spent at sights."), unit="share",
    ),
    _metric(
        "temporality", "otu", "OTU", _("overall time utilization"),
        _("the same of the whole journey; as published the sum of shares for each hour away."),
    ),
    _metric(
        "spatiality", "ssr", "SSR", _("scene sequence rationality"),
        _("how much longer the ways of a day are than the shortest ones by the same places."), "low",
    ),
    _metric(
        "spatiality", "csm_p90", "CSM P90", _("cross-day spatial mismatch, 90th percentile"),
        _("how far places lie from those of their day, against those of the nearest other day."), "low",
    ),
    _metric(
        "spatiality", "csm_p95", "CSM P95", _("cross-day spatial mismatch, 95th percentile"),
        _("how far places lie from those of their day, against those of the nearest other day."), "low",
    ),
    _metric(
        "economy", "be", "BE", _("budget efficiency"),
        _("stars of the visited sights, weighed by the wishes, for 1,000 CNY."),
    ),
    _cost("attractions", _("attractions"), _("cost of attractions")),
    _cost("intercity_transportation", _("between cities"), _("cost of journeys between cities")),
    _cost("intracity_transportation", _("in the city"), _("cost of ways in the city")),
    _cost("accommodation", _("hotel"), _("cost of the hotel")),
    _cost("meals", _("meals"), _("cost of meals")),
    _cost("other", _("other"), _("other costs")),
    _share("accommodation", "ACD", _("share of the hotel")),
    _share("attractions", "ATD", _("share of attractions")),
    _share("intercity_transportation", "ETD", _("share of journeys between cities")),
    _share("intracity_transportation", "RTD", _("share of ways in the city")),
    _share("meals", "MED", _("share of meals")),
    _share("other", "OTC", _("share of other costs")),
    _metric(
        "utility", "edi", "EDI", _("experience diversity index"),
        _("how evenly the visits are spread over the types of sights: an entropy, 1 for all 24 alike."),
    ),
    _metric(
        "utility", "ads", "ADS", _("attractions density score"),
        _("sights a day, against what suits the travellers."), "neither",
    ),
    _metric(
        "utility", "aqe", "AQE", _("attractions quality efficiency"),
        _("stars times hours at sights, for each hour away."),
    ),
    _metric(
        "utility", "profit", "Profit", _("profit"),
        _("stars of the visited sights, weighed by the wishes, for each visit."),
    ),
    _ablation(
        "temporality", "str", "str_no_queue", _("STR without queues"), _("scene-time ratio without queues"),
        "high", unit="share",
    ),
    _ablation(
        "temporality", "dtu", "dtu_no_queue", _("DTU without queues"), _("daily time utilization without queues"),
        "high", unit="share",
    ),
    _ablation(
        "temporality", "otu", "otu_no_queue", _("OTU without queues"),
        _("overall time utilization without queues"), "high",
    ),
    _ablation(
        "spatiality", "ssr", "distance", _("km between sights"),
        _("mean kilometres from a sight of a day to the next"), "neither",
    ),
    _ablation(
        "spatiality", "ssr", "distance_geodesic", _("km as the crow flies"),
        _("mean kilometres from a sight of a day to the next, as the crow flies"), "neither",
    ),
    Metric(
        key="judge",
        label=_("S"),
        name=_("the judge's score, 0 to 100"),
        of_runs=_("the judge's score, 0 to 100, calibrated by the meta-judge; over judged sessions"),
        meaning=_("the mean of six ratings by a judge who looks at plans as somebody who plans journeys; in points."),
        digits=1,
        source="rater",
    ),
)  # fmt: skip
