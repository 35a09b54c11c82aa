"""What the rules of the paper know of a record, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.scoring.paper.answers import Answers, answers_in
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue
from benchmark.text import guarded
from benchmark.text.numerals.chinese import read_number

# What a run record tells beside its plan and tables: who comes along, and what tools returned.


@dataclass(frozen=True)
class Background:
    """Found in a record when a rule asks."""

    record: RunRecord

    @cached_property
    def children(self) -> tuple[str, ...]:
        """The young children who come along without a table.

        A published record names none: there the head count in `query` beyond the tables counts, and a child's name
        is "?".
        """
        if self.record.children is not None:
            return self.record.children
        return ("?",) * (self.heads - len(self.record.users))

    @cached_property
    def heads(self) -> int:
        """Everybody who travels, as `query` counts them; never fewer than there are users."""
        return max(len(self.record.users), heads_in(self.record.query))

    @cached_property
    def adults(self) -> frozenset[str]:
        """The users whose role is not that of a minor; everybody, if no user is an adult."""
        users, roles = self.record.users, self.record.roles
        return frozenset([user for user in users if not is_minor(roles.get(user, ""))] or users)

    @cached_property
    def answers(self) -> Answers:
        """What tools returned in this run."""
        return answers_in(self.record)


# What a rule of the paper says: an issue, or that something can't be checked.


REASONS: dict[str, str] = {
    "no_results": "the record holds no results of tools",
    "unreadable": "the record's tool results are free text in part, and nothing readable names it",
    "no_price": "tools returned it without a price",
    "no_coordinates": "no tool result tells where both ends lie",
    "no_departure_city": "the record does not name the city of departure",
}
"""English words by reason."""


class UncheckedPart(NamedTuple):
    """A part of the plan that a rule could not look at; it is no issue.

    type: of the issue that was looked for. day: the plan's label. segment, activity: places in `city_segments` and
    `activities`, None for a leg. location: its name. reason: a key of REASONS.
    """

    type: str
    day: Any
    segment: int
    activity: int | None
    location: str
    reason: str


Finding = Issue | UncheckedPart
PaperCheck = Callable[[Trip, Background], Iterator[Finding]]

# How many travel, and which roles are those of minors, as texts in Chinese or English say it.


_ONES = "一二三四五六七八九"
_NUMBER = rf"\d{{1,2}}|[两{_ONES}]?十[{_ONES}]?|[两{_ONES}]"
_LARGEST_GROUP = 20
_COUNT = rf"(?<![\d第零百千万十两{_ONES}])(?<!\d[.,])({_NUMBER})(?!\d)\s*"
_PERSONS = (
    r"(?:个|位|名)?人(?![民均次间房份桌座套餐床票帐以起制世士员气工文物类格])(?!\s*一[间桌屋组房])|口(?!味)"
)
_HEADS = [
    guarded.compile(pattern, guarded.IGNORECASE)
    for pattern in (
        rf"(?:共计?|一行|一家|全家)\s*{_COUNT}(?:{_PERSONS})",
        rf"{_COUNT}(?:{_PERSONS})",
        rf"{_COUNT}(?:位(?![于置列次数])|名(?![次胜额单校牌片字]))",
        rf"\b{_COUNT}(?:people|persons|travell?ers)\b",
    )
]
"""Totals first: of 一家三口，两位老人 the first number counts."""

_MAJORITY = 18
_BRACKETS = guarded.compile(r"[(（\[【]([^)）\]】]*)[)）\]】]?")
_OTHERS = guarded.compile(
    r"^.*(?:(?<!岁)的|['’]s\s)|(?<=\S)\s*(?:带|\b(?:of|with|and)\b).*", guarded.IGNORECASE
)
_AGE = guarded.compile(
    rf"({_NUMBER})(?!\d)(?:\s*[-–~至到]\s*(?:{_NUMBER}))?[\s-]*(?:周?岁|(?:years?|yrs?)\b)|\baged?\s+(\d{{1,2}})\b",
    guarded.IGNORECASE,
)
_BARE_AGE = guarded.compile(r"\s*(\d{1,2})(?:\s*[-–~]\s*\d{1,2})?\s*")
_MINOR = guarded.compile(
    r"(?:孩|孩子|孩童|儿童|[幼男女学]童|[婴幼]儿|宝宝|少年|少女|小朋友|[小中]学生|[初高]中生|儿子|闺女|女儿|孙子|孙女|外孙)们?"
    rf"[\sA-Z\d甲乙丙丁{_ONES}]*$"
    r"|\b(?:(?:grand|step)?(?:child(?:ren)?|sons?|daughters?)|kids?|teen(?:ager)?s?|toddlers?|bab(?:y|ies)|infants?)"
    r"[\s,#]*[A-Z\d]{0,2}$|未成年|\bteenaged?\b",
    guarded.IGNORECASE,
)
_ADULT = guarded.compile(r"(?<!未)成年|大学|\badult|\bgrown", guarded.IGNORECASE)


def heads_in(query: str) -> int:
    """How many travel by a query's first head count, from 1 to 20; 0 where it gives none."""
    for pattern in _HEADS:
        for match in pattern.finditer(query):
            if 0 < (heads := int(read_number(match[1]) or 0)) <= _LARGEST_GROUP:
                return heads
    return 0


def is_minor(role: str) -> bool:
    """Whether a role is that of a minor: under 18 where it tells an age (of a range the lower), else by its noun.

    The noun stands last, so that neither 少年宫老师 nor "child's mother" is one, and what stands in brackets tells at
    most an age.
    """
    asides = _BRACKETS.findall(role)
    noun = _OTHERS.sub("", _BRACKETS.sub("", role).strip()).strip()
    told = _AGE.search(noun) or next(filter(None, map(_age_alone, asides)), None)
    if told is not None:
        return (read_number(told[1] or told[2]) or 0) < _MAJORITY
    if not _MINOR.search(noun) or _ADULT.search(role):
        return False
    bare = next(filter(None, map(_BARE_AGE.fullmatch, asides)), None)
    return bare is None or int(bare[1]) < _MAJORITY


def _age_alone(aside: str) -> guarded.Match | None:
    """The age that opens an aside, unless it is that of somebody else: （3岁孩子的）."""
    match = _AGE.search(aside)
    rest = aside[match.end() :].strip().lower().lstrip("-") if match else ""
    before = aside[: match.start()].strip() if match else ""
    return match if before in ("", "约") and (not rest or rest.startswith((",", "，", "、", "old"))) else None
