"""What the user may say in a turn, and what a program says: from the task, and from what has happened so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final

from benchmark.core.options import Options
from benchmark.plans.view import Plan
from benchmark.suites.tripbench.events import Block, Finding, Item, UserBriefed
from benchmark.suites.tripbench.itineraries import DAYS, sound_form
from benchmark.suites.tripbench.modes import (
    FIT_P,
    ISSUE_P,
    MODE,
    MOST_DUE,
    MOST_IDS,
    MOST_ISSUES,
    OWN_STYLE,
    SINGLE_TURN,
    SPECIAL_P,
    STYLE,
    most_turns,
)
from benchmark.suites.tripbench.plans.schema import ATTRACTION, PLAN, RESTAURANT
from benchmark.suites.tripbench.tasks.task import (
    CLARIFY,
    CONTENT,
    EXPLORE,
    ISSUE,
    SPECIALS,
    Demand,
    Instruction,
    Task,
)
from benchmark.suites.tripbench.users.replies import asks_about, refuses
from benchmark.suites.tripbench.users.words import say
from benchmark.suites.tripbench.wording import request_words, vague_words
from benchmark.suites.tripbench.wording.trips import trip_words

_MOST_LISTED: Final = 10
"""Issues that are told of."""
_IDEAS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What has happened before a turn of the user.

    turn: which, from 1. issued_ids, exact: of instructions that were said, and said exactly. plan: the agent's last
    one; has_plan: whether the last reply held it. reply: the agent's last words. findings: what is wrong with the
    plan, as the user hears it. broken_ids: of instructions that it breaks.
    """

    task: Task
    options: Options
    seed: int
    turn: int = 1
    issued_ids: Sequence[str] = ()
    exact: frozenset[str] = frozenset()
    plan: Plan | None = None
    has_plan: bool = False
    reply: str = ""
    findings: Sequence[Finding] = ()
    broken_ids: frozenset[str] = frozenset()

    @property
    def mode(self) -> object:
        """How the conversation is held."""
        return self.options.get(MODE.key, MODE.default)

    @property
    def style(self) -> str:
        """How the user talks."""
        chosen = str(self.options.get(STYLE.key, OWN_STYLE))
        return self.task.style if chosen == OWN_STYLE else chosen

    @cached_property
    def most_turns(self) -> int:
        """After so many the session ends."""
        return most_turns(self.task.tier, self.task.subset, self.mode)

    @cached_property
    def demand(self) -> Demand:
        """What holds now."""
        return self.task.demand_after(self.issued_ids)

    @cached_property
    def days(self) -> Sequence[Mapping[str, Any]]:
        """Of the plan; none where its form is wrong."""
        plan = sound_form(self.plan)
        return plan[PLAN][DAYS] if plan else []

    @property
    def is_last(self) -> bool:
        """Whether the user has no turn after this one."""
        return self.turn >= self.most_turns

    def chance(self, what: str) -> float:
        """A number from 0 to 1 that this turn of this session always has."""
        return Random(f"{self.seed}/{self.task.id}/{self.turn}/{what}").random()


def brief_user(now: Situation) -> UserBriefed | None:
    """What the user may say in the turn; None where the session is over."""
    if now.turn > now.most_turns:
        return None
    if now.mode == SINGLE_TURN:
        return _brief_all(now)
    back, clarified, due = _find_fallbacks(now), _find_clarifications(now), _due_instructions(now)
    issues = [ISSUE + finding.constraint for finding in now.findings][:_MOST_LISTED]
    raised = [id_ for id_ in issues if now.chance(id_) < ISSUE_P][:MOST_ISSUES]
    if now.turn > 1 and not (back or clarified or due or raised):
        back = _pending_fallbacks(now)
        if not back:
            return None
    needed = back if now.is_last else []
    asked = [*back, *clarified, *due]
    if now.turn > 1:
        asked = asked[: max(MOST_DUE[now.task.tier], len(needed))]
    most = max(MOST_IDS, len(asked)) if now.turn == 1 else MOST_IDS
    chosen = [*[one.id for one in asked], *raised][:most]
    special = _special(now) if len(chosen) < most else None
    items = [
        *(_item(one, "history", now) for one in now.demand.constraints.values() if one not in clarified),
        *(_clarification(one, now) for one in clarified),
        *(_item(one, "new" if one.is_new else "modify", now) for one in (*back, *due)),
        *(Item(id=ISSUE + one.constraint, block="issue", words=one.words) for one in now.findings),
        *_specials(now),
    ]
    return UserBriefed(
        turn=now.turn,
        turns=now.most_turns,
        trip=trip_words(now.demand.frame, now.task.language),
        items=tuple(items),
        chosen_ids=(*chosen, *([special.id] if special else [])),
        needed_ids=tuple(one.id for one in needed),
        most=most,
        style=now.style,
    )


def _brief_all(now: Situation) -> UserBriefed:
    """All that holds in the end, in one message."""
    demand = now.task.demand_after(now.task.instructions)
    items = tuple(_item(one, "new", now, is_exact=True) for one in demand.constraints.values())
    ids = tuple(item.id for item in items)
    trip = trip_words(demand.frame, now.task.language)
    most = max(MOST_IDS, len(ids))
    return UserBriefed(
        turn=1, turns=1, trip=trip, items=items, chosen_ids=ids, needed_ids=ids, most=most, style=now.style
    )


# What is due.


def left_instructions(now: Situation) -> list[Instruction]:
    """What is left of the first node that is not spent."""
    for node in now.task.nodes:
        if left := [one for one in node.instructions if one.id not in now.issued_ids]:
            return left
    return []


def _due_instructions(now: Situation) -> list[Instruction]:
    """What is left of it, but what could not be taken back any more."""
    return [one for one in left_instructions(now) if not (now.is_last and one.fallback)]


def _pending_fallbacks(now: Situation) -> list[Instruction]:
    """What is said in place of instructions that can't be met, and still hold."""
    held = now.demand.constraints.values()
    return [one.fallback for one in held if one.fallback and one.fallback.id not in now.issued_ids]


def _find_fallbacks(now: Situation) -> list[Instruction]:
    """Those of them that are said now: the agent says that it can't be done, by chance, or before the end."""
    known = {one.fallback.id: one for one in now.task.instructions.values() if one.fallback}
    share = float(now.options.get(FIT_P.key, FIT_P.default))  # type: ignore[arg-type]
    return [
        back
        for back in _pending_fallbacks(now)
        if now.is_last
        or refuses(now.reply, known[back.id].rubric, has_plan=now.has_plan)
        or now.chance(back.id) < share
    ][:MOST_IDS]


def _find_clarifications(now: Situation) -> list[Instruction]:
    """What was said vaguely, and is said exactly now: the plan breaks it, or the agent asks."""
    vague = [one for one in now.demand.constraints.values() if one.is_vague and one.id not in now.exact]
    asked = [one for one in vague if one.id in now.broken_ids or asks_about(now.reply, one.rubric)]
    return asked[: MOST_DUE[now.task.tier]]


def _item(one: Instruction, block: Block, now: Situation, *, is_exact: bool = False) -> Item:
    is_vague = one.is_vague and not is_exact and one.id not in now.exact
    words = vague_words(one, now.task) if is_vague else request_words(one, now.task)
    return Item(id=one.id, block=block, words=words, replaces=one.drops, is_vague=is_vague)


def _clarification(one: Instruction, now: Situation) -> Item:
    item = _item(one, "new", now, is_exact=True)
    return item.model_copy(update={"words": say(now.task.language, "exact", words=item.words)})


# Talk about the plan.


def _specials(now: Situation) -> Iterator[Item]:
    if now.task.tier != "easy" and now.turn > 1:
        made = {id_: _make_special(id_, now) for id_ in SPECIALS}
        yield from (item for item in made.values() if item is not None)


def _special(now: Situation) -> Item | None:
    """The one that a program says, by chance."""
    if now.task.tier == "easy" or now.turn == 1 or now.chance("special") >= SPECIAL_P:
        return None
    made = [item for id_ in SPECIALS if (item := _make_special(id_, now)) is not None]
    return made[int(now.chance("which special") * len(made))]


def _make_special(id_: str, now: Situation) -> Item | None:
    """None where the plan has nothing that it could be about."""
    language = now.task.language
    if id_ == EXPLORE:
        number = 1 + int(now.chance(EXPLORE) * _IDEAS)
        return Item(id=id_, block="special", words=say(language, f"explore_{number}"))
    if id_ == CLARIFY and now.days:
        number = 1 + int(now.chance(CLARIFY) * len(now.days))
        return Item(id=id_, block="special", words=say(language, "clarify", day=number))
    if id_ == CONTENT and (free := list(_free_activities(now))):
        day, activity = free[int(now.chance(CONTENT) * len(free))]
        words = say(language, f"content_{activity['type']}", day=day, time=activity["time"])
        return Item(id=id_, block="special", words=words)
    return None


def _free_activities(now: Situation) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The visits and meals that no constraint names, with their days, from 1."""
    named = {
        str(id_)
        for one in now.demand.constraints.values()
        for value in one.args.values()
        for id_ in (value if isinstance(value, list) else [value])
    }
    for number, day in enumerate(now.days, 1):
        for activity in day["activities"]:
            if activity["type"] in (ATTRACTION, RESTAURANT) and activity["id"] not in named:
                yield number, activity
