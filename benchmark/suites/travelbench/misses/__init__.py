"""What sessions of TravelBench lost: points of a judge, unsolvable tasks, and calls that tools refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchmark.core.events import Event
from benchmark.core.setting import Setting
from benchmark.misses import CauseWords, Miss
from benchmark.remarks import gettext_noop as _
from benchmark.suites.base import Figures, Misses, Ratings
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.misses.errors import ERROR_RATE, error_misses
from benchmark.suites.travelbench.misses.ratings import rating_misses
from benchmark.suites.travelbench.misses.reading import LostAnswer
from benchmark.suites.travelbench.misses.recognition import UNSOLVED, unsolved_misses
from benchmark.suites.travelbench.tasks.task import Task


def _find(
    log: Sequence[Event], setting: Setting[Task, None], figures: Figures, ratings: Ratings
) -> Iterator[Miss]:
    session = LostAnswer(log, setting.task, figures)
    if session.subtask == "unsolved":
        yield from unsolved_misses(session)
    else:
        yield from rating_misses(session, ratings.get(RUBRIC.name))
    yield from error_misses(session)


MISSES: Final = Misses(
    version="1",
    find=_find,
    metrics=(RUBRIC.metric, UNSOLVED, ERROR_RATE),
    kinds={
        **{dimension.key: dimension.label for dimension in RUBRIC.dimensions},
        "no_rating": _("not rated by a judge"),
        "tool_errors": _("tool calls with an error"),
        "score": _("the whole score"),
        "missing_tool": _("no tool can do it"),
        "missing_info": _("the needed information is missing"),
        "no_actionable": _("the message makes no request"),
    },
    causes={
        "no_answer": CauseWords(_("no answer"), _("The session has crashed, or the agent gave no answer.")),
        "out_of_steps": CauseWords(_("out of steps"), _("The agent still called tools after its last step.")),
        "repeated": CauseWords(
            _("said or called again"), _("The agent made the same call or asked the same question again.")
        ),
        "unsourced": CauseWords(
            _("figures without a source"),
            _("The answer has figures that no tool result, no message and no context has."),
        ),
        "meta": CauseWords(
            _("a meta-judge's rating"), _("A meta-judge found the judgement less than excellent.")
        ),
        "late": CauseWords(
            _("said too late"), _("The agent said that it can't be solved, but did something else before.")
        ),
        "asked_instead": CauseWords(
            _("asked instead"), _("The agent asked for something instead of saying that it can't be solved.")
        ),
        "answered_instead": CauseWords(
            _("answered instead"), _("The agent answered as if the task could be solved.")
        ),
        "not_mended": CauseWords(
            _("the same wrong call again"), _("The same call had been refused before, and was not changed.")
        ),
        "no_such_tool": CauseWords(_("no such tool"), _("There is no tool of this name.")),
        "unreadable_call": CauseWords(
            _("arguments that can't be read"), _("The arguments are no JSON object.")
        ),
        "bad_arguments": CauseWords(_("wrong arguments"), _("The tool refused its arguments.")),
    },
)
