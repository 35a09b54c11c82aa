"""AMap's classification of places, and ours. The codes are those of AMap's POI 分类编码."""

from __future__ import annotations

from sandbox.worlds.locate import SpotKind
from sandbox.worlds.records import PlaceKind

TYPES_OF_KIND: dict[PlaceKind, str] = {
    "restaurant": "050000",
    "hotel": "100000",
    "attraction": "110000|140100|140400|080500",
}
"""What a search for a kind asks for: 餐饮服务, 住宿服务, 风景名胜 with 博物馆, 美术馆 and 休闲场所."""

_KINDS: tuple[tuple[str, PlaceKind], ...] = (
    ("05", "restaurant"),
    ("10", "hotel"),
    ("11", "attraction"),
    ("1401", "attraction"),
    ("1404", "attraction"),
    ("0805", "attraction"),
)
_STOPS: tuple[tuple[str, SpotKind], ...] = (("1501", "airport"), ("1502", "train"), ("1505", "metro"))


def place_kind(typecode: str) -> PlaceKind:
    """The kind of a place with one code or several ("050100|050118"): of the first that has one."""
    for code in typecode.split("|"):
        for prefix, kind in _KINDS:
            if code.startswith(prefix):
                return kind
    return "landmark"


def spot_kind(typecode: str) -> SpotKind:
    """As `place_kind`, with stations and airports."""
    for prefix, kind in _STOPS:
        if typecode.startswith(prefix):
            return kind
    return place_kind(typecode)
