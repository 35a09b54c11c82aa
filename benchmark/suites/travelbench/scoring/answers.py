"""Reading what judges write: XML with a word a dimension, repaired once where it does not parse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict
from xml.etree import ElementTree

from benchmark.text import guarded

RATINGS = {"极差": 1, "较差": 2, "一般": 3, "较好": 4, "优秀": 5}
"""The words, from the worst to the best."""
_FENCE, _XML_FENCE = "```", "```xml"
_TAG = guarded.compile(r"</?[^>]+>")
_TYPE_DECLARED = guarded.compile(r"<!(?:DOCTYPE|ENTITY)", guarded.IGNORECASE)


class DimensionRating(TypedDict):
    """What a judge says of one dimension; "" for what it leaves out."""

    reasoning: str
    rating: str


def read_judgement(text: str, dimensions: Sequence[str]) -> dict[str, DimensionRating] | None:
    """What an answer says of each dimension, directly below the root; None where it is no XML, even after a repair.

    The words are as written: a caller looks them up in `RATINGS`.
    """
    body = _cut(text, "response")
    root = _parse(body)
    if root is None:
        root = _parse(repair_tags(body, dimensions))
    if root is None:
        return None
    return {dimension: _rating_of(root.find(dimension)) for dimension in dimensions}


def read_meta(text: str) -> DimensionRating | None:
    """What a meta-judge says, directly below the root; None where it is no XML. Nothing is repaired."""
    root = _parse(_cut(text, "meta_evaluation"))
    return None if root is None else _rating_of(root)


def _cut(text: str, root: str) -> str:
    """The answer without its fence, and of it the first element of that name alone, if there is one."""
    stripped = text.strip().removeprefix(_XML_FENCE).removesuffix(_FENCE).strip()
    match = guarded.search(rf"<{root}>.*?</{root}>", stripped, guarded.DOTALL)
    return match[0] if match else stripped


def _parse(text: str) -> ElementTree.Element | None:
    """None for what is no XML, or declares types: these can unfold to any length."""
    if _TYPE_DECLARED.search(text):
        return None
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return None


def _rating_of(element: ElementTree.Element | None) -> DimensionRating:
    return DimensionRating(reasoning=_text(element, "reasoning"), rating=_text(element, "rating").strip())


def _text(element: ElementTree.Element | None, name: str) -> str:
    child = None if element is None else element.find(name)
    return "" if child is None else child.text or ""


# The one repair: a stack of tags, in which comments and <x/> count as opening.


def repair_tags(text: str, dimensions: Sequence[str]) -> str:
    """The text with closing tags put in where tags are open, and a dimension's missing parts.

    A closing tag whose opening one is not on top closes what is above and that one too, and stays: such a text does
    not parse after the repair either, as in the published program.
    """
    tags = list(_TAG.finditer(text))
    if not tags:
        return text
    pieces: list[str] = []
    stack: list[tuple[str, int]] = []
    end = 0
    for number, tag in enumerate(tags):
        pieces.append(text[end : tag.start()])
        end = tag.start()
        if not tag[0].startswith("</"):
            stack.append((tag[0][1:-1], number))
            continue
        name = tag[0][2:-1]
        if stack and stack[-1][0] == name:
            _, opened = stack.pop()
            if name in dimensions:
                pieces += _lacking({inner[0] for inner in tags[opened + 1 : number]})
        elif any(name == open_ for open_, _ in stack):
            pieces += _closed_down_to(stack, name)
    pieces.append(text[end:])
    return "".join((*pieces, *(f"</{name}>" for name, _ in reversed(stack))))


def _closed_down_to(stack: list[tuple[str, int]], name: str) -> Iterator[str]:
    while True:
        open_, _ = stack.pop()
        yield f"</{open_}>"
        if open_ == name:
            return


def _lacking(inner: set[str]) -> Iterator[str]:
    """What a dimension with these tags lacks before it closes."""
    if "<reasoning>" in inner and "</reasoning>" not in inner:
        yield "</reasoning>"
    if inner & {"<reasoning>", "</reasoning>"}:
        yield from (tag for tag in ("<rating>", "</rating>") if tag not in inner)
