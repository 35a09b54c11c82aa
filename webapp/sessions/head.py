"""The head of a session page: what it is, how it stands, its figures."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.conversation.events import ModelCalled
from benchmark.conversation.tool_use import tool_use, total
from webapp.judging.selectors import newest_score
from webapp.judging.wording import spread_words
from webapp.sessions.models import Score, Session, Status
from webapp.sessions.reading import Reading
from webapp.wording.endings import ending_words
from webapp.wording.models import failure_words
from webapp.wording.turns import why


@dataclass(frozen=True)
class Figure:
    """One number of the head. tone: good, bad or nothing."""

    value: str
    label: str
    tone: str = ""


def title_of(session: Session) -> str:
    """Cities · days · travellers."""
    task = session.task
    parts = ["、".join(task.cities)]
    if task.days:
        parts.append(ngettext("%(n)s day", "%(n)s days", task.days) % {"n": task.days})
    parts.append(ngettext("%(n)s traveller", "%(n)s travellers", task.size) % {"n": task.size})
    return " · ".join(parts)


def figures(reading: Reading) -> list[Figure]:
    """The four scores, the judge, and the tool calls."""
    return [*score_figures(reading.score), _judge_figure(reading), _tool_figure(reading)]


def score_figures(score: Score | None) -> list[Figure]:
    """PC, GU, GF, PV; a dash for what there is not."""
    pc, gu, gf = (score.pc, score.gu, score.gf) if score else (None, None, None)
    return [
        Figure(_number(pc, 2), _("completeness")),
        Figure(_number(gu, 2), _("group utility")),
        Figure(_number(gf, 0), _("fairness")),
        _validity(score),
    ]


def _judge_figure(reading: Reading) -> Figure:
    """S of the newest judging, with its deviation where it was repeated."""
    found = newest_score(reading.session.pk) if reading.session.ended else None
    if found is None:
        return Figure("–", _("judge (no model)"))
    name, score = found
    return Figure(spread_words(score, 1), _("judge (%(name)s)") % {"name": name})


def _validity(score: Score | None) -> Figure:
    label = _("validity")
    if score is None or score.pv is None:
        return Figure("–", label)
    if score.pv:
        return Figure(_("valid"), label, "good")
    count = score.issues or 0
    return Figure(ngettext("%(n)s issue", "%(n)s issues", count) % {"n": count}, label, "bad")


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def _tool_figure(reading: Reading) -> Figure:
    use = total(tool_use(reading.events).values())
    label = ngettext("tool calls, %(n)s hit", "tool calls, %(n)s hits", use.hits) % {"n": use.hits}
    return Figure(str(use.calls), label)


def _crash(reading: Reading) -> str:
    """Why a crashed session got no answer from a model, "" where something else ended it."""
    calls = [event.body for event in reading.events[-3:] if isinstance(event.body, ModelCalled)]
    if reading.session.status != Status.CRASHED or not calls or calls[-1].answered:
        return ""
    return _("It crashed: %(why)s.") % {"why": failure_words(calls[-1].outcome)}


def status_line(reading: Reading) -> str:
    """Where the session stands, in one line."""
    session = reading.session
    if session.ended:
        return _crash(reading) or ending_words(session.completion_reason)
    if session.stop_requested:
        return _("Stopping after the step in flight …")
    if session.paused:
        return _("Paused")
    turn = reading.state.turn
    if turn is None:
        return _("Waiting for a worker …") if session.status == Status.QUEUED else _("Going on …")
    return _("Round %(round)s of %(limit)s · waiting for %(who)s: %(why)s") % {
        "round": turn.round + 1,
        "limit": reading.state.opened.max_turn if reading.state.opened else "–",
        "who": turn.speaker,
        "why": why(turn),
    }
