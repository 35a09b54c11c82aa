"""What may still be said of a reply that breaks the contract: the words as written, less the offending part.

Only what adds nothing to the words is taken out: a `[pass]`, the sign of a mention, a closed block of reasoning, the
own name in front. A remark in brackets that reads as a marker gets round brackets, and a name in front that addresses
somebody a comma. A field's name, another's lines, a broken role cannot be cut without changing what is said, nor can
the marker of a compromise: words that agree to one and change no table would mislead the group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmark.core.actions import PASS
from benchmark.suites.grouptravel.travellers.llm.bounds import Bounds
from benchmark.suites.grouptravel.travellers.llm.contract import (
    AGENT_MENTION,
    PASSING,
    addressing,
    faults,
    mention_pattern,
    normalise,
    own_name,
)
from benchmark.suites.grouptravel.travellers.llm.markers import marking
from benchmark.text import guarded

_REASONING_TAG = guarded.compile(
    r"<(/?)(think|thinking|thought|thoughts|reasoning|analysis)>", guarded.IGNORECASE
)
_ROUND = str.maketrans("[]", "（）")


def trim(reply: str, bounds: Bounds) -> str:
    """The words of `reply` that keep the contract, "" where cutting is not sound or leaves nothing.

    Of one who may yield the last marker that the engine can read stays, on a line of its own at the end, for the
    engine to judge: it may still be `marker_format` or `marker_value` to the contract.
    """
    text = _once(reply, bounds)
    while (again := _once(text, bounds)) != text:  # what is cut may bring the next fault to light
        text = again
    return text


def _once(reply: str, bounds: Bounds) -> str:
    text = normalise(reply)
    markers = marking(text)
    if not markers.of_fields:
        return _cut(text, bounds)
    words = _bare(_cut(_bare(markers.words), bounds)) if bounds.may_mark and markers.usable else ""
    return f"{words}\n{markers.usable}" if words and words != PASS else ""


def _bare(words: str) -> str:
    """Without ticks and fences around them, which were meant for the marker, and without what is no word."""
    kept = words.strip("` \n")
    return kept if any(sign.isalnum() for sign in kept) else ""


def _cut(text: str, bounds: Bounds) -> str:
    """Cut after cut, until nothing is at fault; each takes a sign away that none brings back."""
    while faults_found := faults(text, bounds):
        cut = _CUTS.get(faults_found[0].name)
        rest = cut(text, bounds).strip() if cut else ""
        if rest == text or not any(sign.isalnum() for sign in rest):
            return ""
        text = rest
    return text


def _round_brackets(text: str, bounds: Bounds) -> str:
    """What the engine would take for a marker, as a remark; on a line of its own it was meant for a marker."""
    markers = marking(text)
    start = len(text) - len(markers.final.raw) if markers.final else 0
    if markers.of_fields or text[:start].rstrip(" ")[-1:] in ("", "\n"):
        return ""
    return text[:start] + text[start:].translate(_ROUND)


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
    kept, at = "", 0
    for start, end in _reasoning_blocks(text):
        kept, at = kept + text[at:start], end
    return kept + text[at:]


def _reasoning_blocks(text: str) -> list[tuple[int, int]]:
    """From each tag to the next that closes it; what a block holds is none by itself."""
    blocks: list[tuple[int, int]] = []
    opened: dict[str, int] = {}
    for tag in _REASONING_TAG.finditer(text):
        closes, name = tag[1], tag[2].lower()
        if not closes:
            opened.setdefault(name, tag.start())
        elif name in opened:
            start = opened[name]
            while blocks and blocks[-1][0] > start:
                blocks.pop()
            blocks.append((start, tag.end()))
            opened = {other: place for other, place in opened.items() if place < start}
    return blocks


def _no_name(text: str, bounds: Bounds) -> str:
    return own_name(bounds).sub("", text)


def _comma(text: str, bounds: Bounds) -> str:
    """`User2：…` as words to User2."""
    return addressing(bounds).sub(
        lambda match: match["name"] + ("，" if match["colon"] == "：" else ","), text
    )


_CUTS: Mapping[str, Callable[[str, Bounds], str]] = {
    "marker_unsolicited": _round_brackets,
    "marker_not_allowed": _round_brackets,
    "marker_over_quota": _round_brackets,
    "marker_format": _round_brackets,
    "pass_in_text": _no_pass,
    "mentions_user": _no_sign,
    "agent_twice": _one_mention,
    "reasoning": _no_reasoning,
    "names_itself": _no_name,
    "speaks_for_other": _comma,
}
