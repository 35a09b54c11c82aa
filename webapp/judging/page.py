"""What judges say of a session, on its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from benchmark.judging import Pair, Rubric
from benchmark.suites import first_profile, joint_metrics, suite_named
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.judging import selectors
from webapp.judging.joint_values import joint_values_of
from webapp.judging.models import Judgement, Status
from webapp.judging.verdicts import SessionScore, score_of
from webapp.judging.wording import pair_words, rubric_words, score_words, spread_words
from webapp.sessions.head import Figure
from webapp.sessions.models import Session
from webapp.sessions.models import Status as SessionStatus
from webapp.sessions.reading import Reading
from webapp.wording.metrics import value_digits


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The judgements, batch by batch, the newest first; they belong to the whole session whatever the moment."""
    judged = list(selectors.judgements_of(reading.session.pk))
    return {
        "judged": judged,
        "judging": any(group.going for group in judged),
        "has_models": bool(judged) or offered_endpoints().exists(),
        "ended": reading.session.ended,
        "stopped": reading.session.status == SessionStatus.STOPPED,
    }


def figures(reading: Reading) -> list[Figure]:
    """S by each rubric as the run's report has it, over all verdicts of one pair, with their deviation where there
    are several; none by a rubric whose part rules alone score.
    """
    session = reading.session
    rubrics = [
        rubric
        for rubric in suite_named(session.suite).rating.rubrics
        if not selectors.scored_by_rules([session], rubric.name)
    ]
    scores = [score_of(session, rubric.name) if session.ended else None for rubric in rubrics]
    return [
        *(_figure(session, rubric, score) for rubric, score in zip(rubrics, scores, strict=True)),
        *_joint_figures(session, [score.pair for score in scores if score is not None]),
    ]


def _joint_figures(session: Session, pairs: Sequence[Pair]) -> Iterator[Figure]:
    """What the benchmark makes of ratings and figures together, where the judge of these pairs has all it needs."""
    metrics = joint_metrics(session.suite)
    values = joint_values_of(session, pairs, first_profile(session.suite)) if metrics and pairs else {}
    for metric in metrics:
        if metric.key in values:
            judge = pair_words(pairs[0])
            label = _("%(judge)s (%(names)s)") % {"judge": _(metric.name), "names": judge}
            yield Figure(value_digits(metric, values[metric.key]), label)


def _figure(session: Session, rubric: Rubric, score: SessionScore | None) -> Figure:
    label = rubric_words(rubric.name, session.suite) or _("judge")
    if score is None:
        return Figure("–", _("%(judge)s (%(why)s)") % {"judge": label, "why": _why_no_score(session, rubric)})
    return Figure(
        spread_words(score.spread, selectors.metric_of(session.suite, rubric).digits),
        _("%(judge)s (%(names)s)") % {"judge": label, "names": pair_words(score.pair)},
        title=score_words(score.pair, score.spread.count, score.others),
    )


def _why_no_score(session: Session, rubric: Rubric) -> str:
    asked = Judgement.objects.filter(session=session, batch__rubric=rubric.name)
    states = set(asked.values_list("status", flat=True))
    if Status.QUEUED in states:
        return _("being asked")
    if states:
        return _("no score")
    return _("not judged") if ModelEndpoint.objects.exists() else _("no model")
