"""What people are asked of TRIP-Bench's user, message by message (appendix E)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Final

from benchmark.core.events import Event, MessagePosted
from benchmark.judging import Dimension
from benchmark.labelling.messages import Fact, FactLine, MessageRubric, RatedMessage
from benchmark.labelling.statistic import Definition
from benchmark.metrics import LEVEL
from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Rating
from benchmark.suites.tripbench.events import InstructionsIssued, Item, SessionOpened, UserBriefed
from benchmark.suites.tripbench.tasks.task import USER
from benchmark.suites.tripbench.users.words import say

_GUIDELINES: Final = Path(__file__).with_name("guidelines")
_READS: Final = frozenset({"session_opened", "user_briefed", "message_posted", "instructions_issued"})
_AIS: Final = "ais"
_PAPER_TABLE: Final = "Section 6, user simulator"


def _turns(log: Iterable[Event]) -> Iterator[tuple[int, SessionOpened, UserBriefed, InstructionsIssued]]:
    """Each message of the user by its number, with what they were told and what they issued by it.

    Without those that a program said in the place of a model: they are no model's.
    """
    opened: SessionOpened | None = None
    brief: UserBriefed | None = None
    said = 0
    for event in log:
        match event.body:
            case SessionOpened() as body:
                opened = body
            case UserBriefed() as body:
                brief = body
            case MessagePosted(role=role) if role == USER:
                said = event.seq
            case InstructionsIssued() as issued if opened and brief and not issued.substituted:
                yield said, opened, brief, issued


def _issued_messages(log: Iterable[Event]) -> Iterator[RatedMessage]:
    """Those that issue something."""
    for at, opened, brief, issued in _turns(log):
        if issued.ids:
            facts = [_issued_fact(brief, issued), *_held_facts(brief, issued), _trip(brief)]
            yield RatedMessage(at, facts, _facets(opened, brief))


def _vague_messages(log: Iterable[Event]) -> Iterator[RatedMessage]:
    """Those of conversations whose user is to be vague."""
    for at, opened, brief, issued in _turns(log):
        if opened.subset == _AIS:
            style = FactLine(say(opened.language, f"talk_{brief.style or 'plain'}"))
            facts = [Fact(_("How the user was to talk"), [style]), _issued_fact(brief, issued)]
            yield RatedMessage(
                at, [*facts, *_held_facts(brief, issued), _trip(brief)], _facets(opened, brief)
            )


def _issued_fact(brief: UserBriefed, issued: InstructionsIssued) -> Fact:
    lines = [_line(item) for item in brief.items if item.id in issued.ids]
    return Fact(_("Issued by this message"), lines or [FactLine("–")])


def _held_facts(brief: UserBriefed, issued: InstructionsIssued) -> Iterator[Fact]:
    """What had been said and holds."""
    held = [item for item in brief.items if item.block == "history" and item.id not in issued.ids]
    if held:
        yield Fact(_("Said before, and in force"), [FactLine(item.words, item.id) for item in held])


def _trip(brief: UserBriefed) -> Fact:
    return Fact(_("The trip"), [FactLine(brief.trip)])


def _line(item: Item) -> FactLine:
    changes = _("changes or ends what was said") if item.replaces else ""
    return FactLine(item.words, item.id, _("to be said vaguely") if item.is_vague else changes)


def _facets(opened: SessionOpened, brief: UserBriefed) -> Mapping[str, str]:
    return {LEVEL: opened.tier, "subset": opened.subset, "style": brief.style}


def _guidelines(name: str) -> Mapping[str, Path]:
    return {code: _GUIDELINES / f"{name}.{code}.md" for code in ("zh", "en")}


def _check(key: str, label: str) -> Dimension:
    """One that is answered by no or yes."""
    return Dimension(key, label, lowest=0, highest=1)


CONSISTENCY: Final = MessageRubric(
    name="issued",
    title=_("what was issued is said"),
    question=_("Does the message say what it issues?"),
    dimensions=(
        _check("kept", _("all that is issued is in the message")),
        _check("agrees", _("nothing contradicts what is issued or in force")),
        _check("specific", _("nothing is narrower or looser than issued")),
    ),
    speaker=USER,
    reads=_READS,
    messages=_issued_messages,
    value=lambda scores: min(scores.values()),
    figure=Definition(
        key="consistent_turns",
        name=_("consistent messages"),
        meaning=_("The share of messages that pass all three checks, over raters and then over messages."),
        source="TRIP-Bench, appendix E",
        share=True,
    ),
    guidelines=_guidelines("issued"),
    paper_column=(_PAPER_TABLE, "reliability", "turns"),
)
FIDELITY: Final = MessageRubric(
    name="vagueness",
    title=_("vagueness and style"),
    question=_("How well does the message keep to how the user was to talk?"),
    dimensions=(
        Dimension("vague", _("vague, and yet clear in what matters")),
        Dimension("in_style", _("true to the style")),
    ),
    speaker=USER,
    reads=_READS,
    messages=_vague_messages,
    value=lambda scores: fmean(scores.values()),
    figure=Definition(
        key="fidelity",
        name=_("vagueness and style, 1 to 5"),
        meaning=_("The mean of both ratings of a message, over raters and then over messages."),
        source="TRIP-Bench, appendix E",
    ),
    guidelines=_guidelines("vagueness"),
    paper_column=(_PAPER_TABLE, "fidelity", "turns"),
)
RATING: Final = Rating(message_rubrics=(CONSISTENCY, FIDELITY))
"""TRIP-Bench has no judge."""
