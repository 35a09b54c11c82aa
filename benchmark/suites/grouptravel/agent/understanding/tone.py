"""How firmly something is said, from the cues around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import en, lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Cue
from benchmark.suites.grouptravel.agent.understanding.topics import Tier
from benchmark.text import guarded

_DOUBLE_GAP = 3
_NEGATIVE = frozenset({"neg", "lose", "dismiss", "refuse", "lukewarm", "soften"})


@dataclass(frozen=True, slots=True)
class Mark:
    """A cue at [start, end) of a clause."""

    start: int
    end: int
    cue: Cue


@lru_cache
def _patterns(language: str) -> tuple[tuple[Cue, guarded.Pattern], ...]:
    cues, flags = (
        (en.CUES, guarded.IGNORECASE) if language == "en" else (lexicon(language).cues, guarded.NOFLAG)
    )
    return tuple(
        (cue, guarded.compile("|".join(f"(?:{text})" for text in texts), flags))
        for cue, texts in cues.items()
    )


def find_marks(clause: str, language: str, glued: Sequence[bool]) -> list[Mark]:
    """The cues of a clause, leftmost and longest first; none that overlaps a glued character."""
    marks = [
        Mark(match.start(), match.end(), cue)
        for cue, pattern in _patterns(language)
        for match in pattern.finditer(clause)
        if match.end() > match.start() and not any(glued[match.start() : match.end()])
    ]
    marks.sort(key=lambda mark: (mark.start, mark.start - mark.end))
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
        elif mark.end - mark.start > kept[-1].end - kept[-1].start and (
            len(kept) < 2 or mark.start >= kept[-2].end
        ):
            kept[-1] = mark
    return kept


@dataclass(frozen=True, slots=True)
class Tone:
    """positive: wished for. force: `firm`, `mild`, or `plain` when no cue says which. neutral: neither."""

    positive: bool
    force: str
    neutral: bool = False

    @property
    def tier(self) -> Tier:
        """The tier of the tone; a plain wish or refusal counts as firm."""
        if self.force == "mild":
            return "prefer" if self.positive else "avoid"
        return "must" if self.positive else "reject"


def tone_of(marks: Iterable[Mark], softened: bool = False) -> Tone | None:
    """The tone that cues make together, None without a cue. softened: a plain refusal ends mildly (…吧)."""
    units = _fold_doubles(list(marks))
    if not units:
        return None
    cues = {mark.cue for mark in units}
    if cues <= {"fine"}:
        return Tone(True, "mild", neutral=True)
    negative = bool(cues & _NEGATIVE)
    return Tone(not negative, _force(cues, softened and negative))


def _force(cues: set[Cue], softened: bool) -> str:
    if cues & {"hedge", "soften", "dismiss"} and not (
        cues & {"refuse"} or ("dismiss" in cues and "strong" in cues)
    ):
        return "mild"
    if cues & {"must", "strong", "refuse"}:
        return "firm"
    if cues & {"desire", "lukewarm"} or softened:
        return "mild"
    return "plain"


def _fold_doubles(marks: list[Mark]) -> list[Mark]:
    """A negation of a negation (别漏了, 不能不) becomes one firm, positive cue."""
    folded: list[Mark] = []
    for mark in marks:
        last = folded[-1] if folded else None
        double = (
            mark.cue in {"neg", "lose"} and last is not None and last.cue in {"neg", "soften", "lukewarm"}
        )
        if (
            double
            and last is not None
            and mark.start - last.end <= (_DOUBLE_GAP if mark.cue == "lose" else 1)
        ):
            folded[-1] = Mark(last.start, mark.end, "must")
        else:
            folded.append(mark)
    return folded
