"""What an annotator gets next, and every answer: leases, drafts, answers, skips, and the last one taken back.

Whoever changes what is given out holds the study's row, so that no slot is given twice. A lease that ran out frees
its slot when somebody asks next; its owner may still answer as long as nobody else has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from benchmark.labelling.sides import swapped_for
from webapp import clock
from webapp.fields import NUL
from webapp.judging.models import Rater
from webapp.labelling.blind import shows_ticks
from webapp.labelling.choices import page_choice, sent_choice
from webapp.labelling.models import (
    Annotator,
    Assignment,
    Kind,
    Label,
    LabelItem,
    LabelStudy,
)
from webapp.labelling.qualifying import judge
from webapp.labelling.retention import removed_words
from webapp.labelling.scales import are_on_scale, scales_words

LONGEST = 5_000
"""Letters of a reason."""
SIDES = ("A", "B")
"""What the plans of a pair are called on the page, from left to right."""
REPEAT_DISTANCE = 3
"""Answers of other items between an item and its repeat."""
_TERMS = ("revoked_at", "expires_at", "left_at", "qualified_at", "failed_at")
"""What of an annotator another request may have changed meanwhile."""
Open, AnsweredStatus, SkippedStatus = (
    Assignment.Status.OPEN,
    Assignment.Status.ANSWERED,
    Assignment.Status.SKIPPED,
)
Purpose = LabelItem.Purpose
BEFORE = (Purpose.TRAINING, Purpose.QUALIFICATION)
"""What comes before the items of the study, in this order, and is no part of how far somebody is."""


class AnswerRefused(ValueError):
    """An answer was not taken; the words say why and what helps. is_gone: the item is not theirs any more."""

    def __init__(self, words: str, *, is_gone: bool = False) -> None:
        super().__init__(words)
        self.is_gone = is_gone


@dataclass(frozen=True)
class Answer:
    """What an annotator sends. choice: as shown: `left` is what stands on the left of their page.

    seconds: for which the item was on screen since it was shown last. seen: the sides that were on screen to their
    ends, by the letters of `SIDES`, as far as the page tells.
    """

    choice: str = ""
    scores: Mapping[str, int] | None = None
    rationale: str = ""
    seconds: float = 0.0
    client_id: str = ""
    seen: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Standing:
    """How far an annotator is. answered: of the study's items; left: what could still be given to them now.

    skipped: given back for good.
    """

    answered: int
    left: int
    skipped: int
    waiting: bool
    """Whether others have at work what is left, so that it may come back."""


def next_for(annotator: Annotator, *, now: datetime | None = None) -> Assignment | None:
    """What this annotator looks at next, leased to them; None where there is nothing (now)."""
    now = now or clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=annotator.study_id)
        annotator.refresh_from_db(fields=_TERMS)
        if study.status != LabelStudy.Status.OPEN or not _may_work(annotator, now):
            return None
        _expire(study, now)
        judge(annotator, study, now)
        if annotator.failed_at is not None:
            return None
        return _at_work(annotator, study, now) or _give_item(annotator, study, now)


def coming_for(annotator: Annotator) -> tuple[LabelItem, bool] | None:
    """The item that this annotator would get if they were done with the one at work, and whether its sides change.

    A guess: nothing is given out or kept, and others may take its last slot before.
    """
    study = annotator.study
    if study.status != LabelStudy.Status.OPEN or (chosen := _choose_item(annotator, study)) is None:
        return None
    item, repeat, _slot = chosen
    return item, _kept_of(annotator, study, item, repeat)["swapped"]


def renew(assignment: Assignment, *, now: datetime | None = None) -> None:
    """Keep an item that is still looked at; one that was given away stays so, and a link that ended keeps none."""
    now = now or clock.now()
    if not _may_work(assignment.annotator, now):
        return
    until = now + timedelta(minutes=assignment.item.study.lease_min)
    Assignment.objects.filter(pk=assignment.pk, status=Open).update(leased_until=until)


def keep_draft(assignment: Assignment, *, draft: Mapping[str, Any], seconds: float = 0.0) -> None:
    """Keep what was chosen and written and not sent, and renew the lease."""
    kept = {key: _text(str(draft.get(key, "")))[:LONGEST] for key in ("choice", "rationale")}
    scores = draft.get("scores") or {}
    kept_scores = {name: scores[name] for name in assignment.item.study.dimension_names if name in scores}
    study = assignment.item.study
    told = set(draft.get("seen", ())) | _seen_before(assignment)
    seen = {"seen": sorted(told)} if study.see_both else {}
    Assignment.objects.filter(pk=assignment.pk, status=Open).update(
        draft={**kept, "scores": kept_scores, **seen},
        seconds=max(assignment.seconds, _seconds(seconds)),
    )
    renew(assignment)


def answer(assignment: Assignment, *, given: Answer, now: datetime | None = None) -> Label:
    """Store an answer; one that is sent twice counts once.

    Raises:
        Refused: the answer is incomplete or none of the study's, the study is closed, or the item was given to
            somebody else after the lease ran out. Nothing is stored but the draft.
    """
    now = now or clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=assignment.item.study_id)
        assignment = Assignment.objects.select_related("item", "annotator__rater").get(pk=assignment.pk)
        assignment.item.study = study
        if (label_sent := _sent_already(assignment, given)) is not None:
            return label_sent
        _refuse_work(assignment, study, now)
        checked = _check_answer(study, given, assignment.swapped)
        _refuse_unseen(assignment, study, given)
        _take_back_slot(assignment)
        _retire_imported(assignment)
        label = _store_label(assignment, study, given, checked, now)
        assignment.status, assignment.ended_at = AnsweredStatus, now
        assignment.seconds = label.seconds or 0.0
        assignment.draft = {"seen": sorted(given.seen | _seen_before(assignment))} if study.see_both else {}
        assignment.save(update_fields=["status", "ended_at", "seconds", "draft", "slot"])
        judge(assignment.annotator, study, now)
    return label


def skip(assignment: Assignment, *, reason: str, now: datetime | None = None) -> None:
    """Give an item back for good; somebody else gets it. A qualification item counts as not answered rightly.

    Raises:
        Refused: no reason, the invitation has ended, or the item is not at work.
    """
    reason = _text(reason).strip()[:LONGEST]
    if not reason:
        raise AnswerRefused(_("Say in a few words why you skip it."))
    now = now or clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=assignment.item.study_id)
        _refuse_removed(study)
        if not _may_work(Annotator.objects.get(pk=assignment.annotator_id), now):
            raise AnswerRefused(_("Your invitation has ended, so the answer was not taken."), is_gone=True)
        changed = Assignment.objects.filter(pk=assignment.pk, status=Open).update(
            status=SkippedStatus, reason=reason, ended_at=now
        )
        if changed:
            annotator = Annotator.objects.select_related("rater").get(pk=assignment.annotator_id)
            judge(annotator, study, now)
    if not changed:
        raise AnswerRefused(_("This item is no longer yours; the next one is shown."), is_gone=True)


def undo(annotator: Annotator, *, last: str = "", now: datetime | None = None) -> Assignment:
    """Open the last answered or skipped item again, with the answer in the form. The old answer stays in the log.

    last: the assignment that the page offers to take back, so that two clicks take one answer back; "" for whichever.

    Raises:
        Refused: there is none, the study takes no answers, somebody else has the item by now, or it was decided.
    """
    now = now or clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=annotator.study_id)
        _refuse_removed(study)
        done = last_done(annotator)
        if done is None or last not in ("", str(done.pk)):
            raise AnswerRefused(_("There is no answer to take back."))
        _refuse_undo(done, study, now, annotator)
        _take_back_slot(done)
        label = Label.objects.filter(assignment=done, current=True).first()
        if label is not None:
            done.draft = _draft_of(label, done)
            Label.objects.filter(pk=label.pk).update(current=False)
        done.status, done.ended_at, done.taken_at = Open, None, now
        done.leased_until = now + timedelta(minutes=study.lease_min)
        done.save(update_fields=["status", "ended_at", "taken_at", "leased_until", "draft", "slot"])
    return done


def standing(annotator: Annotator) -> Standing:
    """How far they are. Known answers and repeats count as any item, so that it does not tell which they are."""
    study = annotator.study
    mine = Assignment.objects.filter(annotator=annotator).exclude(item__purpose__in=BEFORE)
    own = mine.filter(item__purpose=Purpose.NORMAL, repeat=0)
    free = _open_items(study, annotator)
    left = sum(_knows(annotator, item) for item in free) if study.by_city else free.count()
    at_work = mine.filter(status=Open).count()
    whole = left + own.filter(status__in=(Open, AnsweredStatus, SkippedStatus)).count()
    unseen = _unseen_items(study, annotator, Purpose.NORMAL)
    others = Assignment.objects.filter(item__in=unseen, status=Open, repeat=0).exclude(annotator=annotator)
    to_come = left + at_work + _gap_to_checks(annotator, study, whole)
    if not (left or at_work) and _choose_item(annotator, study) is None:  # a check may have become impossible
        to_come = 0
    skipped = mine.filter(status=SkippedStatus).count()
    return Standing(mine.filter(status=AnsweredStatus).count(), to_come, skipped, others.exists())


def _gap_to_checks(annotator: Annotator, study: LabelStudy, whole: int) -> int:
    """How many known answers and repeats are to come among so many items of their own."""
    mine = Assignment.objects.filter(annotator=annotator, status__in=(Open, AnsweredStatus, SkippedStatus))
    gap = 0
    if study.gold_every and whole:
        wanted = max(whole // study.gold_every, 1) - mine.filter(item__purpose=Purpose.GOLD).count()
        gap += max(min(wanted, _unseen_items(study, annotator, Purpose.GOLD).count()), 0)
    if study.repeat_every:
        again = mine.filter(item__purpose=Purpose.NORMAL, repeat=1).count()
        gap += max(min(whole // study.repeat_every, max(whole - REPEAT_DISTANCE, 0)) - again, 0)
    return gap


# --- what is given out


def _may_work(annotator: Annotator, now: datetime) -> bool:
    return annotator.usable(now) and annotator.failed_at is None and annotator.left_at is None


def _expire(study: LabelStudy, now: datetime) -> None:
    """Free the slots whose lease ran out, but of nobody who still has the page open: they renew it."""
    out = Assignment.objects.filter(item__study=study, status=Open, leased_until__lt=now)
    out.update(status=Assignment.Status.EXPIRED, ended_at=now)


def _at_work(annotator: Annotator, study: LabelStudy, now: datetime) -> Assignment | None:
    """What they have at work, the newest first: one taken back stands before the one that waits."""
    mine = Assignment.objects.filter(annotator=annotator, status=Open, item__withdrawn_at=None)
    assignment = mine.select_related("item__task", "item__left", "item__right").order_by("-taken_at").first()
    if assignment is not None:
        assignment.leased_until = now + timedelta(minutes=study.lease_min)
        assignment.study_version = study.version
        assignment.save(update_fields=["leased_until", "study_version"])
    return assignment


def _give_item(annotator: Annotator, study: LabelStudy, now: datetime) -> Assignment | None:
    chosen = _choose_item(annotator, study)
    return None if chosen is None else _lease_item(annotator, study, now, *chosen)


def _choose_item(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    for choose in (_training, _qualification, _gold, _choose_repeat, _normal, _late_gold):
        if (chosen := choose(annotator, study)) is not None:
            return chosen
    return None


NextItem = tuple[LabelItem, int, int | None]
"""An item, which time it comes, and the slot."""


def _items(study: LabelStudy, purpose: str) -> QuerySet[LabelItem]:
    return study.items.filter(purpose=purpose, withdrawn_at=None)


def _unseen_items(study: LabelStudy, annotator: Annotator, purpose: str) -> QuerySet[LabelItem]:
    seen = Assignment.objects.filter(annotator=annotator, item=OuterRef("pk"))
    elsewhere = Label.objects.filter(
        rater=annotator.rater_id, item=OuterRef("pk"), assignment=None, current=True
    )
    fresh = _items(study, purpose).exclude(Exists(seen.exclude(status=Assignment.Status.EXPIRED)))
    return fresh.exclude(Exists(elsewhere))


def _training(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    """Before anything else; whoever has begun is not sent back to what is added later."""
    begun = Assignment.objects.filter(annotator=annotator).exclude(item__purpose=Purpose.TRAINING)
    item = _unseen_items(study, annotator, Purpose.TRAINING).order_by("number").first()
    if item is None or begun.exists() or not has_work(study, annotator):
        return None
    return item, 0, None


def _qualification(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    if annotator.qualified_at is not None:
        return None
    item = _unseen_items(study, annotator, Purpose.QUALIFICATION).order_by("number").first()
    return (item, 0, None) if item and has_work(study, annotator) else None


def has_work(study: LabelStudy, annotator: Annotator) -> bool:
    """Whether any item of the study is free for them: training and qualification are nothing to do in vain."""
    return _normal(annotator, study) is not None


def _done_count(annotator: Annotator, purpose: str, repeat: int = 0) -> int:
    done = Assignment.objects.filter(annotator=annotator, item__purpose=purpose, repeat=repeat)
    return done.filter(status__in=(AnsweredStatus, SkippedStatus)).count()


def _gold(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    due = study.gold_every and _done_count(annotator, Purpose.NORMAL) // study.gold_every
    if not due or _done_count(annotator, Purpose.GOLD) >= due:
        return None
    item = _unseen_items(study, annotator, Purpose.GOLD).order_by("rank", "number").first()
    return (item, 0, None) if item else None


def _late_gold(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    """Everybody who answered anything gets one item with a known answer at least."""
    if (
        not study.gold_every
        or _done_count(annotator, Purpose.GOLD)
        or not _done_count(annotator, Purpose.NORMAL)
    ):
        return None
    item = _unseen_items(study, annotator, Purpose.GOLD).order_by("rank", "number").first()
    return (item, 0, None) if item else None


def _choose_repeat(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    due = study.repeat_every and _done_count(annotator, Purpose.NORMAL) // study.repeat_every
    if not due or _done_count(annotator, Purpose.NORMAL, repeat=1) >= due:
        return None
    mine = Assignment.objects.filter(annotator=annotator, item__purpose=Purpose.NORMAL, status=AnsweredStatus)
    again = Assignment.objects.filter(annotator=annotator, item=OuterRef("item"), repeat=1)
    again = again.exclude(status=Assignment.Status.EXPIRED)
    recent = list(mine.order_by("-ended_at").values_list("pk", flat=True)[:REPEAT_DISTANCE])
    once = mine.filter(repeat=0, item__withdrawn_at=None).exclude(pk__in=recent).exclude(Exists(again))
    first = once.select_related("item__task").order_by("item__rank", "ended_at").first()
    return (first.item, 1, None) if first else None


def _open_items(study: LabelStudy, annotator: Annotator) -> QuerySet[LabelItem]:
    """The items with a free slot that this annotator has not seen; those that others began come first.

    A person's label that was imported takes a place as an answer does.
    """
    at_page = Q(assignments__status__in=(Open, AnsweredStatus), assignments__repeat=0)
    brought = Q(labels__assignment=None, labels__current=True, labels__rater__kind=Rater.Kind.PERSON)
    taken = Count("assignments", filter=at_page, distinct=True) + Count(
        "labels", filter=brought, distinct=True
    )
    free = (
        _unseen_items(study, annotator, Purpose.NORMAL).annotate(taken=taken).filter(taken__lt=study.per_item)
    )
    return free.order_by("-taken", "rank", "number")


def _knows(annotator: Annotator, item: LabelItem) -> bool:
    known = set(annotator.rater.cities)
    return not known or known.issuperset(item.cities)


def _normal(annotator: Annotator, study: LabelStudy) -> NextItem | None:
    for item in _open_items(study, annotator).iterator(chunk_size=50):
        if not study.by_city or _knows(annotator, item):
            return item, 0, _free_slot(item)
    return None


def _free_slot(item: LabelItem) -> int:
    held = Assignment.objects.filter(item=item, slot__isnull=False, status__in=(Open, AnsweredStatus))
    taken = set(held.values_list("slot", flat=True))
    return next(slot for slot in range(len(taken) + 1) if slot not in taken)


def _lease_item(
    annotator: Annotator, study: LabelStudy, now: datetime, item: LabelItem, repeat: int, slot: int | None
) -> Assignment:
    return Assignment.objects.create(
        item=item,
        annotator=annotator,
        repeat=repeat,
        slot=slot,
        study_version=study.version,
        taken_at=now,
        leased_until=now + timedelta(minutes=study.lease_min),
        **_kept_of(annotator, study, item, repeat),
    )


def _kept_of(annotator: Annotator, study: LabelStudy, item: LabelItem, repeat: int) -> dict[str, Any]:
    """What an assignment has from the start: its sides, and the draft of one whose lease ran out."""
    before = Assignment.objects.filter(annotator=annotator, item=item, repeat=repeat).last()
    if before is None:
        return {"swapped": _swapped(annotator, study, item, repeat)}
    return {name: getattr(before, name) for name in _KEPT_FIELDS}


_KEPT_FIELDS = ("swapped", "draft", "seconds")
"""What an item that comes again after its lease ran out still has of them."""


def _swapped(annotator: Annotator, study: LabelStudy, item: LabelItem, repeat: int) -> bool:
    """Whether the sides change: always in a repeat, else as balances the item, its agents, and the annotator.

    Never in a training item: the reason that is shown after the answer speaks of A and B as the researcher saw them.
    """
    if item.right_id is None or item.purpose == Purpose.TRAINING:
        return False
    counted = Assignment.objects.filter(status__in=(Open, AnsweredStatus), repeat=0)
    if repeat:
        first = Assignment.objects.filter(annotator=annotator, item=item, repeat=0)
        return not first.exclude(status=Assignment.Status.EXPIRED).values_list("swapped", flat=True)[0]
    agents = {"item__left_agent": item.left_agent, "item__right_agent": item.right_agent}
    of_study = counted.filter(item__study=study, item__purpose=Purpose.NORMAL)
    tallies = [
        _tally(counted.filter(item=item)),
        _tally(of_study.filter(annotator=annotator)),
        _tally(of_study.filter(**agents)),
    ]
    return swapped_for(tallies, f"{study.seed}:{item.pk}:{annotator.pk}")


def _tally(rows: QuerySet[Assignment]) -> tuple[int, int]:
    counts = rows.aggregate(
        kept=Count("pk", filter=Q(swapped=False)), swapped=Count("pk", filter=Q(swapped=True))
    )
    return counts["kept"], counts["swapped"]


# --- what comes back


def _text(text: str) -> str:
    return text.replace(NUL, "")


def _seconds(seconds: float) -> float:
    return min(max(seconds, 0.0), 86_400.0) if seconds == seconds else 0.0  # NaN is not itself


def _sent_already(assignment: Assignment, given: Answer) -> Label | None:
    if not given.client_id:
        return None
    labels: QuerySet[Label] = Label.objects.filter(
        assignment=assignment, client_id=_text(given.client_id)[:60]
    )
    return labels.filter(current=True).first()


def _refuse_removed(study: LabelStudy) -> None:
    if study.data_removed_at is not None:
        raise AnswerRefused(removed_words(), is_gone=True)


def _refuse_work(assignment: Assignment, study: LabelStudy, now: datetime) -> None:
    _refuse_removed(study)
    if study.status == LabelStudy.Status.CLOSED:
        raise AnswerRefused(_("The study is closed; it takes no more answers. Thank you."), is_gone=True)
    if not _may_work(assignment.annotator, now):
        raise AnswerRefused(_("Your invitation has ended, so the answer was not taken."), is_gone=True)
    if assignment.item.withdrawn_at is not None:
        raise AnswerRefused(_("This item was taken out of the study; the next one is shown."), is_gone=True)
    if assignment.status in (AnsweredStatus, SkippedStatus):
        raise AnswerRefused(
            _("You have answered this item already. To change your answer, take it back."), is_gone=True
        )


def _take_back_slot(assignment: Assignment) -> None:
    """Have the slot again after a lease ran out or an answer was taken back, if nobody else got it.

    Raises:
        Refused: all slots are taken, or the annotator has been given the item anew.
    """
    if assignment.status == Open:
        return
    active = Assignment.objects.filter(item=assignment.item, status__in=(Open, AnsweredStatus, SkippedStatus))
    if (
        active.filter(annotator=assignment.annotator, repeat=assignment.repeat)
        .exclude(pk=assignment.pk)
        .exists()
    ):
        raise AnswerRefused(
            _("You were given this item again after your time ran out. Answer it there."), is_gone=True
        )
    if assignment.slot is None or assignment.status == AnsweredStatus:
        return
    held = active.exclude(status=SkippedStatus).exclude(slot=None).exclude(pk=assignment.pk)
    if held.count() >= assignment.item.study.per_item:
        words = _("Your time for this item ran out, and somebody else has it now. The next one is shown.")
        raise AnswerRefused(words, is_gone=True)
    assignment.slot = _free_slot(assignment.item)


def _check_answer(study: LabelStudy, given: Answer, swapped: bool) -> dict[str, Any]:
    """The answer as it is stored.

    Raises:
        Refused: something is missing, or not among the study's answers.
    """
    if study.rationale_required and not given.rationale.strip():
        raise AnswerRefused(_("This study asks for a reason: write one, then send again."))
    if study.kind == Kind.RUBRIC:
        return {"scores": _checked_scores(study, given.scores or {})}
    if not given.choice:
        raise AnswerRefused(_("Choose an answer first."))
    stored = sent_choice(study, given.choice, swapped)
    if stored is None:
        raise AnswerRefused(_("The study was changed, and it no longer has this answer. Choose again."))
    return stored


def _seen_before(assignment: Assignment) -> set[str]:
    """The sides that the draft has as seen."""
    return set(assignment.draft.get("seen", ())) & set(SIDES)


def _refuse_unseen(assignment: Assignment, study: LabelStudy, given: Answer) -> None:
    if not study.see_both or assignment.item.right_id is None:
        return
    missing = [letter for letter in SIDES if letter not in given.seen | _seen_before(assignment)]
    if len(missing) == len(SIDES):
        raise AnswerRefused(_("Look at A and at B to their ends first, then send."))
    if missing:
        raise AnswerRefused(_("Look at %(letter)s to its end first, then send.") % {"letter": missing[0]})


def _checked_scores(study: LabelStudy, scores: Mapping[str, int]) -> dict[str, int]:
    names = study.dimension_names
    missing = [name for name in names if scores.get(name) is None]
    if missing:
        raise AnswerRefused(_("Rate every dimension first: one has no rating yet."))
    if not are_on_scale(study, scores):
        raise AnswerRefused(_("Ratings are whole numbers: %(scales)s.") % {"scales": scales_words(study)})
    return {name: int(scores[name]) for name in names}


def _retire_imported(assignment: Assignment) -> None:
    """An answer takes the place of one of the same person that was brought in meanwhile."""
    if assignment.repeat == 0:
        there = Label.objects.filter(item=assignment.item, rater=assignment.annotator.rater_id)
        there.filter(assignment=None, current=True).update(current=False)


def _store_label(
    assignment: Assignment, study: LabelStudy, given: Answer, checked: dict[str, Any], now: datetime
) -> Label:
    seconds = max(assignment.seconds, _seconds(given.seconds))
    return Label.objects.create(
        item=assignment.item,
        rater=assignment.annotator.rater,
        assignment=assignment,
        choice=checked.get("choice", ""),
        answer=checked,
        rationale=_text(given.rationale).strip()[:LONGEST],
        swapped=assignment.swapped,
        seconds=seconds,
        hurried=seconds < study.min_view_s,
        ticks=shows_ticks(study),
        study_version=study.version,
        client_id=_text(given.client_id)[:60],
        counts=not study.pilot and assignment.slot is not None,
        created_at=now,
    )


def last_done(annotator: Annotator) -> Assignment | None:
    """What they answered or skipped last."""
    done = Assignment.objects.filter(annotator=annotator, status__in=(AnsweredStatus, SkippedStatus))
    return done.select_related("item", "annotator__rater").order_by("-ended_at", "-pk").first()


def _refuse_undo(last: Assignment, study: LabelStudy, now: datetime, annotator: Annotator) -> None:
    last.item.study = study
    if study.status == LabelStudy.Status.CLOSED or not _may_work(annotator, now):
        raise AnswerRefused(_("The study takes no more answers, so your last answer stays as it is."))
    if last.item.purpose == Purpose.QUALIFICATION:
        raise AnswerRefused(_("Answers to qualification items can't be taken back."))
    if last.item.purpose == Purpose.TRAINING:
        raise AnswerRefused(
            _("Answers to training items can't be taken back: you have seen the known answer.")
        )
    if last.item.withdrawn_at is not None:
        raise AnswerRefused(_("This item was taken out of the study, so your answer stays as it is."))
    if last.item.decisions.filter(current=True).exists():
        raise AnswerRefused(_("This item has been decided, so your answer stays as it is."))


def _draft_of(label: Label, assignment: Assignment) -> dict[str, Any]:
    return {
        "choice": page_choice(label.answer, assignment.swapped),
        "rationale": label.rationale,
        "scores": label.answer.get("scores", {}),
        "seen": sorted(_seen_before(assignment)),
    }
