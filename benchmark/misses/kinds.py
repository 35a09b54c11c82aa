"""A miss: something by which a session lost points, with its cause and the events that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from benchmark.remarks import gettext_noop as _


class CauseWords(NamedTuple):
    """A cause in words, English message ids. label: in a table; meaning: when a miss has it."""

    label: str
    meaning: str


CAUSES: Mapping[str, CauseWords] = MappingProxyType(
    {
        "never_asked": CauseWords(_("never asked"), _("Nobody said it, and the agent never asked about it.")),
        "not_told": CauseWords(
            _("asked, not heard"), _("The agent asked about it, and nobody said it in the conversation.")
        ),
        "dropped": CauseWords(
            _("heard and dropped"), _("It was said, or the agent noted it, and the plan does not keep to it.")
        ),
        "traded": CauseWords(
            _("traded away"),
            _("The plan keeps to what somebody else wishes instead, or a compromise was made."),
        ),
        "impossible": CauseWords(
            _("impossible in this world"), _("Nothing in the world of the session would meet it.")
        ),
        "tool_failed": CauseWords(
            _("a tool call had failed"), _("A tool call that names the same thing had failed before.")
        ),
        "not_looked_up": CauseWords(
            _("never looked up"), _("No tool result names it: the plan was made without looking.")
        ),
        "not_kept": CauseWords(
            _("looked up and not kept"),
            _("A tool result names it, and the plan goes against what rules ask of it."),
        ),
        "inconsistent": CauseWords(
            _("the plan contradicts itself"),
            _("The fault is in the plan alone: no look into the world would show it."),
        ),
        "no_plan": CauseWords(_("no plan"), _("The session ended without a plan that can be read.")),
        "broken_later": CauseWords(
            _("kept before, broken later"),
            _("An earlier plan of the session kept to it, and this one does not."),
        ),
        "left_out": CauseWords(_("left out"), _("The plan lacks something that every such plan needs.")),
        "invented": CauseWords(
            _("unknown to the world"), _("The plan names it, and the world of the session has no such thing.")
        ),
        "against_world": CauseWords(
            _("against the data"),
            _("The world has it, and the plan goes against its hours, times, names or prices."),
        ),
        "arranged": CauseWords(
            _("badly arranged"),
            _("The same things in another order, on other days or in other numbers would lose less."),
        ),
        "malformed": CauseWords(
            _("not of the asked form"), _("A part of the plan lacks or is not of the form that is asked for.")
        ),
        "judged": CauseWords(_("a judge's rating"), _("A judge rated it lower, and no rule tells why.")),
        "unjudged": CauseWords(
            _("no figure"), _("Nothing says what was lost: no judge rated it, or it could not be read.")
        ),
    }
)
"""Why something was missed, in the words of all benchmarks; a benchmark may add others."""


class ToolFailure(NamedTuple):
    """A tool call that failed. seq: the event of its answer. kind: of the error, as the sandbox names it."""

    seq: int
    tool: str
    kind: str


class Finding(NamedTuple):
    """What a check found in a plan. key: of its mark. params: those of the mark, by name."""

    key: str
    params: tuple[tuple[str, str | float | None], ...]


class Miss(NamedTuple):
    """Something by which a session lost points.

    metric: the key of the figure that lost them. kind: of a wish, a rule or a fault, as the benchmark names it.
    cause: a key of `CAUSES`, or one that the benchmark adds. points: in the unit of the metric, 0 or more. who: whose
    wish it is, "" for nobody's. item: what is missed, in the words of the task or the plan. seqs: the events that
    show it, the most telling one first. began: the event with which the plan first had the fault, None where that is
    not known. failures: the tool calls before, about the same thing, that failed. finding: what pages say in words
    in place of `item`, None where that says all.
    """

    metric: str
    kind: str
    cause: str
    points: float
    who: str = ""
    item: str = ""
    seqs: tuple[int, ...] = ()
    began: int | None = None
    failures: tuple[ToolFailure, ...] = ()
    finding: Finding | None = None


def order_misses(misses: Iterable[Miss]) -> list[Miss]:
    """Those that lost most first; equal ones in the order in which they came."""
    return sorted(misses, key=lambda miss: -miss.points)


def share_points(misses: Sequence[Miss], points: float) -> list[Miss]:
    """The same misses, each with an equal part of what they lose together."""
    return [miss._replace(points=points / len(misses)) for miss in misses]
