"""The items of a study: made from runs and tasks, given known answers, taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.core.view import AGENT
from benchmark.labelling.messages import MessageRubric, RatedMessage
from benchmark.labelling.sampling import Candidate, Pair, choose_pairs, choose_sessions
from benchmark.metrics import Metric
from benchmark.suites import first_profile, metrics_of
from webapp.catalogue.models import Task
from webapp.labelling.agents import agent_name, agent_names, user_name
from webapp.labelling.answers import answers_of
from webapp.labelling.blind import why_unshowable
from webapp.labelling.choices import sent_choice
from webapp.labelling.models import Assignment, Kind, LabelItem, LabelStudy
from webapp.labelling.scales import are_on_scale, scales_words
from webapp.labelling.strata import stratum_of
from webapp.sessions.log import read_log
from webapp.sessions.models import COUNTED_STATUSES, MetricValue, Run, Session
from webapp.sets.models import SessionSet

MOST_ITEMS = 20_000
SHOWN_AT_ONCE = 50
Purpose = LabelItem.Purpose


class ItemRefused(ValueError):
    """What was asked of an item can't be; the words say why and what helps."""


@dataclass(frozen=True)
class ItemRequest:
    """Which sessions become items, or, in a study of messages, all of which messages do.

    sessions: by their ids, beside those of runs and sets. only: `KEY=VALUE` of `stratum_groups`: a task has one of
    the values of each key that is named. require: keys of the suite's `boolean_metrics` that must hold. differing:
    only plans that differ. stratum: of `stratum_labels`, or "". size: how many in all, most_per_agents: of one pair
    of agents, per_agent: of one agent; None for any number.
    """

    runs: Sequence[Run]
    sets: Sequence[SessionSet] = ()
    sessions: Collection[str] = ()
    only: Sequence[str] = ()
    require: Sequence[str] = ()
    differing: bool = True
    stratum: str = ""
    size: int | None = None
    most_per_agents: int | None = None
    per_agent: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class ItemChoice:
    """What would become items. sessions: candidates; existing_count: pairs or sessions that the study has already.

    messages: by session of `singles`, in a study of messages.
    """

    pairs: Sequence[Pair] = ()
    singles: Sequence[Candidate] = ()
    sessions: int = 0
    alike: int = 0
    existing_count: int = 0
    messages: Mapping[str, Sequence[RatedMessage]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pairs) + sum(map(self._size, self.singles))

    def _size(self, single: Candidate) -> int:
        return len(self.messages.get(single.id, ("",)))

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many of each pair of agents, or of each agent."""
        named = Counter(" – ".join(pair.agents) for pair in self.pairs)
        for single in self.singles:
            named[single.agent] += self._size(single)
        return sorted(named.items())

    @property
    def strata(self) -> list[tuple[str, int]]:
        """How many of each stratum, if there are such."""
        named = Counter(pair.stratum for pair in self.pairs)
        for single in self.singles:
            named[single.stratum] += self._size(single)
        return sorted(named.items()) if set(named) != {""} else []


def boolean_metrics(suite: str) -> list[Metric]:
    """What the rules of a benchmark say yes or no to of a session: whether a plan is valid, feasible, and so on."""
    return [
        metric
        for metric in metrics_of(suite)
        if metric.unit == "flag" and metric.scope != "run" and metric.source == "rules"
    ]


def candidates(study: LabelStudy, wanted: ItemRequest) -> list[Session]:
    """The sessions of these runs and sets that ended with what was asked for, in a study of pairs, and every flag."""
    chosen = Q(run__in=wanted.runs) | Q(pk__in=wanted.sessions)
    if wanted.sets:
        chosen |= Q(
            pk__in=SessionSet.sessions.through.objects.filter(sessionset__in=wanted.sets).values("session")
        )
    sessions = Session.objects.filter(chosen, status__in=COUNTED_STATUSES, suite=study.suite)
    if study.kind == Kind.PAIRWISE:
        sessions = sessions.filter(plan_generated=True)
    profile = first_profile(study.suite)
    for key in wanted.require:
        met = MetricValue.objects.filter(
            session=OuterRef("pk"), profile=profile, rater="", key=key, value__gt=0
        )
        sessions = sessions.filter(Exists(met))
    rows = sessions.select_related("agent_model", "user_model", "run", "task").defer("task__definition")
    wanted_strata: dict[str, set[str]] = {}
    for key, _equals, value in (stratum.partition("=") for stratum in wanted.only):
        wanted_strata.setdefault(key, set()).add(value)
    return [
        session
        for session in rows.order_by("pk")
        if all(stratum_of(session.task, key) in values for key, values in wanted_strata.items())
    ]


def _rated_messages(rubric: MessageRubric, session: str) -> list[RatedMessage]:
    return list(rubric.messages(read_log(session, types=rubric.reads)))


def choose(study: LabelStudy, wanted: ItemRequest) -> ItemChoice:
    """What `add` would make items of, without those that the study has."""
    sessions = candidates(study, wanted)
    rubric = study.message_rubric
    names = agent_names(sessions, agent_name if rubric is None or rubric.speaker == AGENT else user_name)
    given = [
        Candidate(
            session.pk, str(session.task_id), names[session.pk], stratum_of(session.task, wanted.stratum)
        )
        for session in sessions
    ]
    if study.kind == Kind.PAIRWISE:
        return _pairs(study, wanted, given)
    there = set(study.items.filter(left__isnull=False).values_list("left_id", flat=True))
    fresh = [candidate for candidate in given if candidate.id not in there]
    messages: dict[str, list[RatedMessage]] = {}
    if rubric is not None:
        messages = {one.id: found for one in fresh if (found := _rated_messages(rubric, one.id))}
        given = [one for one in given if one.id in there or one.id in messages]
        fresh = [one for one in fresh if one.id in messages]
    options: dict[str, Any] = {"per_agent": wanted.per_agent, "size": wanted.size, "seed": wanted.seed}
    singles = choose_sessions(fresh, **options)
    left_out = len(given) - len(fresh)
    return ItemChoice(singles=singles, sessions=len(given), existing_count=left_out, messages=messages)


def _pairs(study: LabelStudy, wanted: ItemRequest, given: Sequence[Candidate]) -> ItemChoice:
    there = {frozenset(ids) for ids in study.items.values_list("left_id", "right_id")}
    answers = answers_of(study.suite, (candidate.id for candidate in given))
    given = [candidate for candidate in given if candidate.id in answers]
    passed: Counter[str] = Counter()

    def differ(first: Candidate, second: Candidate) -> bool:
        if frozenset((first.id, second.id)) in there:
            passed["there"] += 1
        elif wanted.differing and answers[first.id].plain == answers[second.id].plain:
            passed["alike"] += 1
        else:
            return True
        return False

    pairs = choose_pairs(
        given, size=wanted.size, most_per_agents=wanted.most_per_agents, seed=wanted.seed, differ=differ
    )
    return ItemChoice(pairs=pairs, sessions=len(given), alike=passed["alike"], existing_count=passed["there"])


def add_from_runs(*, study: LabelStudy, wanted: ItemRequest) -> ItemChoice:
    """Make items of sessions; gives what was chosen.

    Raises:
        ItemRefused: there is nothing to choose from, or too much.
    """
    with transaction.atomic():
        locked = LabelStudy.objects.select_for_update().get(pk=study.pk)
        chosen = choose(locked, wanted)
        if not len(chosen):
            raise ItemRefused(why_none(locked, chosen))
        tasks = {str(task.pk): task for task in _tasks_of(chosen)}
        rows = [_pair_item(pair, tasks) for pair in chosen.pairs]
        rows += [
            _single_item(single, tasks, message)
            for single in chosen.singles
            for message in chosen.messages.get(single.id, (None,))
        ]
        _refuse_unshowable(locked, rows)
        store_items(study=locked, items=rows)
    return chosen


def why_none(study: LabelStudy, chosen: ItemChoice) -> str:
    """Why nothing was chosen, and what helps."""
    if not chosen.sessions:
        return _(
            "No session of these runs has ended with an answer and meets your requirements. Require "
            "less, or wait."
        )
    if chosen.existing_count:
        return _("Everything that fits is already in the study.")
    if chosen.alike:
        return _("All pairs say the same on both sides. Choose other runs, or include such pairs.")
    if study.kind == Kind.PAIRWISE:
        return _("No task was done by two different agents in these runs. Choose runs of several agents.")
    return _("No session fits. Choose other runs, or a larger number.")


def _refuse_unshowable(study: LabelStudy, rows: Sequence[LabelItem]) -> None:
    """Show each item once of which a session was played elsewhere, for its record may hold anything.

    Raises:
        ItemRefused: one can't be shown; its task and agents are named.
    """
    for begin in range(0, len(rows), SHOWN_AT_ONCE):
        some = rows[begin : begin + SHOWN_AT_ONCE]
        ids = {pk for row in some for pk in (row.left_id, row.right_id) if pk}
        sides = Session.objects.select_related("task__brought_by").in_bulk(ids)
        for row in some:
            left, right = sides.get(row.left_id or ""), sides.get(row.right_id or "")
            if any(session.imported for session in (left, right) if session):
                _show_once(study, row, left, right)


def _show_once(study: LabelStudy, row: LabelItem, left: Session | None, right: Session | None) -> None:
    task = (left or right or row).task
    agents = {"left_agent": row.left_agent, "right_agent": row.right_agent}
    if why := why_unshowable(LabelItem(study=study, task=task, left=left, right=right, **agents)):
        words = _(
            "Task %(task)s of %(agents)s can’t be shown to annotators (%(why)s). Correct its record, or leave it out."
        )
        named = ", ".join(filter(None, agents.values()))
        raise ItemRefused(words % {"task": task.task_id, "agents": named, "why": why})


def _tasks_of(chosen: ItemChoice) -> QuerySet[Task]:
    ids = {pair.left.task for pair in chosen.pairs} | {single.task for single in chosen.singles}
    return Task.staged_too.filter(pk__in=ids).only("pk", "cities")


def _pair_item(pair: Pair, tasks: Mapping[str, Task]) -> LabelItem:
    task = tasks[pair.left.task]
    return LabelItem(
        task=task,
        cities=list(task.cities),
        left_id=pair.left.id,
        right_id=pair.right.id,
        left_agent=pair.left.agent,
        right_agent=pair.right.agent,
        stratum=pair.stratum,
    )


def _single_item(candidate: Candidate, tasks: Mapping[str, Task], message: RatedMessage | None) -> LabelItem:
    task = tasks[candidate.task]
    return LabelItem(
        at=message.at if message else None,
        facets=dict(message.facets) if message else {},
        task=task,
        cities=list(task.cities),
        left_id=candidate.id,
        left_agent=candidate.agent,
        stratum=candidate.stratum,
    )


def add_tasks(
    *, study: LabelStudy, tasks: QuerySet[Task], stratum: str = "", size: int | None = None, seed: int = 0
) -> int:
    """Make items of tasks alone, for a yes/no question about each; gives how many.

    Raises:
        ItemRefused: the study asks of plans or conversations, or no task is left.
    """
    if study.kind != Kind.BINARY:
        raise ItemRefused(_("Only a yes/no question can be asked about a task alone."))
    with transaction.atomic():
        locked = LabelStudy.objects.select_for_update().get(pk=study.pk)
        there = locked.items.filter(left=None).values("task")
        fresh = tasks.filter(suite=locked.suite).exclude(pk__in=there)
        given = {str(task.pk): task for task in fresh.defer("definition")}
        offered = (Candidate(pk, pk, "", stratum_of(task, stratum)) for pk, task in given.items())
        chosen = choose_sessions(offered, size=size, seed=seed)
        if not chosen:
            raise ItemRefused(
                _("All of these tasks are already in the study, or belong to another benchmark.")
            )
        items = [
            LabelItem(task=given[task.id], cities=list(given[task.id].cities), stratum=task.stratum)
            for task in chosen
        ]
        return len(store_items(study=locked, items=items))


def store_items(*, study: LabelStudy, items: Iterable[LabelItem]) -> list[LabelItem]:
    """Give new items their numbers and random places in the queue, and store them.

    Raises:
        ItemRefused: there are more than a study holds.
    """
    given = list(items)
    last = study.items.aggregate(last=Max("number"))["last"] or 0
    if last + len(given) > MOST_ITEMS:
        raise ItemRefused(_("A study can have at most %(n)s items; choose fewer.") % {"n": f"{MOST_ITEMS:,}"})
    for number, item in enumerate(given, last + 1):
        item.study, item.number, item.rank = study, number, rank_of(study, number)
    return LabelItem.objects.bulk_create(given, batch_size=500)


def rank_of(study: LabelStudy, number: int) -> int:
    """A random place in the queue, from the study's seed, so that items added later mix with the others."""
    digest = sha256(f"{study.seed}:{study.pk}:{number}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1


def checked_answer(study: LabelStudy, choice: str, scores: Mapping[str, int | None]) -> dict[str, Any]:
    """A known answer or a decision as it is stored. choice: as a page sends it.

    Raises:
        ItemRefused: it is none of the study's answers, or a rating is missing.
    """
    if study.kind != Kind.RUBRIC:
        stored = sent_choice(study, choice)
        if stored is None:
            raise ItemRefused(_("Choose one of the study's answers."))
        return stored
    rated = {name: scores.get(name) for name in study.dimension_names}
    if not are_on_scale(study, rated):
        raise ItemRefused(_("Rate every dimension: %(scales)s.") % {"scales": scales_words(study)})
    return {"scores": rated}


def set_known(
    *, item: LabelItem, purpose: str, answer: Mapping[str, Any] | None = None, explanation: str = ""
) -> None:
    """Make an item one with a known answer, a qualification item or an example; or an ordinary one again.

    answer: as `checked_answer` gives it. Correcting the answer of an item that was answered counts at once, but
    lets nobody in or out who has passed the qualification or failed it.

    Raises:
        ItemRefused: it has no known answer, or was given to annotators under another purpose.
    """
    if purpose != Purpose.NORMAL and not answer:
        raise ItemRefused(_("Say what the right answer is."))
    with transaction.atomic():
        LabelStudy.objects.select_for_update().get(pk=item.study_id)  # as whoever gives items out
        kept = LabelItem.objects.get(pk=item.pk)
        if kept.purpose != purpose and _given_out(kept):
            raise ItemRefused(
                _(
                    "Annotators have already been given this item, so its purpose can't be changed. "
                    "Choose another item."
                )
            )
        kept.purpose, kept.explanation = purpose, explanation
        kept.answer = dict(answer) if answer and purpose != Purpose.NORMAL else None
        kept.save(update_fields=["purpose", "answer", "explanation"])
    item.refresh_from_db()


def _given_out(item: LabelItem) -> bool:
    return item.labels.exists() or Assignment.objects.filter(item=item).exists()


def withdraw_items(*, items: QuerySet[LabelItem]) -> int:
    """Take items out: nobody gets them, nothing said of them counts, and all of it stays. Gives how many."""
    now = timezone.now()
    with transaction.atomic():
        _hold_studies(items)
        ids = list(items.filter(withdrawn_at=None).values_list("pk", flat=True))
        LabelItem.objects.filter(pk__in=ids).update(withdrawn_at=now)
        at_work = Assignment.objects.filter(item__in=ids, status=Assignment.Status.OPEN)
        at_work.update(status=Assignment.Status.EXPIRED, ended_at=now)
    return len(ids)


def restore_items(*, items: QuerySet[LabelItem]) -> int:
    """Put items back that were taken out; what was said of them counts again. Gives how many."""
    with transaction.atomic():
        _hold_studies(items)
        return items.exclude(withdrawn_at=None).update(withdrawn_at=None)


def _hold_studies(items: QuerySet[LabelItem]) -> None:
    """Wait for whoever gives items of these studies out, and make them wait."""
    ids = set(items.order_by().values_list("study", flat=True))
    list(LabelStudy.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
