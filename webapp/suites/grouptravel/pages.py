"""What GroupTravelBench brings to the pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from benchmark.core.events import MessagePosted
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted, TurnGranted
from webapp.pages import FigureWords, Mark, Pages, Panel, SessionPage, TaskPage
from webapp.suites.grouptravel import outcome
from webapp.suites.grouptravel.comparison import comparison_context
from webapp.suites.grouptravel.editing import EDITOR
from webapp.suites.grouptravel.label_page import LABEL_PAGE
from webapp.suites.grouptravel.panels import preferences, scores, travellers
from webapp.suites.grouptravel.plans import PLAN_PAGES
from webapp.suites.grouptravel.results import cards
from webapp.suites.grouptravel.seat import SEAT
from webapp.suites.grouptravel.side_by_side import compare_sessions
from webapp.suites.grouptravel.synthesis import SYNTHESIS
from webapp.suites.grouptravel.wording.issues import TYPES
from webapp.suites.grouptravel.wording.statistics import STATISTICS_NAMES
from webapp.suites.grouptravel.wording.tallies import tally_words
from webapp.suites.grouptravel.wording.trips import trip_title
from webapp.suites.grouptravel.wording.turns import section, standing

PAGES = Pages(
    session=SessionPage(
        panels=(
            Panel(
                "preferences",
                _("Preferences"),
                preferences.context,
                "card_dealt table_inferred compromise_applied session_finished",
                before="tools",
                by_traveller=True,
            ),
            Panel(
                "travellers",
                _("Travellers"),
                travellers.context,
                "message_posted compromise_applied table_inferred session_finished",
                before="tools",
            ),
            Panel("scores", _("Scores"), scores.context, "session_finished"),
        ),
        marks=(
            Mark(
                "convergence",
                _("Convergence"),
                lambda body: isinstance(body, TurnGranted) and body.kind == "convergence",
                before="tool_error",
            ),
            Mark(
                "compromise",
                _("Compromise"),
                lambda body: isinstance(body, CompromiseApplied),
                before="tool_error",
                letter="c",
            ),
            Mark(
                "refused_offer",
                _("Rejected compromise"),
                lambda body: isinstance(body, MarkerAttempted) and body.verdict != "accepted",
                before="tool_error",
            ),
            Mark(
                "plan",
                _("Plan"),
                lambda body: isinstance(body, MessagePosted) and body.has_plan,
                before="error",
                letter="p",
            ),
        ),
        section=section,
        standing=standing,
        endings={
            "plan_generated": _("The agent proposed its plan."),
            "max_turn_reached": _("The round limit was reached; the plan was demanded."),
            "mention_exhausted": _("A traveller whom the agent mentioned passed three times."),
            "event_cap_reached": _("A round reached its limit of events."),
            "multiple_repeated_tool_calls": _("The agent made the same tool call three times."),
            "consecutive_repeated_tool_calls": _("The agent repeated tool calls in two consecutive turns."),
        },
        cards=cards,
        outcome=outcome.context,
        compare=compare_sessions,
    ),
    task=TaskPage(
        title=trip_title,
        context=comparison_context,
        editor=EDITOR,
        synthesis=SYNTHESIS,
    ),
    figures=FigureWords(
        issues=TYPES,
        names={"issue": TYPES, **STATISTICS_NAMES},
        averages=_("A task without a plan counts 0."),
        crashes=_("A session that crashed counts as one without a plan."),
        good=_(
            "Completeness, fairness and validity are best at 100. Group utility has no upper limit: the "
            "more the travellers wish for, the more a plan can earn, so compare it with another agent's "
            "on the same task. A good plan meets every must and holds nothing that a traveller rejects."
        ),
        tally=tally_words,
    ),
    seat=SEAT,
    label=LABEL_PAGE,
    plans=PLAN_PAGES,
)
