"""Everything that writes what models say of the pairs of a study: who is asked, what came of it, and the labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.labelling.comparing import TRIES, Method, Outcome
from benchmark.models import ModelSetup
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
from webapp.judging.models import Rater
from webapp.judging.raters import shorten_name
from webapp.labelling.answers import answers_of
from webapp.labelling.jobs import COMPARISON_KIND
from webapp.labelling.models import Compared, Comparison, Kind, Label, LabelItem, LabelStudy

MOST_ITEMS = 20_000
ROWS = 500
Status = Compared.Status
Orders = Comparison.Orders


def start_comparison(
    *,
    study: LabelStudy,
    endpoint: ModelEndpoint,
    method: Method,
    orders: str = "",
    run: int = 1,
    created_by: User | None = None,
) -> Comparison:
    """Ask a model about every pair of a study that it has not compared yet; the workers begin at once.

    orders: in which a pair is asked about, "" for both; point-wise there is none. run: each is a rater of its own, so
    that the same model can be asked again and again (appendix C.5 of TripScore's paper: three times).

    Raises:
        ChoiceRefused: the study has no pairs, none is left for this model, there are too many, none has an answer, or
            the model can't be used. Nothing is stored.
    """
    setup = usable(endpoint, "endpoint")
    if study.kind != Kind.PAIRWISE:
        raise ChoiceRefused(_("A model compares pairs, and the items of this study are not pairs."), "study")
    with transaction.atomic():
        own = Orders.BOTH if method == "pointwise" else Orders(orders or Orders.BOTH)
        rater = rater_for(
            endpoint=endpoint, setup=setup, method=method, suite=study.suite, orders=own, run=run
        )
        items = list(_open_items(study, rater))
        _refuse_size(items)
        _refuse_nothing(study, items)
        comparison = Comparison.objects.create(study=study, rater=rater, orders=own, created_by=created_by)
        rows = [Compared(comparison=comparison, item=item) for item in items]
        Compared.objects.bulk_create(rows, batch_size=ROWS)
        jobs.add(kind=COMPARISON_KIND, subjects=[str(row.pk) for row in rows], group=comparison.pk)
    hand_over_group(kind=COMPARISON_KIND, group=comparison.pk)
    return comparison


def start_runs(*, study: LabelStudy, runs: int, **asked: Any) -> list[Comparison]:
    """The same for each run that has pairs left. Raises ChoiceRefused where none has; nothing is stored then."""
    started, refused = list[Comparison](), ChoiceRefused("")
    for run in range(1, runs + 1):
        try:
            started.append(start_comparison(study=study, run=run, **asked))
        except ChoiceRefused as refusal:
            refused = refusal
    if not started:
        raise refused
    return started


def rater_for(
    *,
    endpoint: ModelEndpoint,
    setup: ModelSetup,
    method: Method,
    suite: str,
    orders: str = Orders.BOTH,
    run: int = 1,
) -> Rater:
    """The model as a rater: another one with other settings, other prompts or by another method, and in each run.

    suite: whose answers it compares.
    """
    digest = sha256(repr(sorted(setup.answer_settings.items())).encode()).hexdigest()[:8]
    name = f"{endpoint.name} ({setup.model})"
    more = (", one order" if orders == Orders.ONE else "") + (f", run {run}" if run > 1 else "")
    edition = suite_named(suite).rating.questions.edition
    key = shorten_name(f"{method}: {name}, settings {digest}, prompts {edition}{more}")
    given = {"kind": method, "name": f"{name[:170]}{more}", "endpoint": endpoint, "setup": setup.model_dump()}
    rater, _new = Rater.objects.get_or_create(key=key, defaults=given)
    return rater


def _open_items(study: LabelStudy, rater: Rater) -> QuerySet[LabelItem]:
    """The pairs that a rater has not said anything of, and is not asked about just now."""
    said = Label.objects.filter(rater=rater, current=True, item__study=study).values("item")
    asked = Compared.objects.filter(comparison__rater=rater, item__study=study, status=Status.QUEUED).values(
        "item"
    )
    whole = Q(left__isnull=False, right__isnull=False, withdrawn_at=None, purpose=LabelItem.Purpose.NORMAL)
    return study.items.filter(whole).exclude(pk__in=said).exclude(pk__in=asked).order_by("number")


def _refuse_size(items: Sequence[LabelItem]) -> None:
    if not items:
        raise ChoiceRefused(
            _("This model has compared every pair of the study by this method, or is about to."), "endpoint"
        )
    if len(items) > MOST_ITEMS:
        words = _("%(n)s pairs are more than the %(most)s that can be compared at once.")
        raise ChoiceRefused(words % {"n": len(items), "most": MOST_ITEMS}, "study")


def _refuse_nothing(study: LabelStudy, items: Sequence[LabelItem]) -> None:
    sides = [pk for item in items for pk in (item.left_id, item.right_id) if pk]
    if not answers_of(study.suite, sides):
        raise ChoiceRefused(
            _(
                "There is nothing to compare: no side of these pairs has an answer. Take pairs of sessions that "
                "ended with one."
            ),
            "study",
        )


def stop_comparison(*, comparison: Comparison) -> None:
    """Make no further request; a request on its way is broken off by whoever waits for it. Labels stay."""
    with transaction.atomic():
        Comparison.objects.filter(pk=comparison.pk).update(stop_requested=True)
        stop_rows(kind=COMPARISON_KIND, group=comparison.pk, rows=comparison.compared.all())


def retry_comparison(*, comparison: Comparison) -> int:
    """Ask again for what has no answer; how many items that is. Answers that could be read are kept."""
    return _ask_again(comparison, comparison.compared.all())


@retries(COMPARISON_KIND)
def _compare_again(job: Job) -> None:
    comparison = Comparison.objects.filter(pk=job.group).first()
    if comparison is not None:
        _ask_again(comparison, comparison.compared.filter(pk=int(job.subject)))


def _ask_again(comparison: Comparison, compared: QuerySet[Compared]) -> int:
    again = compared.exclude(status__in=(Status.QUEUED, Status.ANSWERED))
    with transaction.atomic():
        Comparison.objects.filter(pk=comparison.pk).update(stop_requested=False)
        count = ask_again(kind=COMPARISON_KIND, group=comparison.pk, rows=again)
    hand_over_group(kind=COMPARISON_KIND, group=comparison.pk)
    return count


def claim(*, compared_id: int) -> Claim | None:
    """Take an open item that nobody has and that is due; None when there is no such."""
    return jobs.claim(kind=COMPARISON_KIND, subject=str(compared_id))


def store_answer(*, claimed: Claim, raw: Sequence[str], calls: Iterable[ModelCalled]) -> None:
    """Keep an answer that could be read; there is another request. raw: the answers up to now.

    Raises:
        LeaseLost: another worker has it.
    """
    _write(claimed, calls, raw=list(raw), tries=0)


def store_outcome(
    *, claimed: Claim, outcome: Outcome, reasons: str, raw: Sequence[str], calls: Iterable[ModelCalled]
) -> Label:
    """Keep the last answer, and the label that they make together in place of an earlier one.

    Raises:
        LeaseLost: another worker has it.
    """
    with transaction.atomic():
        _write(claimed, calls, raw=list(raw), tries=0, **end_fields(Status.ANSWERED))
        row = Compared.objects.select_related("comparison__rater", "item__study").get(pk=int(claimed.subject))
        rater, study = row.comparison.rater, row.item.study
        there = Label.objects.filter(item=row.item, rater=rater, assignment=None, current=True)
        there.update(current=False)
        return Label.objects.create(
            item=row.item,
            rater=rater,
            source=Label.Source.MODEL,
            choice=outcome.choice,
            answer={"choice": outcome.choice, **outcome.basis},
            rationale=reasons,
            study_version=study.version,
            counts=not study.pilot,
        )


def store_unusable(*, claimed: Claim, raw: Sequence[str], problem: str, calls: Iterable[ModelCalled]) -> None:
    """Keep an answer that can't be read until another one comes; after some of them the item ends without a label.

    Raises:
        LeaseLost: another worker has it.
    """
    tries = _open(claimed).values_list("tries", flat=True).first()
    if tries is None:
        raise jobs.LeaseLost(claimed.subject)
    then = end_fields(Status.BROKEN) if tries + 1 >= TRIES else {}
    _write(claimed, calls, raw=list(raw), tries=tries + 1, problem=problem, **then)


def postpone(*, claimed: Claim, after_s: float, problem: str = "", calls: Iterable[ModelCalled] = ()) -> None:
    """Give the lease back; nothing is to be done before. With calls, they have failed. problem: why; "" leaves it.

    Raises:
        LeaseLost: another worker has it.
    """
    due = clock.now() + timedelta(seconds=after_s) if after_s else None
    told = {"problem": problem} if problem else {}
    _write(claimed, calls, due, **told)


def end(
    *, claimed: Claim, status: Compared.Status, problem: str = "", calls: Iterable[ModelCalled] = ()
) -> None:
    """End an item without an answer: stopped, or failed.

    Raises:
        LeaseLost: another worker has it.
    """
    _write(claimed, calls, problem=problem, **end_fields(status))


def _open(claimed: Claim) -> QuerySet[Compared]:
    return Compared.objects.filter(pk=int(claimed.subject), status=Status.QUEUED)


def _write(
    claimed: Claim, calls: Iterable[ModelCalled], due_at: datetime | None = None, **given: Any
) -> None:
    """Store, and give the job back, or end it: whoever can still do so did not die of this step."""
    made = [call.model_dump(mode="json", exclude={"type"}) for call in calls]
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        row = _open(claimed).select_related("comparison").only("calls", "comparison__orders").first()
        if row is None:
            raise jobs.LeaseLost(claimed.subject)
        if "raw" in given and "problem" not in given:
            given["problem"] = ""
        _open(claimed).update(calls=[*row.calls, *made], **given)
        if "raw" in given:
            jobs.progress(claimed=claimed, done=len(given["raw"]), of=row.comparison.requests)
        status = given.get("status")
        problem = str(given.get("problem") or (Status(status).label if status else ""))
        give_back(claimed=claimed, due_at=due_at, status=status, problem=problem)
