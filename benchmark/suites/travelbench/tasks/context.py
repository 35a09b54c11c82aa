"""What the Markdown of a task tells: where its user is, and how old."""

from __future__ import annotations

from typing import NamedTuple

from benchmark.text import guarded

_SECTION = guarded.compile(r"^\*\*(.+?)\*\*\n(.*?)(?=^\*\*|\Z)", guarded.MULTILINE | guarded.DOTALL)
_DEGREES = guarded.compile(r"latitude:\s*(-?\d+(?:\.\d+)?)\s+longitude:\s*(-?\d+(?:\.\d+)?)")
_PROVINCE = guarded.compile(r"(?:[^省市区]+?(?:省|自治区|特别行政区)|[^省市区]+?市)")
_AGE = guarded.compile(r"(\d+)\s*[-–—]\s*(\d+)岁|(\d+)岁以上")

COORDINATES, POSITION = "用户当前位置坐标", "用户当前位置描述"
DESTINATION = "用户导航终点位置"


class Place(NamedTuple):
    """A position in words: the whole text, and the province that it begins with."""

    text: str
    province: str


def sections(context: str) -> dict[str, str]:
    """The texts below the bold headings, by heading; the first of several of a name."""
    texts: dict[str, str] = {}
    for section in _SECTION.finditer(context):
        texts.setdefault(section[1].strip(), section[2].strip())
    return texts


def point(context: str) -> tuple[float, float] | None:
    """(latitude, longitude) of the user; None where the context tells none on the globe."""
    match = _DEGREES.search(sections(context).get(COORDINATES, ""))
    if match is None:
        return None
    latitude, longitude = float(match[1]), float(match[2])
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def place(context: str) -> Place | None:
    """Where the user is, in words; None where the context does not say."""
    text = sections(context).get(POSITION, "").split("\n")[0].strip()
    province = _PROVINCE.match(text)
    return Place(text, province[0] if province else text) if text else None


def age_group(profile: str) -> str | None:
    """The user's age as profiles group it (18-24, 60+), whichever dash they write; None where they tell none."""
    match = _AGE.search(profile)
    if match is None:
        return None
    return f"{match[3]}+" if match[3] else f"{match[1]}-{match[2]}"
