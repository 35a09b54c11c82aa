"""Whether a message's compromise markers keep the output protocol (GroupTravelBench, D.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from benchmark.suites.grouptravel.conversation.markers import (
    FIELD_NAMES,
    PREFIXES,
    Marker,
    cut_path,
    find_marker,
)
from benchmark.suites.grouptravel.preferences import FIELDS, is_schema_path
from benchmark.suites.grouptravel.travellers.llm.bounds import Bounds, Fault
from benchmark.text import guarded

_LEAVES = {field.keys[-1]: field.kind for field in FIELDS}
_OPEN, _CLOSE = r"[\[［【]", r"[\]］】]"
_BRACKETS = guarded.compile(
    rf"{_OPEN}\s*+([^\[\]［］【】:：\n]++)[:：]"
    rf"((?:[^\[\]［］【】\n]|{_OPEN}[^\[\]［］【】\n]*+{_CLOSE})*+){_CLOSE}"
)
_PATH = guarded.compile(rf"{_OPEN}\s*+([^\[\]［］【】:：\n]++)")
_OPEN_MARKER = guarded.compile(rf"{_PATH.pattern}[^\n]*")
_TICKS = guarded.compile(r"(`+)(?:[a-z]*\s*)\Z")
_CLOSING_TICKS = guarded.compile(r"\s*`+")
_LONGEST_TICKS = 20
_STOPS = "。．.，,；;！!"


@dataclass(frozen=True, slots=True)
class Span:
    """What reads as a marker at [start, end) of a message. raw: as written."""

    start: int
    end: int
    raw: str


@dataclass(frozen=True, slots=True)
class Marking:
    """The markers of one message. final: what the engine will take for its marker, None where it finds none."""

    text: str
    spans: tuple[Span, ...]
    final: Marker | None

    @property
    def words(self) -> str:
        """The message without its markers, faulty or not."""
        return without_spans(self.text, self.spans)

    @property
    def of_fields(self) -> bool:
        """Whether any of them is about a preference: a bracketed remark that reads as a marker is not."""
        return any(_names_field(match.group(1)) for span in self.spans for match in _PATH.finditer(span.raw))

    @property
    def usable(self) -> str:
        """The last one that the engine reads as a marker of a field when it ends a message, "" for none."""
        whole = [span.raw for span in _naming(_BRACKETS.finditer(self.text))]
        raw = whole[-1] if whole else self.final.raw if self.final else ""
        marker = find_marker(raw)
        return raw if marker is not None and _names_field(marker.path) else ""


def marking(text: str) -> Marking:
    """The markers of `text`: whatever names a field in brackets, and whatever the engine takes for one."""
    final = find_marker(text)
    spans = [*_naming(_BRACKETS.finditer(text))]
    if final is not None and not any(span.end >= len(text.rstrip()) for span in spans):
        start = len(text.rstrip()) - len(final.raw)
        spans = [*(span for span in spans if span.end <= start), Span(start, len(text.rstrip()), final.raw)]
    unclosed = _naming(_OPEN_MARKER.finditer(_blank_out(text, spans)))
    return Marking(text, tuple(sorted((*spans, *unclosed), key=lambda span: span.start)), final)


def marker_faults(markers: Marking, bounds: Bounds) -> list[Fault]:
    """The first thing that is wrong: who may mark at all, then number, place, format and value."""
    if not markers.spans:
        return []
    raw = markers.spans[-1].raw
    if not bounds.may_mark:
        return [Fault(_standing(bounds), raw)]
    if len(markers.spans) > 1:
        return [Fault("several_markers", " ".join(span.raw for span in markers.spans))]
    if markers.spans[0].end < len(markers.text.rstrip()):
        return [Fault("marker_inside", raw)]
    if markers.final is None or not _well_formed(markers.final, bounds.cities):
        return [Fault("marker_format", raw)]
    return [] if _fitting(markers.final) else [Fault("marker_value", raw)]


def without_spans(text: str, spans: Iterable[Span]) -> str:
    """`text` without `spans`, and without what stood there for their sake alone.

    That is the blanks before each, the ticks or the fence around it, and a sentence mark that doubles another.
    """
    kept, at = "", 0
    for span in spans:
        kept, at = _unwrap(kept + text[at : span.start], text, span.end)
        if text[at : at + 1] in tuple(_STOPS) and (not kept or kept[-1] in _STOPS + "？?…~～"):
            at += 1
    return kept + text[at:]


def _unwrap(before: str, text: str, end: int) -> tuple[str, int]:
    """`before` and `end` without a pair of ticks around [len(before), end), or one that nothing follows."""
    opened = _TICKS.search(before[-_LONGEST_TICKS:])
    closed = _CLOSING_TICKS.match(text, end)
    if opened and (closed or not text[end:].strip()):
        return before[: len(before) - len(opened.group())].rstrip(), closed.end() if closed else end
    return before.rstrip(), end


def _standing(bounds: Bounds) -> str:
    if not bounds.solicited:
        return "marker_unsolicited"
    return "marker_over_quota" if bounds.compromisable else "marker_not_allowed"


def _naming(matches: Iterable[guarded.Match]) -> Iterable[Span]:
    """The bracketed texts whose path holds a field's name."""
    for match in matches:
        if _names_field(match.group(1)):
            yield Span(match.start(), match.end(), match.group())


def _names_field(path: str) -> bool:
    return any(segment.strip() in FIELD_NAMES for segment in cut_path(path.strip()).split("."))


def _blank_out(text: str, spans: Iterable[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _well_formed(marker: Marker, cities: Collection[str]) -> bool:
    return _is_field(cut_path(marker.path), cities) and _is_json(marker.raw[1:-1].partition(":")[2])


def _is_field(path: str, cities: Collection[str]) -> bool:
    """Whether the engine finds one field of the table there.

    A path of one name is none: the engine would set it beside the table's two roots, where nobody reads it.
    """
    return "." in path and any(is_schema_path(prefix + path, cities) for prefix in PREFIXES)


def _is_json(written: str) -> bool:
    try:
        orjson.loads(written)
    except orjson.JSONDecodeError:
        return False
    return True


def _fitting(marker: Marker) -> bool:
    """Whether the value has the type of the field that the path ends in."""
    kind = _LEAVES[cut_path(marker.path).rsplit(".", 1)[-1]]
    return _is_number(marker.value) if kind == "scalar" else _is_list(marker.value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
