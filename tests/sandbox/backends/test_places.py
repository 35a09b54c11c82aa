"""Places by AMap: search_poi, get_poi_detail, maps_geo."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.backends.amap.hours import structured_hours
from tests.sandbox.backends.amap_server import AmapServer, says
from tests.sandbox.backends.conftest import Call

Error = Callable[..., tuple[str, str]]
NEAR = {"keywords": "浙江菜", "city": "杭州", "location": "西湖"}


def names(result: dict[str, list[dict[str, str]]]) -> list[str]:
    return [poi["name"] for poi in result["pois"]]


def test_a_place_in_full(call: Call, amap: AmapServer) -> None:
    result = call("search_poi", keywords="楼外楼", city="杭州")
    assert (result["total"], result["page"], result["page_size"]) == (1, 1, 10)
    assert result["pois"] == [
        {
            "id": "B023B17M5D", "name": "楼外楼(孤山路店)", "kind": "restaurant", "category": "浙江菜",
            "city": "杭州市", "address": "西湖区孤山路30号", "location": "120.1406,30.252", "distance_m": None,
            "rating": 4.5, "review_count": None, "price": 176.0,
            "opening_hours": "周一至周日 11:00-14:00 17:00-20:30", "stay_hours": None,
        }
    ]  # fmt: skip
    (asked,) = amap.parameters_of("/v5/place/text")
    assert (asked["region"], asked["city_limit"], asked["show_fields"]) == ("330100", "true", "business")


def test_what_amap_leaves_empty_stays_empty(call: Call) -> None:
    (poi,) = call("search_poi", keywords="无名面馆", city="杭州")["pois"]
    assert (poi["rating"], poi["price"], poi["opening_hours"], poi["address"]) == (None, None, None, "西湖区")
    (bridge,) = call("search_poi", keywords="断桥", city="杭州")["pois"]
    assert (bridge["kind"], bridge["price"]) == ("attraction", None)


def test_hours_of_the_day_are_marked_so(call: Call) -> None:
    (poi,) = call("search_poi", keywords="知味观", city="杭州")["pois"]
    assert poi["opening_hours"] == "06:30-21:00（仅为查询当日）"


def test_pages_of_any_size_over_pages_of_amap(call: Call, amap: AmapServer) -> None:
    first = call("search_poi", keywords="咖啡", city="杭州", page_size=20)
    assert (first["total"], len(first["pois"])) == (21, 20)
    second = call("search_poi", keywords="咖啡", city="杭州", page_size=20, page=2)
    assert names(second) == [f"咖啡馆{nth}号" for nth in range(20, 40)]
    last = call("search_poi", keywords="咖啡", city="杭州", page_size=20, page=3)
    assert (last["total"], len(last["pois"])) == (60, 20)
    beyond = call("search_poi", keywords="咖啡", city="杭州", page_size=20, page=4)
    assert (beyond["total"], beyond["pois"]) == (60, [])
    assert {each["page_size"] for each in amap.parameters_of("/v5/place/text")} == {"25"}


def test_a_total_above_the_page_means_that_more_follow(call: Call) -> None:
    for page in range(1, 9):
        result = call("search_poi", keywords="咖啡", city="杭州", page_size=7, page=page)
        assert (result["total"] > page * 7) == (page * 7 < 60)


def test_a_far_page_asks_for_no_more_than_amap_gives(call: Call, amap: AmapServer) -> None:
    result = call("search_poi", keywords="咖啡", city="杭州", page=1_000_000)
    assert result["pois"] == [] and len(amap.parameters_of("/v5/place/text")) == 3


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ("酒店", ["西湖国宾馆"]),
        ("景点", ["西湖风景名胜区", "浙江省博物馆", "断桥"]),
        ("美食 浙江菜", ["楼外楼(孤山路店)", "知味观(湖滨总店)", "新白鹿餐厅"]),
    ],
)
def test_words_for_a_kind_select_it(call: Call, keywords: str, found: list[str]) -> None:
    assert names(call("search_poi", keywords=keywords, city="杭州")) == found


@pytest.mark.parametrize("written", ["楼外楼(孤山路店)", "游乐园/体育娱乐", "夜游长江·Costa"])
def test_words_reach_amap_as_they_are_written(call: Call, amap: AmapServer, written: str) -> None:
    call("search_poi", keywords=f"美食 {written}", city="杭州")
    assert amap.parameters_of("/v5/place/text")[-1]["keywords"] == written


def test_a_name_with_brackets_is_found(call: Call) -> None:
    assert names(call("search_poi", keywords="楼外楼(孤山路店)", city="杭州")) == ["楼外楼(孤山路店)"]


def test_around_a_named_place_the_nearest_come_first(call: Call, amap: AmapServer) -> None:
    result = call("search_poi", **NEAR, radius_km=3)
    distances = [poi["distance_m"] for poi in result["pois"]]
    assert len(distances) == 3 and distances == sorted(distances) and distances[0] < 600
    (asked,) = amap.parameters_of("/v5/place/around")
    assert (asked["location"], asked["radius"]) == ("120.143222,30.247871", "3000")
    assert names(call("search_poi", **NEAR, radius_km=0.6)) == ["楼外楼(孤山路店)"]


def test_orders_that_amap_does_not_offer(call: Call) -> None:
    assert names(call("search_poi", **NEAR, sort_by="rating"))[0] == "新白鹿餐厅"
    assert names(call("search_poi", **NEAR, sort_by="price_low"))[-1] == "楼外楼(孤山路店)"
    assert names(call("search_poi", **NEAR, sort_by="price_high"))[0] == "楼外楼(孤山路店)"
    unknown_last = call(
        "search_poi", keywords="餐饮服务", city="杭州", sort_by="price_low", page_size=20, page=4
    )
    assert names(unknown_last)[-1] == "无名面馆"


def test_relevance_around_a_place_is_left_to_amap(call: Call, amap: AmapServer) -> None:
    call("search_poi", **NEAR, sort_by="relevance")
    assert amap.parameters_of("/v5/place/around")[0]["sortrule"] == "weight"


def test_price_limits_leave_unknown_prices_out(call: Call) -> None:
    cheap = call("search_poi", keywords="美食", city="杭州", price_max=25, page_size=20)
    assert cheap["total"] == 6 and all(poi["price"] <= 25 for poi in cheap["pois"])
    dear = call("search_poi", keywords="美食", city="杭州", price_min=70, price_max=176, page_size=20)
    assert {poi["price"] for poi in dear["pois"]} == {176, *range(70, 80)}


def test_a_district_as_region_narrows_the_search(call: Call, amap: AmapServer) -> None:
    result = call("search_poi", keywords="浙江菜", city="杭州", region="西湖区")
    assert names(result) == ["楼外楼(孤山路店)"]
    assert amap.parameters_of("/v5/place/text")[0]["region"] == "330106"


def test_a_landmark_as_region_is_searched_around(call: Call, amap: AmapServer) -> None:
    result = call("search_poi", keywords="浙江菜", city="杭州", region="湖滨")
    assert len(result["pois"]) == 3 and amap.parameters_of("/v5/place/around")[0]["radius"] == "3000"
    both = call("search_poi", keywords="住宿", city="杭州", region="湖滨", location="西湖")
    assert both["pois"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"city": "亚特兰蒂斯"}, ["city", "亚特兰蒂斯"]),
        ({"city": "浙江"}, ["city", "浙江"]),
        ({"city": "海南"}, ["city"]),
        ({"city": "西湖区"}, ["city"]),
        ({"location": "没有的地方"}, ["location", "杭州市", "没有的地方"]),
        ({"region": "没有的地方"}, ["region"]),
        ({"sort_by": "distance"}, ["sort_by", "location"]),
        ({"price_min": 9, "price_max": 8}, ["price_min", "price_max"]),
        ({"location": "西湖", "radius_km": 50.1}, ["radius_km", "50"]),
        ({"keywords": "菜" * 81}, ["keywords", "80"]),
    ],
)
def test_what_the_caller_did_wrong(error: Error, arguments: dict[str, object], words: list[str]) -> None:
    kind, message = error("search_poi", **({"keywords": "浙江菜", "city": "杭州"} | arguments))
    assert kind == "arguments" and all(word in message for word in words)


def test_cities_are_looked_up_once(call: Call, amap: AmapServer) -> None:
    for _ in range(2):
        call("search_poi", keywords="楼外楼", city="杭州")
    assert len(amap.parameters_of("/v3/config/district")) == 1


def test_a_prefecture_by_its_usual_name(call: Call, amap: AmapServer) -> None:
    call("search_poi", keywords="茶", city="西双版纳")
    assert amap.parameters_of("/v5/place/text")[0]["region"] == "532800"


def test_details_with_what_is_derived(call: Call) -> None:
    detail = call("get_poi_detail", id="B023B17M5D")
    assert detail["dishes"] == ["西湖醋鱼", "叫花鸡", "东坡肉"]
    assert detail["categories"] == ["浙江菜", "中餐厅", "餐饮服务"]
    assert detail["opening_text"] == "周一至周日 11:00-14:00 17:00-20:30"
    (rule,) = detail["opening_hours"]["rules"]
    assert rule["time_windows"] == [{"open": "11:00", "close": "14:00"}, {"open": "17:00", "close": "20:30"}]
    assert detail["derived"] == ["kind", "opening_hours"] and detail["rooms"] == []
    bare = call("get_poi_detail", id="B0FFHZ2QXA")
    assert (bare["opening_hours"], bare["opening_text"], bare["derived"]) == (None, None, ["kind"])


@pytest.mark.parametrize("id_", ["B0NOTHING", "B023B17M5D|B023B09L1U", "", "不是id"])
def test_an_unknown_id(error: Error, id_: str) -> None:
    kind, message = error("get_poi_detail", id=id_)
    assert kind == "arguments" and "id" in message


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("24小时营业", {"always_open": True}),
        ("周一至周日 00:00-24:00", {"always_open": True}),
        (
            "周二至周日 9:00-17:00",
            {
                "always_open": False,
                "rules": [
                    {"weekdays": [2, 3, 4, 5, 6, 7], "time_windows": [{"open": "09:00", "close": "17:00"}]}
                ],
            },
        ),
        (
            "11-01至03-31 周二至周日 08:30-16:30；04-01至10-31 08:30-17:00",
            {
                "always_open": False,
                "rules": [
                    {
                        "date_range": {"start": "11-01", "end": "03-31"},
                        "weekdays": [2, 3, 4, 5, 6, 7],
                        "time_windows": [{"open": "08:30", "close": "16:30"}],
                    },
                    {
                        "date_range": {"start": "04-01", "end": "10-31"},
                        "weekdays": [1, 2, 3, 4, 5, 6, 7],
                        "time_windows": [{"open": "08:30", "close": "17:00"}],
                    },
                ],
            },
        ),
        ("11-01至03-15 周一至周日 08:00-17:30；03-16至04-30 周一至周日 08:00-19:00", None),
        ("11-01至03-31 08:00-17:30；03-31至10-31 08:00-19:00", None),
        ("11-01至03-31 周一 08:00-17:30；11-01至03-31 周二 08:00-19:00；04-01至10-31 08:00-19:00", None),
        ("周一至周五 09:00-17:00;周六至周日 09:00-18:00", None),
        ("周一至周日 17:00-02:00", None),
        ("周一至周日 09:00-25:00", None),
        ("09:70-10:00", None),
        ("4月1日-10月7日 08:00-17:00", None),
        ("", None),
    ],
)
def test_hours_are_structured_only_where_nothing_is_lost(text: str, hours: object) -> None:
    assert structured_hours(text) == hours


@pytest.mark.parametrize(
    ("arguments", "name", "kind", "location"),
    [
        ({"address": "西湖", "city": "杭州"}, "浙江省杭州市西湖区西湖", "landmark", "120.143222,30.247871"),
        ({"address": "杭州市"}, "浙江省杭州市", "city", "120.210792,30.246026"),
        ({"address": "凤起路地铁站"}, "浙江省杭州市上城区凤起路地铁站", "metro", "120.1645,30.2631"),
        ({"address": "楼外楼", "city": "杭州"}, "楼外楼(孤山路店)", "restaurant", "120.1406,30.252"),
        ({"address": "120.1234567,30.25"}, "120.1234567,30.25", "coordinate", "120.123457,30.25"),
    ],
)
def test_names_become_coordinates(
    call: Call, arguments: dict[str, str], name: str, kind: str, location: str
) -> None:
    result = call("maps_geo", **arguments)
    assert result == {"name": name, "city": "杭州市", "kind": kind, "location": location}


def test_a_municipality_is_its_own_city(call: Call) -> None:
    assert call("maps_geo", address="天安门")["city"] == "北京市"


def test_an_address_in_another_city_is_not_taken(error: Error) -> None:
    kind, message = error("maps_geo", address="苏州站", city="杭州")
    assert kind == "arguments" and "苏州站" in message


def test_a_coordinate_outside_china(error: Error) -> None:
    kind, message = error("maps_geo", address="2.35,48.85")
    assert kind == "arguments" and "中国" in message


def test_an_address_that_the_geocoder_fails_at_is_not_found(error: Error, amap: AmapServer) -> None:
    amap.faults.extend([says("30001")] * 4)
    kind, message = error("maps_geo", address="查无此地")
    assert kind == "arguments" and "查无此地" in message and amap.paths()[-1] == "/v5/place/text"


def test_a_phone_where_amap_has_one(call: Call) -> None:
    assert call("get_poi_detail", id="B023B17M5D")["phone"] == "0571-87969023、0571-87969682"
    (bridge,) = call("search_poi", keywords="断桥", city="杭州")["pois"]
    assert call("get_poi_detail", id=bridge["id"])["phone"] is None
