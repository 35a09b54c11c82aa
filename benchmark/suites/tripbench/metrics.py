"""The figures of TRIP-Bench: violations, verdicts, and the twelve constraints of every plan, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchmark.metrics import Group, Metric
from benchmark.metrics import gettext_noop as _
from benchmark.passes import PassFigure, rule_of_passes
from benchmark.suites.tripbench.rubrics.labels import LABELS, figure_key

FEASIBILITY, SOUNDNESS, PASSES = "feasibility", "soundness", "passes"
GROUPS: Final = (
    Group(FEASIBILITY, _("Basic feasibility")),
    Group(SOUNDNESS, _("Planning soundness")),
    Group(PASSES, _("Several trials")),
)
STRICT, LOOSE = "strict", "loose"
F_FEAS, F_SOUND, F_USER, USER_SHARE = "f_feas", "f_sound", "f_user", "user_share"
STRICT_TURNS, LOOSE_TURNS, TURNS = "strict_per_turn", "loose_per_turn", "agent_turns"
OUTPUT_TOKENS, COST = "output_tokens", "agent_cost"
CONSTRAINTS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    FEASIBILITY: {
        "structural_validity": (_("structure"), _("the plan has the form that is asked for")),
        "poi_validity": (_("items"), _("what it names exists, in the destinations")),
        "trip_frame": (_("trip"), _("dates, party, cities and legs are those of the trip")),
        "daily_content": (_("days"), _("nights have hotels, full days a sight and a meal")),
    },
    SOUNDNESS: {
        "timeline": (_("timeline"), _("times are in order, without long gaps")),
        "durations": (_("durations"), _("visits and meals are neither too short nor too long")),
        "opening_hours": (_("opening hours"), _("places are open")),
        "intercity_buffers": (_("buffers"), _("legs have their times and the time before them")),
        "local_transfers": (_("transfers"), _("ways inside a city are there, and take as long as estimated")),
        "spatial_logic": (_("ways"), _("restaurants are near, days do not go to and fro")),
        "diversity": (_("diversity"), _("no sight or restaurant comes twice")),
        "product_consistency": (_("products"), _("rooms, tickets and menus are for the party")),
    },
}
"""The twelve by group, each with its label and with what it says of a plan; the keys are those of golden files."""
TRIALS: Final = 4
"""k of the figures over several trials."""


def _flag(group: str, key: str, label: str, name: str) -> Metric:
    return Metric(
        key=key, label=label, name=name, group=group, unit="flag", met_words=_("kept"), digits=1, scope="turn"
    )


def _count(key: str, label: str, name: str) -> Metric:
    return Metric(
        key=key, label=label, name=name, unit="count", better="low", scope="turn", partial=key != F_FEAS
    )


def _rubric_metric(rubric: str, label: str) -> Metric:
    return Metric(
        key=figure_key(rubric),
        label=label,
        name=label,
        unit="share",
        digits=1,
        partial=True,
        detail_of=USER_SHARE,
    )


def _metrics_of_trials() -> Iterator[Metric]:
    words: Mapping[PassFigure, tuple[str, str, str]] = {
        "pass@k": ("pass_any", _("pass@4"), _("chance that one of four trials passes")),
        "pass^k": ("pass_all", _("pass^4"), _("chance that all of four trials pass")),
        "avg@k": ("pass_mean", _("avg@4"), _("share of the first four trials that pass")),
    }
    for verdict, called in ((LOOSE, _("loose")), (STRICT, _("strict"))):
        for figure, (key, label, name) in words.items():
            yield Metric(
                key=f"{verdict}_{key}",
                label=label,
                name=name,
                short=called,
                group=PASSES,
                unit="share",
                digits=1,
                scope="run",
                of_run=rule_of_passes(verdict, figure, TRIALS),
                made_of=(verdict,),
            )


METRICS: Final = (
    Metric(
        key=LOOSE,
        label=_("loose"),
        name=_("passes the loose verdict in the end"),
        unit="flag",
        digits=1,
        met_words=_("has passed"),
        missed_words=_("has not passed"),
        scope="turn",
        headline=True,
        meaning=_(
            "The plan of the last turn violates nothing of feasibility, at most two constraints of soundness and one "
            "of the user."
        ),
    ),
    Metric(
        key=STRICT,
        label=_("strict"),
        name=_("passes the strict verdict in the end"),
        unit="flag",
        digits=1,
        met_words=_("has passed"),
        missed_words=_("has not passed"),
        scope="turn",
        headline=True,
        meaning=_("The plan of the last turn violates nothing."),
    ),
    Metric(
        key=LOOSE_TURNS,
        label=_("loose, a turn"),
        name=_("share of turns that pass the loose verdict"),
        unit="share",
        digits=1,
    ),
    Metric(
        key=STRICT_TURNS,
        label=_("strict, a turn"),
        name=_("share of turns that pass the strict verdict"),
        unit="share",
        digits=1,
    ),
    Metric(
        key=USER_SHARE,
        label=_("user's, met"),
        name=_("share of the user's constraints that are met"),
        unit="share",
        digits=1,
        scope="turn",
        partial=True,
    ),
    _count(F_FEAS, "F_feas", _("violations of feasibility")),
    _count(F_SOUND, "F_sound", _("violations of soundness")),
    _count(F_USER, "F_user", _("the user's constraints that are violated")),
    Metric(key=TURNS, label=_("turns"), name=_("replies of the agent"), unit="count", better="neither"),
    Metric(
        key=OUTPUT_TOKENS,
        label=_("output tokens"),
        name=_("tokens that the agent's model gave"),
        unit="count",
        better="neither",
        partial=True,
    ),
    Metric(
        key=COST,
        label=_("cost of the agent"),
        name=_("what the agent's model cost, in the currency of its endpoint"),
        better="low",
        digits=4,
        partial=True,
    ),
    *(_rubric_metric(rubric, label) for rubric, label in LABELS.items()),
    *(
        _flag(group, key, label, name)
        for group, constraints in CONSTRAINTS.items()
        for key, (label, name) in constraints.items()
    ),
    *_metrics_of_trials(),
)
