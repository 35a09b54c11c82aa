"""What TripScore brings to the pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from webapp.pages import AgentPage, FigureWords, Pages, Panel, SeatPage, SessionPage, TaskPage, UserWords
from webapp.suites.tripscore import desk, reward, task
from webapp.suites.tripscore.editing import EDITOR
from webapp.suites.tripscore.plans import PLAN_PAGES
from webapp.suites.tripscore.synthesis import SYNTHESIS

PAGES = Pages(
    session=SessionPage(
        panels=(
            Panel("reward", _("Reward"), reward.context, "plan_proposed session_finished", before="models"),
        ),
        endings={
            "planned": _("The agent gave its plan."),
            "no_plan": _("The agent's answer held no plan."),
        },
    ),
    task=TaskPage(
        title=task.title,
        context=task.context,
        editor=EDITOR,
        synthesis=SYNTHESIS,
        users=UserWords(
            all=_("User"),
            model=_("User's model"),
            each=_("Choose the user's seat"),
            same=_("as above"),
            none=_("Nobody talks with the agent: it answers the request at once."),
        ),
    ),
    figures=FigureWords(
        crashes=_("A session without a plan fails by its format, and so does one that crashed."),
        good=_(
            "The reward is −3 for a plan of the wrong form and 0 for one against common sense. By rules alone it is "
            "at most 3.1, or 3.0 for a person's words; what judges rate comes on top."
        ),
    ),
    seat=SeatPage(group=False, agent=AgentPage(answers_once=True, parts=(desk.PART,))),
    plans=PLAN_PAGES,
)
