"""What may still be said of a reply that breaks the contract: the words as written, less the offending part.

Only what adds nothing to the words is taken out: a marker, a `[pass]`, the sign of a mention, a closed block of
reasoning, the own name in front. A field's name, another's lines, a broken role cannot be cut without changing what
is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from benchmark.participants.users.llm.bounds import Bounds
from benchmark.participants.users.llm.contract import (
    AGENT_MENTION,
    PASSING,
    faults,
    mention_pattern,
    normalised,
    own_name,
)
from benchmark.participants.users.llm.markers import marking, without

_REASONING_BLOCK = re.compile(
    r"<(think|thinking|thought|thoughts|reasoning|analysis)>.*?</\1>", re.IGNORECASE | re.DOTALL
)


def trimmed(reply: str, bounds: Bounds) -> str:
    """The words of `reply` that keep the contract, "" where cutting is not sound or leaves nothing."""
    text = normalised(reply)
    while found := faults(text, bounds):
        cut = _CUTS.get(found[0].name)
        rest = cut(text, bounds).strip() if cut else ""
        if len(rest) >= len(text) or not any(sign.isalnum() for sign in rest):
            return ""
        text = rest
    return text


def _no_markers(text: str, bounds: Bounds) -> str:
    return without(text, marking(text).spans)


def _no_pass(text: str, bounds: Bounds) -> str:
    return PASSING.sub("", text)


def _no_sign(text: str, bounds: Bounds) -> str:
    """The names stay, so that the sentence stays whole."""
    return mention_pattern(bounds).sub(lambda match: match.group()[1:].lstrip(), text)


def _one_mention(text: str, bounds: Bounds) -> str:
    first = AGENT_MENTION.search(text)
    if first is None:
        return text
    rest = AGENT_MENTION.sub(lambda match: match.group()[1:].lstrip(), text[first.end() :])
    return text[: first.end()] + rest


def _no_reasoning(text: str, bounds: Bounds) -> str:
    return _REASONING_BLOCK.sub("", text)


def _no_name(text: str, bounds: Bounds) -> str:
    return own_name(bounds).sub("", text)


_CUTS: Mapping[str, Callable[[str, Bounds], str]] = {
    "marker_unsolicited": _no_markers,
    "marker_not_allowed": _no_markers,
    "marker_over_quota": _no_markers,
    "several_markers": _no_markers,
    "marker_inside": _no_markers,
    "marker_format": _no_markers,
    "marker_value": _no_markers,
    "pass_in_text": _no_pass,
    "mentions_user": _no_sign,
    "agent_twice": _one_mention,
    "reasoning": _no_reasoning,
    "names_itself": _no_name,
}
