"""Places by word and area, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.fields import TYPES_OF_KIND, Answer, records
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Says
from sandbox.worlds.geo import Point, format_point
from sandbox.worlds.keywords import read_keywords, split_words
from sandbox.worlds.text import normalise

PAGE_SIZE = 25
"""The most that AMap gives at once."""
MOST_PLACES = 200
"""The most that it gives to one search, however often the page is turned."""
LARGEST_RADIUS_M = 50_000
_LONGEST_KEYWORDS = 80


@dataclass(frozen=True, slots=True)
class Circle:
    """Metres around a point."""

    centre: Point
    radius_m: int


@dataclass(frozen=True, slots=True)
class PlaceSearch:
    """What to search for, and where: within the district or city of `adcode` and, where one is given, a circle.

    keywords or types may be empty. sort: AMap's order within a circle.
    """

    keywords: str
    types: str
    adcode: str
    circle: Circle | None = None
    sort: Literal["distance", "weight"] = "distance"

    def iterate_places(self, client: AmapClient, limit: int = MOST_PLACES) -> Iterator[Answer]:
        """The places in AMap's order, asked for page by page as they are taken, with their business details."""
        for page in range(1, -(-limit // PAGE_SIZE) + 1):
            places = records(client.get(self._path, self._parameters | {"page_num": page}).get("pois"))
            yield from places
            if len(places) < PAGE_SIZE:
                return

    @property
    def _path(self) -> str:
        return "/v5/place/around" if self.circle else "/v5/place/text"

    @property
    def _parameters(self) -> dict[str, str | int]:
        parameters: dict[str, str | int] = {"show_fields": "business", "page_size": PAGE_SIZE}
        words = {"keywords": self.keywords, "types": self.types}
        parameters |= {name: value for name, value in words.items() if value}
        if self.adcode:
            parameters |= {"region": self.adcode, "city_limit": "true"}
        if self.circle:
            centre, radius = format_point(self.circle.centre), self.circle.radius_m
            parameters |= {"location": centre, "radius": radius, "sortrule": self.sort}
        return parameters


def words_and_types(text: str, city: str) -> tuple[str, str]:
    """AMap's keywords and types for the words of a search: 景点, 美食 and 酒店 select a kind, as in every world.
    The other words stay as they are written, with brackets and dots, for AMap compares them with the names that it
    holds.

    Raises:
        BadArgument: the text is longer than AMap takes.
    """
    if len(text) > _LONGEST_KEYWORDS:
        limit = _LONGEST_KEYWORDS
        raise BadArgument("keywords", Says(f"最多 {limit} 个字", f"must have at most {limit} characters"))
    read = read_keywords(text, (city,) if city else ())
    types = "|".join(TYPES_OF_KIND[kind] for kind in read.kinds if kind in TYPES_OF_KIND)
    written = {normalise(word): word for word in split_words(text)}
    words = " ".join(written[readings[0].text] for readings in read.words)
    return (words, types) if words or types else (text, "")
