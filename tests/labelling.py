"""Studies of labels, for tests: finished sessions of several agents, items made of them, annotators, and answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from typing import Any

from django.utils import timezone

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import MessagePosted, PlanProposed, SessionFinished
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import TurnGranted
from webapp.caches.choice import SandboxChoice, sandbox_setup
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.annotators import invite
from webapp.labelling.choices import shown_choice
from webapp.labelling.models import Annotator, Assignment, Kind, Label, LabelItem, LabelStudy
from webapp.seats.models import Seat
from webapp.sessions import services
from webapp.sessions.log import event_of, row_of
from webapp.sessions.models import Event, Run, Session, Status

AGENTS = ("alpha", "beta")
_names = (f"Annotator {number}" for number in count(1))


def plan_of(task: Task, *, place: str = "西湖", cost: float = 50) -> dict[str, Any]:
    """A plan of two days that all travellers make together."""
    city = task.cities[0]

    def at(kind: str, name: str, start: str, end: str, price: float) -> dict[str, Any]:
        return {
            "type": kind,
            "location": name,
            "start_time": start,
            "end_time": end,
            "participants": ["All"],
            "avg_cost": price,
        }

    days = [
        [at("attraction", place, "09:00", "11:30", cost), at("food", "楼外楼", "12:00", "13:00", 80)],
        [at("attraction", "灵隐寺", "10:00", "12:00", 30)],
    ]
    return {
        "days": [
            {
                "day": n,
                "date": f"2026-03-{26 + n}",
                "city_segments": [{"city": city, "activities": activities}],
            }
            for n, activities in enumerate(days, 1)
        ]
    }


def finished_session(task: Task, world: World, **ending: Any) -> Session:
    """A session that ended as `finished_draft` says, in the database."""
    draft = finished_draft(task, world, **ending)
    store_drafts([draft])
    return draft.session


def finished_draft(
    task: Task,
    world: World,
    *,
    agent: str = "alpha",
    run: Run | None = None,
    plan: dict[str, Any] | None = None,
    said: str = "",
    trial_id: int = 0,
) -> services.Draft:
    """A session that ended with this plan, and with these words of the agent before it. Nothing is scored."""
    setup = services.Setup(seed=trial_id)
    sandbox = sandbox_setup(SandboxChoice(), world, "grouptravel")
    draft = services.draft_session(
        task=task, world=world, setup=setup, sandbox=sandbox, run=run, trial_id=trial_id
    )
    session = draft.session
    log: Conversation[Any] = Conversation(RULES)
    for row in draft.events:
        row.session = session
        log.apply(event_of(row))
    words = MessagePosted(role="Agent", content=said or "Here is the plan.", has_plan=True)
    ended = SessionFinished(reason="plan_generated", plan_generated=True)
    proposed = PlanProposed(plan=plan if plan is not None else plan_of(task, place=f"{agent} 公园"))
    turn = TurnGranted(speaker="Agent", kind="convergence", place="opening")
    steps = [("system", (turn,)), ("Agent", (words, proposed)), ("system", (ended,))]
    events = [event for actor, bodies in steps for event in log.append(Step(actor, bodies))]
    draft.events.extend(row_of(session.pk, event) for event in events)
    session.agent, session.status, session.plan_generated = agent, Status.FINISHED, True
    session.completion_reason, session.last_seq = "plan_generated", events[-1].seq
    session.finished_at = timezone.now()
    return draft


def store_drafts(drafts: Collection[services.Draft]) -> None:
    """Store ended sessions by their rows alone: nobody is told, so that no table and no search has them."""
    Session.objects.bulk_create(draft.session for draft in drafts)
    Event.objects.bulk_create(event for draft in drafts for event in draft.events)
    Seat.objects.bulk_create(seat for draft in drafts for seat in draft.seats)


def finished_run(tasks: Iterable[Task], world: World, *, agent: str = "alpha", trials: int = 1) -> Run:
    """A run of sessions that ended with a plan each, one agent's."""
    run = Run.objects.create(
        name=f"run of {agent}", setup={"agent": agent, "users": "scripted"}, trials=trials
    )
    store_drafts(
        [
            finished_draft(task, world, agent=agent, run=run, trial_id=trial)
            for task in tasks
            for trial in range(trials)
        ]
    )
    return run


def make_study(kind: str = Kind.PAIRWISE, **fields: Any) -> LabelStudy:
    """An open study without items; nothing known is asked in between, and nothing twice."""
    given = {"status": LabelStudy.Status.OPEN, "gold_every": 0, "repeat_every": 0, "min_view_s": 0, **fields}
    return LabelStudy.objects.create(
        name=given.pop("name", f"study {LabelStudy.objects.count() + 1}"), kind=kind, **given
    )


def add_item(
    study: LabelStudy,
    task: Task,
    left: Session | None = None,
    right: Session | None = None,
    **fields: Any,
) -> LabelItem:
    """The next item of a study."""
    number = study.items.count() + 1
    given = {
        "rank": number,
        "left_agent": left.agent if left else "",
        "right_agent": right.agent if right else "",
        "stratum": task.difficulty,
        "cities": list(task.cities),
        **fields,
    }
    return LabelItem.objects.create(study=study, number=number, task=task, left=left, right=right, **given)


def pairs_study(
    tasks: Sequence[Task], world: World, items: int = 3, agents: Sequence[str] = AGENTS, **fields: Any
) -> LabelStudy:
    """A pairwise study over finished sessions of two agents or more; the same sessions serve several items."""
    study = make_study(**fields)
    drafts = {
        (task.pk, agent): finished_draft(task, world, agent=agent)
        for task in tasks[: max(1, min(items, len(tasks)))]
        for agent in agents
    }
    store_drafts(drafts.values())
    sessions = {key: draft.session for key, draft in drafts.items()}
    pairs = list(combinations(agents, 2))
    for number in range(items):
        task, (left, right) = tasks[number % len(tasks)], pairs[number % len(pairs)]
        add_item(study, task, sessions[task.pk, left], sessions[task.pk, right])
    return study


def annotator_of(study: LabelStudy, name: str = "", **fields: Any) -> Annotator:
    """Somebody who was invited, has read the guidelines, and is at work."""
    found = invite(study=study, name=name or next(_names), **fields)
    Annotator.objects.filter(pk=found.pk).update(guidelines_read=study.guidelines_version)
    found.refresh_from_db()
    return found


def answer(assignment: Assignment, choice: str = "left", **given: Any) -> Label:
    """Answer an item by its own sides, whichever way it is shown."""
    shown = shown_choice(choice, assignment.swapped)
    return queue.answer(assignment, given=queue.Answer(choice=shown, **{"seconds": 30.0, **given}))


def rate(assignment: Assignment, **scores: int) -> Label:
    """Rate an item under a rubric; dimensions that are not named get 3."""
    names = assignment.item.study.dimension_names
    rated = {name: scores.get(name, 3) for name in names}
    return queue.answer(assignment, given=queue.Answer(scores=rated, seconds=30.0))


def answer_all(annotator: Annotator, choices: Iterable[str] = (), otherwise: str = "left") -> list[Label]:
    """Answer everything that this annotator is given: in turn with `choices`, then with another one."""
    labels, given = [], iter(choices)
    while (assignment := queue.next_for(annotator)) is not None:
        labels.append(answer(assignment, next(given, otherwise)))
    return labels


def label(item: LabelItem, rater: Rater, choice: str = "left", **fields: Any) -> Label:
    """A stored label of a person, without a page and a lease."""
    given = {"answer": {"choice": choice} if choice else {}, "source": Label.Source.IMPORT, **fields}
    return Label.objects.create(item=item, rater=rater, choice=choice, **given)


def vote(study: LabelStudy, votes: dict[int, str], raters: Sequence[Rater] = ()) -> list[Rater]:
    """Store labels of people by the item's number: "LLR" is left, left and right of the first three raters.

    L left, R right, N neither, T tie, Y yes, O no; a dot for a rater who said nothing.
    """
    letters = {"L": "left", "R": "right", "N": "neither", "T": "tie", "Y": "yes", "O": "no"}
    wanted = max(map(len, votes.values()), default=0)
    people = [*raters, *(Rater.objects.create(name=next(_names)) for _ in range(wanted - len(raters)))]
    for number, said in votes.items():
        item = study.items.get(number=number)
        for rater, letter in zip(people, said, strict=False):
            if letter != ".":
                label(item, rater, letters[letter])
    return people


@dataclass
class LabelledStudy:
    """A study with its annotators, each of whom has answered everything."""

    study: LabelStudy
    annotators: list[Annotator] = field(default_factory=list)

    @classmethod
    def by(cls, study: LabelStudy, *choices: Sequence[str]) -> LabelledStudy:
        """One annotator for each sequence of choices, one after the other."""
        found = cls(study)
        for given in choices:
            annotator = annotator_of(study)
            answer_all(annotator, given)
            found.annotators.append(annotator)
        return found

    def __iter__(self) -> Iterator[Annotator]:
        return iter(self.annotators)
