"""What TravelBench brings to the pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT
from webapp.pages import FigureWords, Mark, Pages, Panel, SessionPage, TaskPage, UserWords
from webapp.suites.travelbench import outcome, scores, task
from webapp.suites.travelbench.label_page import LABEL_PAGE
from webapp.suites.travelbench.results import cards
from webapp.suites.travelbench.seat import SEAT
from webapp.suites.travelbench.wording.turns import section, standing

PAGES = Pages(
    session=SessionPage(
        panels=(Panel("scores", _("Scores"), scores.context, "session_finished"),),
        marks=(
            Mark(
                "answer",
                _("Answer"),
                lambda body: isinstance(body, MessagePosted) and body.role == AGENT,
                before="tool_error",
                letter="a",
            ),
        ),
        section=section,
        standing=standing,
        endings={
            "completed": _("The agent answered."),
            "user_ended": _("The user ended the conversation."),
            "max_turns_reached": _("The limit of turns was reached."),
        },
        cards=cards,
        outcome=outcome.context,
    ),
    task=TaskPage(
        title=task.title,
        context=task.context,
        users=UserWords(
            all=_("User"),
            model=_("User's model"),
            each=_("Choose the user's seat"),
            same=_("as above"),
            none=_(
                "A user speaks in multi-turn tasks only. In the others the agent answers the request at once."
            ),
        ),
    ),
    figures=FigureWords(
        averages=_("Sessions without a judgement are not part of the judge's score."),
        crashes=_(
            "A session that crashed counts as one without an answer: it does not recognise an unsolvable "
            "task, and a judge is shown an empty conversation."
        ),
        good=_(
            "The judge's score is best at 100: every dimension is rated excellent, no call failed, and "
            "the meta-judge agrees. Unsolvable tasks are not judged; their figure is how many were "
            "recognised."
        ),
    ),
    seat=SEAT,
    label=LABEL_PAGE,
)
