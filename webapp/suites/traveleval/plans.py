"""What the rules find in a plan, in words."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchmark.plans.view import CostLine, Mark
from benchmark.suites.traveleval.itineraries import TOTAL, cost_lines
from benchmark.suites.traveleval.metrics import METRICS
from webapp.pages.kinds import Context, Reading
from webapp.pages.plans import CostWords, PlanPages, Sentence
from webapp.plans.reading import SessionPlan
from webapp.wording.metrics import mean_digits

WORDS: dict[str, Promise] = {
    "unknown_place": _("the city has no “%(name)s”"),
    "closed": _("it begins while “%(name)s” is closed (open %(opens)s to %(closes)s)"),
    "no_service": _("no train or flight goes to “%(to)s”"),
    "other_number": _("the plan is not for %(people)s people"),
    "few_seats": _("there are %(room)g seats for %(people)s people"),
    "few_beds": _("there are %(room)g beds for %(people)s people"),
    "few_tickets": _("there are %(room)g tickets for %(people)s people"),
    "small_cars": _("the cars have %(room)g seats for %(people)s people"),
    "other_nights": _("the rooms are for %(nights)g nights, which are not those of the journey"),
    "other_hotel": _("the hotel is not as wished (it is known for “%(feature)s”)"),
    "other_mode": _("“%(mode)s” is not one of the wished modes"),
    "rejected_cuisine": _("“%(cuisine)s” is a rejected cuisine"),
    "open_cuisine": _("the wished cuisine “%(cuisine)s” does not come"),
    "no_transport": _("no public transport goes to “%(name)s” at that time"),
    "early_leg": _("it leaves before the last visit ends"),
    "other_days": _("the days are not those of the query, each once with its date"),
    "open_mode": _("the wished mode “%(mode)s” does not come"),
    "other_length": _("“%(name)s” is given %(hours).2f h; %(least)g to %(most)g h are recommended"),
}


def _words(mark: Mark) -> Sentence:
    rules = _("by the paper alone") if mark.profile else ""
    return Sentence(at=mark.at, text=str(WORDS[mark.key]) % mark.params, rules=rules)


_COSTS = {
    "attractions": _("attractions"),
    "intercity_transportation": _("between cities"),
    "intracity_transportation": _("in the city"),
    "accommodation": _("hotel"),
    "meals": _("meals"),
    "other": _("other"),
    TOTAL: _("total"),
}


def _costs(reading: Reading) -> list[CostLine]:
    """The kinds of costs in words."""
    shown = SessionPlan(reading)
    lines = cost_lines(shown.plan, shown.setting) if shown.plan else ()
    return [line._replace(label=str(_COSTS[line.label])) for line in lines]


def _names_context(reading: Reading, _sentences: Sequence[Sentence]) -> Context:
    """What names were changed before the plan was scored, and the figures that came out otherwise before."""
    evidence = reading.score.figures.get("evidence", {}) if reading.score else {}
    before, after = evidence.get("as_written", {}), reading.score.figures if reading.score else {}
    changed = [metric for metric in METRICS if before and before.get(metric.key) != after.get(metric.key)]
    return {
        "names": evidence.get("names"),
        "name_figures": [
            (
                gettext(metric.name),
                mean_digits(metric, before[metric.key]),
                mean_digits(metric, after[metric.key]),
            )
            for metric in changed
        ],
    }


PLAN_PAGES = PlanPages(
    words=_words,
    costs=_costs,
    cost_words=CostWords(
        _("Costs of the party"),
        _("By the plan's own prices; the limit of all is the budget of the query."),
    ),
    more="suites/traveleval/names.html",
    more_context=_names_context,
)
