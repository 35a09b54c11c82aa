"""The legs of a journey by public transport, as AMap lists them: a walk, then a bus or metro, a train or a taxi."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.backends.amap.fields import Answer, line, record, records, text, whole
from sandbox.tools.language import Says
from sandbox.worlds.geo import Point


def transit_steps(segments: Iterable[Answer]) -> Iterator[Says]:
    """The legs in words. Of lines that serve the same leg the first stands for all."""
    for segment in segments:
        walk = whole(record(segment.get("walking")).get("distance"))
        if walk:
            yield Says(f"步行 {walk} 米", f"Walk {walk} m")
        yield from map(_by_line, _lines(segment)[:1])
        railway, taxi = record(segment.get("railway")), record(segment.get("taxi"))
        if text(railway.get("name")):
            yield _by_train(railway)
        if whole(taxi.get("distance")):
            yield Says(f"乘出租车 {taxi['distance']} 米", f"Take a taxi for {taxi['distance']} m")


def transit_line(segments: Iterable[Answer]) -> Iterator[Point]:
    """Where the walks and the lines run; trains come without a line, so that their stations stand for it."""
    for segment in segments:
        for step in records(record(segment.get("walking")).get("steps")):
            yield from line(step.get("polyline"))
        for ridden in _lines(segment)[:1]:
            yield from line(ridden.get("polyline"))
        railway = record(segment.get("railway"))
        for end in ("departure_stop", "arrival_stop"):
            yield from line(record(railway.get(end)).get("location"))


def _lines(segment: Answer) -> list[Answer]:
    return records(record(segment.get("bus")).get("buslines"))


def _by_line(ridden: Answer) -> Says:
    name = text(ridden.get("name"))
    start, end = _stop(ridden, "departure_stop"), _stop(ridden, "arrival_stop")
    between = whole(ridden.get("via_num"))
    stops = ("", "") if between is None else (f"（{between + 1} 站）", f" ({between + 1} stops)")
    return Says(f"从{start}乘{name}到{end}{stops[0]}", f"From {start} take {name} to {end}{stops[1]}")


def _by_train(railway: Answer) -> Says:
    number = text(railway.get("trip")) or text(railway.get("name"))
    start, end = _stop(railway, "departure_stop"), _stop(railway, "arrival_stop")
    return Says(f"从{start}乘火车 {number} 到{end}", f"From {start} take train {number} to {end}")


def _stop(ridden: Answer, which: str) -> str:
    return text(record(ridden.get(which)).get("name"))
