"""What judges say of a session, on its page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites import suite_named
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.judging import selectors
from webapp.judging.models import Judgement, Status
from webapp.judging.verdicts import score_of
from webapp.judging.wording import pair_words, score_words, spread_words
from webapp.sessions.head import Figure
from webapp.sessions.models import Session
from webapp.sessions.models import Status as SessionStatus
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The judgements, batch by batch, the newest first; they belong to the whole session whatever the moment."""
    judged = list(selectors.judgements_of(reading.session.pk))
    rubric = suite_named(reading.session.suite).rating.rubric
    return {
        "judged": judged,
        "judging": any(group.going for group in judged),
        "dimensions": rubric.names if rubric else (),
        "has_models": bool(judged) or offered_endpoints().exists(),
        "ended": reading.session.ended,
        "stopped": reading.session.status == SessionStatus.STOPPED,
    }


def figure(reading: Reading) -> Figure | None:
    """S as the run's report has it, over all verdicts of one pair, with their deviation where there are several.

    None where rules alone score the task.
    """
    if selectors.scored_by_rules([reading.session]):
        return None
    score = score_of(reading.session) if reading.session.ended else None
    if score is None:
        return Figure("–", _("judge (%(why)s)") % {"why": _why_no_score(reading.session)})
    label = _("judge (%(names)s)") % {"names": pair_words(score.pair)}
    suite = suite_named(reading.session.suite)
    rubric = suite.rating.rubric
    digits = next(m.digits for m in suite.scoring.metrics if rubric and m.key == rubric.metric)
    return Figure(
        spread_words(score.spread, digits),
        label,
        title=score_words(score.pair, score.spread.count, score.others),
    )


def _why_no_score(session: Session) -> str:
    states = set(Judgement.objects.filter(session=session).values_list("status", flat=True))
    if Status.QUEUED in states:
        return _("being asked")
    if states:
        return _("no score")
    return _("not judged") if ModelEndpoint.objects.exists() else _("no model")
