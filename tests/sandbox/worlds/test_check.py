"""check_world finds what breaks planning and what a person should look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandbox.worlds import PackBuilder, open_world
from sandbox.worlds.check import Finding, check_world
from sandbox.worlds.records import City, Climate, OpeningHours, Place, Room, Service

CITIES = (
    City(name="甲市", longitude=120.0, latitude=30.0, radius_km=50),
    City(name="乙市", longitude=121.0, latitude=31.0, radius_km=50),
)
SERVICE = Service(
    number="G1", mode="高铁", type="高铁", origin_city="甲市", destination_city="乙市", origin_station="甲站",
    destination_station="乙站", depart="08:00", arrive="09:00", duration_minutes=60, price=50,
)  # fmt: skip
GOOD: dict[str, dict[str, Any]] = {
    "attraction": {
        "category": "公园", "price": 0, "rating": 4.5, "stay_hours": (1, 2),
        "opening_hours": OpeningHours(always_open=True),
    },
    "restaurant": {"category": "川菜", "price": 60, "opening_hours": OpeningHours(always_open=True)},
    "hotel": {"category": "民宿", "price": 100, "rooms": (Room(name="双床房", price=200),)},
    "landmark": {},
}  # fmt: skip


def _place(kind: str, name: str = "某地", **changes: Any) -> Place:
    fields = {
        "id": f"{kind}-{name}",
        "city": "甲市",
        "kind": kind,
        "name": name,
        "longitude": 120,
        "latitude": 30,
    }
    return Place.model_validate(fields | GOOD[kind] | changes)


def _check(folder: Path, *places: Place, services: bool = True, months: int = 12) -> list[Finding]:
    with PackBuilder(folder / "w.pack", "w", "a test") as pack:
        pack.add_all((*CITIES, *places, *((SERVICE,) if services else ())))
        for city in CITIES:
            for month in range(1, months + 1):
                pack.add(Climate(city=city.name, month=month, low=1, high=2, rainy_days=3, text="晴"))
        pack.finish({})
    return check_world(open_world(folder / "w.pack"))


def test_a_sound_world_has_no_findings(tmp_path: Path) -> None:
    assert _check(tmp_path, *(_place(kind) for kind in GOOD)) == []


@pytest.mark.parametrize(
    ("kind", "field"),
    [(kind, field) for kind, fields in GOOD.items() for field in fields],
)
def test_each_kind_must_have_its_fields(tmp_path: Path, kind: str, field: str) -> None:
    empty = Place.model_fields[field].default
    (finding,) = _check(tmp_path, _place(kind, **{field: empty}))
    assert (finding.kind, finding.field, finding.city) == ("missing_field", field, "甲市")
    assert finding.severity == ("error" if field == "category" else "warning")
    assert finding.place == f"某地 ({kind}-某地)"


def test_a_place_far_from_its_city_is_found_with_its_distance(tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, _place("restaurant", latitude=31.0))
    assert (finding.severity, finding.kind) == ("error", "far_away")
    assert "111 km" in finding.message


def test_names_are_compared_without_case_and_punctuation(tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, _place("hotel", "A酒店(西湖店)"), _place("hotel", "a酒店（西湖店）"))
    assert finding.kind == "duplicate_name"


def test_one_name_in_two_kinds_is_no_duplicate(tmp_path: Path) -> None:
    assert _check(tmp_path, _place("hotel", "西湖"), _place("attraction", "西湖")) == []


def test_a_class_outside_the_rules_is_an_error(tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, _place("hotel", category="精品"))
    assert (finding.severity, finding.kind) == ("error", "unknown_class")


def test_a_room_without_price_is_found(tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, _place("hotel", rooms=(Room(name="大床房", price=0),)))
    assert (finding.kind, finding.field) == ("room_price", "rooms")
    assert "大床房" in finding.message


def test_cities_without_services_or_climate_are_found(tmp_path: Path) -> None:
    findings = _check(tmp_path, services=False, months=11)
    assert [(finding.city, finding.kind) for finding in findings] == [
        (city, kind) for city in ("乙市", "甲市") for kind in ("no_services", "no_climate")
    ]
    assert findings[1].message == "no climate for month 12"
