"""What TRIP-Bench brings to the pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from webapp.pages import FigureWords, Pages, Panel, SessionPage, TaskPage, UserWords
from webapp.suites.tripbench import task, verdicts
from webapp.suites.tripbench.plans import PLAN_PAGES
from webapp.suites.tripbench.seat import SEAT
from webapp.suites.tripbench.synthesis import SYNTHESIS
from webapp.suites.tripbench.turns import standing

PAGES = Pages(
    session=SessionPage(
        panels=(
            Panel(
                "verdicts",
                _("Constraints"),
                verdicts.context,
                "message_posted session_finished",
                before="tools",
            ),
        ),
        standing=standing,
        endings={
            "all_said": _("The user had nothing more to say."),
            "turns_spent": _("The last turn was over."),
            "user_left": _("The user said nothing more."),
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
            none=_("Nobody talks with the agent."),
        ),
    ),
    figures=FigureWords(
        crashes=_(
            "A session without a reply passes neither verdict; one that crashed is judged by its last reply."
        ),
        good=_(
            "The loose verdict forgives two violations of soundness and one of the user's constraints, the strict "
            "one nothing. A session passes by its last turn; beside it stand the shares of turns that pass."
        ),
    ),
    seat=SEAT,
    plans=PLAN_PAGES,
)
