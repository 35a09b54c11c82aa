"""What GroupTravelBench tells of its plans beside what all plans tell: what they cost each, and every issue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from benchmark.plans.view import CostLine, Mark
from benchmark.suites.grouptravel.preferences import GLOBAL_FIELDS, number, read
from benchmark.suites.grouptravel.provenance import Sources
from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.scoring.utility import trip_cost
from webapp.pages.plans import CostWords, PlanPages, Sentence
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of, values_in
from webapp.suites.grouptravel.panels.scores import stricter_evidence
from webapp.suites.grouptravel.wording.issues import PAPER, issue_marks, issue_words

_BUDGET = GLOBAL_FIELDS[0]
_NO_CATALOGUE = Catalogue({})
"""Costs need no catalogue; opening hours come with the score."""


def _costs(reading: Reading) -> list[CostLine]:
    """What each traveller pays, beside the budget of their table."""
    tables = {user: reading.state.tables[user] for user in reading.users}
    trip = prepare(reading.state.plan, list(tables), _NO_CATALOGUE)
    return [
        CostLine(user, trip_cost(user, trip), number(read(table, _BUDGET))) for user, table in tables.items()
    ]


def _marks(reading: Reading) -> list[Mark]:
    """The issues, those that only the paper's rules find at the end."""
    if reading.score is None:
        return []
    published = reading.score.figures.get("evidence", {}).get("validity", ())
    paper = stricter_evidence(reading.score, scores_of(reading.session).get(PAPER))
    return issue_marks(published) + issue_marks(paper, stricter=True)


def _validity(reading: Reading, sentences: Sequence[Sentence]) -> dict[str, Any]:
    """Whether the plan is valid, by either rules."""
    return {
        "issues": int(values_in(reading.score).get("issues", 0)),
        "stricter": sum(line.stricter for line in sentences),
        "checked": reading.score is not None and reading.score.figures.get("pv") is not None,
    }


PLAN_PAGES = PlanPages(
    words=issue_words,
    marks=_marks,
    costs=_costs,
    cost_words=CostWords(
        _("Cost per person"),
        _(
            "Legs, hotels and the meals that the traveller joins. Tickets and local transport do not count against "
            "the budget."
        ),
    ),
    more="suites/grouptravel/validity.html",
    more_context=_validity,
    sources=lambda reading: Sources(reading.events).result_with,
)
