"""What other tools' cached answers tell of a place: the fields that they hold, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from sandbox.calls import Call, Example
from sandbox.toolsets.base import Question, Record
from sandbox.toolsets.grouptravel.get_poi_detail import GetPoiDetailResult
from sandbox.toolsets.grouptravel.nearest.records import result_text, written
from sandbox.toolsets.grouptravel.poi import Poi
from sandbox.toolsets.grouptravel.search_poi import SearchPoiResult

_OF_THE_SEARCH = frozenset(("distance", "distance_m", "detour_m"))
"""Fields that say where a place lies from what was searched around: of another search, or of none."""


def detail_of(question: Question, id_: str) -> Example | None:
    """The place of an id as get_poi_detail would tell it; a record of another form as it is."""
    record = question.places.by_id(id_.strip())
    if record is None:
        return None
    poi = poi_of(record)
    return Example(Call("get_poi_detail", {"id": id_}), _detail(poi) if poi else written(_own(record)), 1.0)


def search_for(question: Question, term: str, city: str) -> Example | None:
    """The known places of a name, category or kind in a city, as one search for them; None where there are none."""
    pois = tuple(_pois(question.places.called(term, city)))
    if not pois:
        return None
    found = SearchPoiResult(total=len(pois), page=1, page_size=len(pois), pois=pois)
    call = Call("search_poi", {"keywords": term, "city": city, "page_size": len(pois)})
    return Example(call, result_text(found), 1.0)


def poi_of(record: Record) -> Poi | None:
    """A record in the form of our tools, None where it has another one."""
    try:
        return Poi.model_validate({**_own(record), "distance_m": None})
    except ValidationError:
        return None


def _own(record: Record) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in _OF_THE_SEARCH}


def _pois(records: Iterable[Record]) -> Iterable[Poi]:
    return (poi for record in records if (poi := poi_of(record)))


def _detail(poi: Poi) -> str:
    """What a search does not tell stays empty, as the tool leaves it where the source has none."""
    told = {name: getattr(poi, name) for name in Poi.model_fields if name != "opening_hours"}
    return result_text(
        GetPoiDetailResult(
            **told,
            opening_hours=None,
            opening_text=poi.opening_hours,
            categories=(poi.category,) if poi.category else (),
            rooms=(),
            dishes=(),
            description="",
            derived=(),
        )
    )
