"""What TravelEval brings to the pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from benchmark.suites.traveleval.report.failures import FAILURE_WORDS
from webapp.pages import AgentPage, FigureWords, Pages, Panel, SeatPage, SessionPage, TaskPage, UserWords
from webapp.suites.traveleval import execution, task
from webapp.suites.traveleval.plans import PLAN_PAGES
from webapp.suites.traveleval.synthesis import SYNTHESIS

PAGES = Pages(
    session=SessionPage(
        panels=(
            Panel(
                "execution",
                _("Execution"),
                execution.context,
                "plan_proposed session_finished",
                before="tools",
            ),
        ),
        endings={
            "planned": _("The agent gave its plan."),
            "no_plan": _("The agent's answer held no plan."),
        },
    ),
    task=TaskPage(
        title=task.title,
        context=task.context,
        synthesis=SYNTHESIS,
        users=UserWords(
            all=_("User"),
            model=_("User's model"),
            each=_("Choose the user's seat"),
            same=_("as above"),
            none=_("Nobody talks with the agent: it answers the query at once."),
        ),
    ),
    figures=FigureWords(
        issues={key: _(words) for key, words in FAILURE_WORDS.items()},
        crashes=_("A session that crashed has no figures, as one without a plan."),
        good=_(
            "Accuracy and spatiality are best at 0, compliance and temporality at 100 per cent. The figures of "
            "economy and utility have no upper limit: compare them with another agent's on the same queries."
        ),
    ),
    seat=SeatPage(group=False, agent=AgentPage(answers_once=True)),
    plans=PLAN_PAGES,
)
