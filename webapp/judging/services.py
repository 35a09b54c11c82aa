"""Everything that writes judgements: batches, what judges answered, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.judging import PUBLISHED, Calibration, Fault, Rubric
from benchmark.judging import Judgement as Judged
from benchmark.models import ChatRequest, ModelSetup
from benchmark.suites import suite_named
from webapp import clock
from webapp.accounts.models import User
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.jobs.rows import ask_again, end_fields, give_back, hand_over_group, stop_rows
from webapp.jobs.services import Claim
from webapp.judging import selectors
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import SCORED_STATUSES, JudgeBatch, Judgement, Status
from webapp.judging.values import store_scores
from webapp.prompts.choice import refuse_unusable
from webapp.prompts.models import PromptSetVersion
from webapp.sessions.models import COUNTED_STATUSES, Run, Session

MAX_JUDGEMENTS = 20_000
MAX_REPEATS = 20
ROWS = 500


def start_batch(
    *,
    sessions: Sequence[Session],
    judge: ModelEndpoint,
    meta_judge: ModelEndpoint | None = None,
    calibrated: bool = True,
    repeats: int = 1,
    rubric: str = "",
    form: str = PUBLISHED,
    reuses_ratings: bool = True,
    run: Run | None = None,
    prompt_set: PromptSetVersion | None = None,
    created_by: User | None = None,
) -> JudgeBatch:
    """A new batch, which the workers begin with at once.

    meta_judge: None for the judge itself (appendix C.1). calibrated: whether a meta-judge is asked at all. rubric:
    its name, "" for the first of the sessions' benchmark. reuses_ratings: whether what the judge has answered to the
    same request counts here too. prompt_set: by whose words judges are asked, None for the shipped ones; other words
    make another judge.

    Raises:
        ChoiceRefused: there is no session, one has not ended or was stopped, their benchmark asks judges nothing,
            not by this rubric or not in this form, there are too many judgements, a model can't be used, or a
            meta-judge is named that is not to be asked. Nothing is stored.
    """
    if meta_judge is not None and not calibrated:
        raise ChoiceRefused(_("Name a meta-judge or choose none, exactly one of the two."), "meta_judge")
    _refuse_sessions(sessions, rubric)
    suite, criteria = _criteria(sessions, rubric, form)
    _refuse_size(sessions, repeats)
    if prompt_set is not None:
        refuse_unusable(prompt_set, suite)
    meta_judge = meta_judge or judge
    batch = JudgeBatch(
        suite=suite,
        run=run,
        prompt_set=prompt_set,
        judge=judge,
        meta_judge=meta_judge,
        calibrated=calibrated,
        rubric=criteria.name,
        form=form,
        judge_setup=usable(judge, "judge").model_dump(),
        meta_setup=usable(meta_judge, "meta_judge").model_dump(),
        repeats=repeats,
        reuses_ratings=reuses_ratings,
        created_by=created_by,
    )
    rows = [
        Judgement(batch=batch, session=session, repeat=repeat)
        for repeat in range(1, repeats + 1)
        for session in sessions
    ]
    with transaction.atomic():
        batch.save(force_insert=True)
        Judgement.objects.bulk_create(rows, batch_size=ROWS)
        jobs.add(kind=JUDGEMENT, subjects=[str(row.pk) for row in rows], group=batch.pk)
    hand_over_group(kind=JUDGEMENT, group=batch.pk)
    return batch


def follow_run(
    *,
    run: Run,
    judge: ModelEndpoint,
    prompt_set: PromptSetVersion | None = None,
    created_by: User | None = None,
) -> list[JudgeBatch]:
    """A new batch a rubric, to which the sessions of a run are added as they end. The judge calibrates itself.

    prompt_set: of the run; judges are asked by its words where it has any of theirs.

    Raises:
        ChoiceRefused: the model can't be used, or the run's benchmark asks judges nothing.
    """
    refuse_judge(judge, run.suite)
    setup = usable(judge, "judge").model_dump()
    if prompt_set is not None and "judge" not in suite_named(run.suite).library.digests(prompt_set.files):
        prompt_set = None
    return [
        JudgeBatch.objects.create(
            suite=run.suite,
            run=run,
            prompt_set=prompt_set,
            judge=judge,
            meta_judge=judge,
            rubric=rubric.name,
            judge_setup=setup,
            meta_setup=setup,
            follows=True,
            created_by=created_by,
        )
        for rubric in suite_named(run.suite).rating.rubrics
    ]


def refuse_judge(judge: ModelEndpoint, suite: str) -> None:
    """Raise ChoiceRefused for a judge that can't be used, or a benchmark that asks judges nothing."""
    usable(judge, "judge")
    if not suite_named(suite).rating.rubrics:
        words = _("Sessions of the benchmark “%(name)s” are not judged: the benchmark has no judge.")
        raise ChoiceRefused(words % {"name": suite}, "judge")


def judge_scored(*, session_id: str, **_sent: Any) -> None:
    """Have a session that was scored judged by the batches that follow its run, each once."""
    of_run = Q(follows=True, stop_requested=False, run__sessions=session_id)
    counted = Session.objects.filter(pk=session_id, status__in=COUNTED_STATUSES)
    following = list(JudgeBatch.objects.filter(of_run)) if counted.exists() else []
    for batch in following:
        if selectors.scored_by_rules(counted, batch.rubric):
            continue
        row, new = Judgement.objects.get_or_create(batch=batch, session_id=session_id, repeat=1)
        if new:
            jobs.add(kind=JUDGEMENT, subjects=[str(row.pk)], group=batch.pk)
            transaction.on_commit(partial(hand_over_group, kind=JUDGEMENT, group=batch.pk))


def _refuse_sessions(sessions: Sequence[Session], rubric: str) -> None:
    if not sessions:
        raise ChoiceRefused(_("There is no session to judge."), "sessions")
    if going := [session.pk for session in sessions if not session.ended]:
        words = _("These sessions have not ended yet: %(ids)s. Judge them when they have ended.")
        raise ChoiceRefused(words % {"ids": ", ".join(going[:10])}, "sessions")
    if by_rules := sorted(selectors.scored_by_rules(sessions, rubric)):
        words = _("These sessions are scored by rules alone, so no judge is asked: %(ids)s. Leave them out.")
        raise ChoiceRefused(words % {"ids": ", ".join(by_rules[:10])}, "sessions")
    if stopped := [session.pk for session in sessions if session.status not in COUNTED_STATUSES]:
        words = _(
            "A researcher stopped these sessions, so they say nothing about their agent: %(ids)s. "
            "Leave them out."
        )
        raise ChoiceRefused(words % {"ids": ", ".join(stopped[:10])}, "sessions")


def _criteria(sessions: Sequence[Session], rubric: str, form: str) -> tuple[str, Rubric]:
    """The one benchmark of all these sessions, and its rubric of this name, which has this input."""
    names = sorted({session.suite for session in sessions})
    if len(names) > 1:
        words = _("These sessions belong to several benchmarks: %(names)s. Judge each benchmark separately.")
        raise ChoiceRefused(words % {"names": ", ".join(names)}, "sessions")
    rating = suite_named(names[0]).rating
    if not rating.rubrics:
        words = _("Sessions of the benchmark “%(name)s” are not judged: the benchmark has no judge.")
        raise ChoiceRefused(words % {"name": names[0]}, "sessions")
    if words := why_no_rubric(names[0], rubric):
        raise ChoiceRefused(words, "rubric")
    criteria = rating.rubric(rubric)
    if form not in criteria.forms:
        words = _("The benchmark “%(name)s” has no judge's input “%(form)s”. Choose one of these: %(forms)s.")
        given = {"name": names[0], "form": form, "forms": ", ".join(criteria.forms)}
        raise ChoiceRefused(words % given, "form")
    return names[0], criteria


def why_no_rubric(suite: str, rubric: str) -> str:
    """Why a benchmark has no rubric of this name, and which it has; "" where there is one."""
    named = [each.name for each in suite_named(suite).rating.rubrics if each.name]
    if rubric in ("", *named):
        return ""
    if not named:
        words = _("The benchmark “%(name)s” has one rubric. Leave out the name “%(rubric)s”.")
        return words % {"name": suite, "rubric": rubric}
    words = _("The benchmark “%(name)s” has no rubric “%(rubric)s”. Choose one of these: %(rubrics)s.")
    return words % {"name": suite, "rubric": rubric, "rubrics": ", ".join(named)}


def _refuse_size(sessions: Sequence[Session], repeats: int) -> None:
    if not 1 <= repeats <= MAX_REPEATS:
        raise ChoiceRefused(
            _("A session can be judged 1 to %(most)s times.") % {"most": MAX_REPEATS}, "repeats"
        )
    if len(sessions) * repeats > MAX_JUDGEMENTS:
        words = _(
            "%(sessions)s sessions × %(repeats)s are more than %(most)s judgements. Judge them in parts."
        )
        given = {"sessions": len(sessions), "repeats": repeats, "most": MAX_JUDGEMENTS}
        raise ChoiceRefused(words % given, "repeats")


def stop_batch(*, batch: JudgeBatch) -> None:
    """Make no further request; a request on its way is broken off by whoever waits for it."""
    with transaction.atomic():
        JudgeBatch.objects.filter(pk=batch.pk).update(stop_requested=True)
        stop_rows(kind=JUDGEMENT, group=batch.pk, rows=batch.judgements.all())


def retry_batch(*, batch: JudgeBatch) -> int:
    """Ask again for what has no score; how many judgements that is.

    Ratings that are whole are kept, and an unusable answer until another one has come in its place.
    """
    return _ask_again(batch, batch.judgements.all())


@retries(JUDGEMENT)
def _judge_again(job: Job) -> None:
    batch = JudgeBatch.objects.filter(pk=job.group).first()
    if batch is not None:
        _ask_again(batch, batch.judgements.filter(pk=int(job.subject)))


def _ask_again(batch: JudgeBatch, judgements: QuerySet[Judgement]) -> int:
    again = judgements.exclude(status__in=(Status.QUEUED, *SCORED_STATUSES))
    with transaction.atomic():
        JudgeBatch.objects.filter(pk=batch.pk).update(stop_requested=False)
        count = ask_again(kind=JUDGEMENT, group=batch.pk, rows=again, unanswered=0)
    hand_over_group(kind=JUDGEMENT, group=batch.pk)
    return count


def claim(*, judgement_id: int) -> Claim | None:
    """Take an open judgement that nobody has and that is due; None when there is no such."""
    return jobs.claim(kind=JUDGEMENT, subject=str(judgement_id))


def _open(claimed: Claim) -> QuerySet[Judgement]:
    return Judgement.objects.filter(pk=int(claimed.subject), status=Status.QUEUED)


def request_key(request: ChatRequest, setup: ModelSetup, rubric: str, prompts: str) -> str:
    """A digest of all that decides what a judge answers: what it is shown and asked, and its settings."""
    told = [asdict(request), setup.answer_settings, rubric, prompts]
    return sha256(json.dumps(told, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def reuse_ratings(*, claimed: Claim, row: Judgement, key: str, weight: float) -> bool:
    """Take the ratings of an earlier judgement with this key and of the same number among its repeats; False without.

    What its meta-judge says is taken where that is the same model with the same settings; else it is asked for next.
    key: of the judge's request. weight: of the session's transcript.

    Raises:
        LeaseLost: another worker has it.
    """
    batch = row.batch
    earlier = Judgement.objects.filter(request_key=key, rated=True, repeat=row.repeat).exclude(pk=row.pk)
    known = list(earlier.select_related("batch").order_by("pk")) if batch.reuses_ratings else []
    checked = [
        each
        for each in known
        if each.meta_score is not None and _meta_settings(each.batch) == _meta_settings(batch)
    ]
    if not known:
        return False
    source = (checked or known)[0]
    fields = {name: getattr(source, name) for name in _OF_JUDGE}
    then: dict[str, Any] = {"tries": 0}
    if checked:
        fields |= {name: getattr(source, name) for name in _OF_META_JUDGE}
    if checked or not batch.calibrated:
        meta = source.meta_score if batch.calibrated else None
        then["score"] = batch.criteria.score(source.scores, meta) * weight
        then |= end_fields(Status.JUDGED)
    origin = source.source_session or source.session_id
    _write(claimed, (), request_key=key, source_session=origin, **fields, **then)
    return True


_OF_JUDGE = ("prompts", "rated", "scores", "ratings", "faults", "raw")
_OF_META_JUDGE = ("meta_score", "meta_reasoning", "meta_turns", "meta_unknown", "meta_faults", "meta_raw")


def _meta_settings(batch: JudgeBatch) -> dict[str, Any] | None:
    return ModelSetup.model_validate(batch.meta_setup).answer_settings if batch.calibrated else None


def store_judged(
    *, claimed: Claim, judged: Judged, prompts: str, key: str, calls: Iterable[ModelCalled]
) -> None:
    """Keep what the judge answered; without every dimension's score it is asked again, or the judgement is unusable.

    Where no meta-judge is asked, these scores are S. key: of the request.

    Raises:
        LeaseLost: another worker has it.
    """
    fields: dict[str, Any] = {
        "prompts": prompts,
        "request_key": key,
        "rated": judged.complete,
        "scores": judged.scores,
        "ratings": {name: rating.as_json() for name, rating in judged.ratings.items()},
        "faults": _stored_faults(judged.faults),
        "raw": judged.raw,
    }
    then = _after_rating(claimed, judged) if judged.complete else _after_unusable(claimed)
    _write(claimed, calls, **fields, **then)


def store_calibration(
    *, claimed: Claim, calibration: Calibration, judged: Judged, calls: Iterable[ModelCalled]
) -> None:
    """Keep what the meta-judge answered, and S where there is one; else it is asked again, or the judgement ends.

    Raises:
        LeaseLost: another worker has it.
    """
    if calibration.score is None:
        then = _after_unusable_calibration(claimed, judged)
    else:
        score = _weighted_score(_row(claimed).batch, judged, calibration.score)
        then = {"score": score, **end_fields(Status.JUDGED)}
    _write(
        claimed,
        calls,
        meta_score=calibration.score,
        meta_reasoning=calibration.reasoning,
        meta_turns=list(calibration.turns),
        meta_unknown=list(calibration.unknown),
        meta_faults=_stored_faults(calibration.faults),
        meta_raw=calibration.raw,
        **then,
    )


def _after_rating(claimed: Claim, judged: Judged) -> dict[str, Any]:
    """The meta-judge is next, or there is none and the ratings are S. Raises as `_after_unusable`."""
    batch = _row(claimed).batch
    if batch.calibrated:
        return {"tries": 0}
    return {"tries": 0, "score": _weighted_score(batch, judged, None), **end_fields(Status.JUDGED)}


def _weighted_score(batch: JudgeBatch, judged: Judged, meta: int | None) -> float:
    return batch.criteria.score(judged.scores, meta) * judged.weight


def _row(claimed: Claim) -> Judgement:
    row = _open(claimed).select_related("batch").only("batch", "tries").first()
    if row is None:
        raise jobs.LeaseLost(claimed.subject)
    return row


def _after_unusable(claimed: Claim) -> dict[str, Any]:
    """Another try where the input form grants one, else the end.

    Raises:
        LeaseLost: another worker has it.
    """
    row = _row(claimed)
    tries = row.tries + 1
    return (
        {"tries": tries} if tries < row.batch.input.tries else {"tries": tries, **end_fields(Status.BROKEN)}
    )


def _after_unusable_calibration(claimed: Claim, judged: Judged) -> dict[str, Any]:
    """As `_after_unusable`; at the end the ratings count as they are where the input form says so."""
    then = _after_unusable(claimed)
    batch = _row(claimed).batch
    if then.get("status") != Status.BROKEN or not batch.input.calibration_optional:
        return then
    return {**then, "score": _weighted_score(batch, judged, None), **end_fields(Status.JUDGED)}


def store_empty(*, claimed: Claim, prompts: str) -> None:
    """End a judgement of a session that crashed without a conversation: 0 in every dimension, and nobody is asked.

    prompts: the version that the judge would have had, so that this counts beside its other verdicts.

    Raises:
        LeaseLost: another worker has it.
    """
    _write(claimed, (), prompts=prompts, score=0.0, **end_fields(Status.EMPTY))


def postpone(*, claimed: Claim, after_s: float, problem: str = "", calls: Iterable[ModelCalled] = ()) -> None:
    """Give the lease back; nothing is to be done before. With calls, they have failed. problem: why; "" leaves it.

    Raises:
        LeaseLost: another worker has it.
    """
    failed = list(calls)
    due = clock.now() + timedelta(seconds=after_s) if after_s else None
    unanswered = F("unanswered") + len(failed)
    _write(claimed, failed, due, unanswered=unanswered, problem=problem or F("problem"))


def end(*, claimed: Claim, status: Status, problem: str = "", calls: Iterable[ModelCalled] = ()) -> None:
    """End a judgement without an answer: stopped, or failed.

    Raises:
        LeaseLost: another worker has it.
    """
    _write(claimed, calls, problem=problem, **end_fields(status))


def _stored_faults(faults: Iterable[Fault]) -> list[dict[str, str]]:
    return [fault.as_json() for fault in faults]


def _write(
    claimed: Claim, calls: Iterable[ModelCalled], due_at: datetime | None = None, **fields: Any
) -> None:
    """Store, and give the job back, or end it: whoever can still do so did not die of this step."""
    made = [call.model_dump(mode="json", exclude={"type"}) for call in calls]
    given: dict[str, Any] = {"unanswered": 0, "problem": "", **fields}
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        if made:
            before = _open(claimed).values_list("calls", flat=True).first()
            given["calls"] = [*(before or []), *made]
        if not _open(claimed).update(**given):
            raise jobs.LeaseLost(claimed.subject)
        if given.get("score") is not None:
            store_scores(Judgement.objects.values_list("session", flat=True).get(pk=int(claimed.subject)))
        if given.get("rated"):
            jobs.progress(claimed=claimed, done=1, of=2)
        status = given.get("status")
        problem = str(given["problem"] or (Status(status).label if status else ""))
        give_back(claimed=claimed, due_at=due_at, status=status, problem=problem)
