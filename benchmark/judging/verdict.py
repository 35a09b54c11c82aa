"""What judges say, read: ratings with their evidence, and faults by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

LOWEST, HIGHEST = 1, 5
"""The ends of the scale where a dimension names no other ones; the meta-judge's always."""

FaultKind = Literal[
    "no_json",
    "repaired",
    "ambiguous",
    "twice",
    "cut_off",
    "over_limit",
    "missing",
    "wrong_type",
    "out_of_range",
    "no_rationale",
    "no_citation",
    "unknown_turn",
    "no_xml",
    "no_word",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with an answer.

    kind: no_json (no JSON object in it), repaired (its JSON was broken and had to be mended), ambiguous (it holds
    several answers that differ, or its broken JSON says something twice), twice (a dimension or a key of it is
    written more than once), cut_off (it reached the limit of tokens), over_limit (what was asked is longer than the
    model's context, as the server counts it), missing (a dimension or a score is not there), wrong_type,
    out_of_range (of a score), no_rationale, no_citation (no turn is cited), unknown_turn (a cited turn does not
    exist), no_xml (where XML is asked for, nothing of it can be read), no_word (a rating is none of the words that
    were asked for). dimension: whose, "" for the whole answer. detail: what was found there.
    """

    kind: FaultKind
    dimension: str = ""
    detail: str = ""

    def as_json(self) -> dict[str, str]:
        """As JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Rating:
    """One dimension. score: on its scale, None where the answer has none that counts. turns: those cited, in order,
    and in the judge's list or in the rationale; unknown: those of them that the transcript has not. lists: what the
    answer lists, by the keys of its dimension; those without anything are left out.
    """

    score: int | None
    rationale: str = ""
    turns: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """As JSON; `lists` only where there are any."""
        told = {**asdict(self), "turns": list(self.turns), "unknown": list(self.unknown)}
        lists = {key: list(found) for key, found in told.pop("lists").items()}
        return {**told, "lists": lists} if lists else told

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Rating:
        """Read what `as_json` gave."""
        turns, unknown = tuple(stored["turns"]), tuple(stored["unknown"])
        return cls(stored["score"], stored["rationale"], turns, unknown, stored.get("lists", {}))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's answer. ratings: by dimension, of every one that the answer names. raw: the answer to the letter.
    complete: every dimension has a score, or as many as its benchmark asks for. weight: of the transcript.
    """

    raw: str
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    complete: bool = False
    weight: float = 1.0

    @property
    def scores(self) -> dict[str, int]:
        """The scores that count."""
        return {name: rating.score for name, rating in self.ratings.items() if rating.score is not None}


@dataclass(frozen=True, slots=True)
class Calibration:
    """A meta-judge's answer. score: 1 to 5, None where the answer has none that counts. raw: to the letter."""

    raw: str
    score: int | None = None
    reasoning: str = ""
    turns: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
