"""From names to cities and coordinates, and from coordinates to cities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.failures import AmapFailure
from sandbox.backends.amap.fields import Answer, point, record, records, spot_kind, text
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.arguments import shorten
from sandbox.toolsets.grouptravel.maps_geo import MapsGeoArguments, MapsGeoResult
from sandbox.worlds import Spot
from sandbox.worlds.geo import format_point, parse_point
from sandbox.worlds.locate import SpotKind
from sandbox.worlds.text import CITY_SUFFIXES, bare_city, normalise

_CITIES_KEPT = 512
_MATCHES_TRIED = 5
_LONGEST_ADDRESS = 80
_ADDRESS_CITY_LEVELS = ("国家", "省", "市", "区县")
_ENGINE_FOUND_NOTHING = "30001"
"""What the geocoder says to an address that it can make nothing of."""


@dataclass(frozen=True, slots=True)
class City:
    """A municipality, prefecture or county-level city; adcode names it in searches, citycode in transit."""

    name: str
    adcode: str
    citycode: str


@dataclass(frozen=True, slots=True)
class Location:
    """A text that was found. `adcode` (down to the district) and `citycode` are empty where they were not asked for.
    `district`: the text names a whole district, not a point in it.
    """

    spot: Spot
    adcode: str = ""
    citycode: str = ""
    district: bool = False


class Gazetteer:
    """Looks names up with the services for districts, addresses and places, in this order."""

    def __init__(self, client: AmapClient) -> None:
        self.client = client
        self._city = lru_cache(_CITIES_KEPT)(self._look_up_city)

    def city(self, argument: str, name: str) -> City:
        """The city of that name, with or without its suffix.

        Raises:
            BadArgument: it is none.
        """
        city_found = self._city(name)
        if city_found is None:
            raise BadArgument(
                argument,
                Says(f"「{shorten(name)}」不是中国的城市", f'"{shorten(name)}" is no city in China'),
            )
        return city_found

    def locate(self, asked: str, city: City | None) -> Location | None:
        """Where a text is: "lon,lat", an address, or the name of a place, within a city where one is given."""
        at = parse_point(asked)
        if at is not None:
            return Location(Spot(asked.strip(), "", "coordinate", *at))
        return self._geocode(asked, city) or self._named_place(asked, city)

    def locate_known(self, argument: str, asked: str, city: City | None) -> Location:
        """As `locate`.

        Raises:
            BadArgument: nothing of that name is known.
        """
        spot = self.locate(asked, city)
        if spot is not None:
            return spot
        where = (f"在{city.name}", f" in {city.name}") if city else ("", "")
        raise BadArgument(
            argument,
            Says(
                f"高德地图{where[0]}找不到「{shorten(asked)}」。请用“经度,纬度”坐标，或 search_poi 返回的名称",
                f'AMap does not find "{shorten(asked)}"{where[1]}. Give "lon,lat" or a name that search_poi returned',
            ),
        )

    def with_city(self, argument: str, located: Location) -> Location:
        """The same with its city, which a coordinate lacks at first.

        Raises:
            BadArgument: it lies in no city of China.
        """
        if located.adcode:
            return located
        answer = self.client.get("/v3/geocode/regeo", {"location": format_point(located.spot.point)})
        where = record(record(answer.get("regeocode")).get("addressComponent"))
        if not text(where.get("adcode")):
            raise BadArgument(
                argument,
                Says("这个坐标不在中国的任何城市内", "this coordinate lies in no city of China"),
            )
        spot = replace(located.spot, city=_city_name(where))
        return Location(spot, text(where.get("adcode")), text(where.get("citycode")))

    def _look_up_city(self, name: str) -> City | None:
        if not normalise(name) or len(name) > _LONGEST_ADDRESS:
            return None
        answer = self.client.get("/v3/config/district", {"keywords": name, "subdistrict": 0})
        return _best_city(records(answer.get("districts")), bare_city(name))

    def _geocode(self, address: str, city: City | None) -> Location | None:
        if len(address) > _LONGEST_ADDRESS:
            return None
        try:
            answer = self.client.get(
                "/v3/geocode/geo", {"address": address} | ({"city": city.adcode} if city else {})
            )
        except AmapFailure as failure:
            if failure.infocode == _ENGINE_FOUND_NOTHING:
                return None
            raise
        geocodes = (_geocode_of(each, address, city) for each in records(answer.get("geocodes")))
        return next((each for each in geocodes if each), None)

    def _named_place(self, name: str, city: City | None) -> Location | None:
        """A place of that name; the search itself returns whatever is somehow like it."""
        if len(name) > _LONGEST_ADDRESS:
            return None
        within: dict[str, str | int] = {"region": city.adcode, "city_limit": "true"} if city else {}
        asked: dict[str, str | int] = {"keywords": name, "page_size": _MATCHES_TRIED, "page_num": 1}
        answer = self.client.get("/v5/place/text", asked | within)
        places = (_matching(each, normalise(name)) for each in records(answer.get("pois")))
        return next((each for each in places if each), None)


def maps_geo(arguments: MapsGeoArguments, gazetteer: Gazetteer, language: Language) -> MapsGeoResult:
    """The point that the address names, by the geocoder, else by the search for places."""
    city = gazetteer.city("city", arguments.city) if arguments.city else None
    spot = gazetteer.with_city("address", gazetteer.locate_known("address", arguments.address, city)).spot
    return MapsGeoResult(name=spot.name, city=spot.city, kind=spot.kind, location=format_point(spot.point))


def _best_city(districts: list[Answer], wanted: str) -> City | None:
    """A city of just that name, the highest level first; else the prefecture that 西双版纳 stands for.

    A province has no city code; a district (区) has one, but is no city. 海南 is a province, not a prefecture.
    """
    levels = ("province", "city", "district")
    ranked = sorted(
        (each for each in districts if each.get("level") in levels),
        key=lambda each: levels.index(each["level"]),
    )
    named = [
        City(text(each.get("name")), text(each.get("adcode")), text(each.get("citycode"))) for each in ranked
    ]
    cities = [each for each in named if each.adcode and each.citycode and not each.name.endswith("区")]
    for city in cities:
        if bare_city(city.name) == wanted:
            return city
    if any(bare_city(each.name.removesuffix("省")) == wanted for each in named):
        return None
    return next((city for city in cities if _is_prefecture(city.name, wanted)), None)


def _is_prefecture(name: str, wanted: str) -> bool:
    return len(wanted) > 1 and name.startswith(wanted) and name.endswith("自治州")


def _city_name(where: Answer) -> str:
    """A municipality is its own province, and its city then often empty."""
    return text(where.get("city")) or text(where.get("province"))


def _geocode_of(each: Answer, address: str, city: City | None) -> Location | None:
    """A geocode, unless it is in another city, or a whole city or district in which the address was not found."""
    at, name, level = (
        point(each.get("location")),
        text(each.get("formatted_address")),
        text(each.get("level")),
    )
    citycode = text(each.get("citycode"))
    elsewhere = city is not None and citycode != city.citycode
    area = level in _ADDRESS_CITY_LEVELS
    if at is None or not name or elsewhere or (area and not _names_area(name, address)):
        return None
    kind: SpotKind = "city" if area else _stop_kind(name, level)
    spot = Spot(name, _city_name(each), kind, *at)
    return Location(spot, text(each.get("adcode")), citycode, district=level == "区县")


def _names_area(full_name: str, asked: str) -> bool:
    """Whether 浙江省杭州市西湖区 is what 西湖区, 杭州西湖区 or 西湖 区 asks for."""
    full, bare = normalise(full_name), bare_city(asked)
    return full.endswith(normalise(asked)) or any(full.endswith(bare + end) for end in (*CITY_SUFFIXES, "省"))


def _stop_kind(name: str, level: str) -> SpotKind:
    return "metro" if "地铁" in level and "地铁" in name else "landmark"


def _matching(poi: Answer, wanted: str) -> Location | None:
    """A place whose name holds what is wanted or is held by it."""
    name, at = text(poi.get("name")), point(poi.get("location"))
    key = normalise(name)
    if at is None or not key or not (wanted in key or key in wanted):
        return None
    spot = Spot(name, text(poi.get("cityname")), spot_kind(text(poi.get("typecode"))), *at)
    return Location(spot, text(poi.get("adcode")), text(poi.get("citycode")))
