"""Cities, clusters, fares and candidates."""

from __future__ import annotations

from datetime import date
from functools import cache
from itertools import pairwise

from benchmark.suites.grouptravel.synthesis.cities import CATALOGUE, DEPARTURES, Town, towns_of
from benchmark.suites.grouptravel.synthesis.clusters import (
    SHIPPED_CLUSTERS,
    Cluster,
    clusters_of,
    derive_clusters,
    destinations,
)
from benchmark.suites.grouptravel.synthesis.fares import DRIVE
from benchmark.suites.grouptravel.synthesis.resources import Resources
from sandbox.worlds.records import City

_TEN = ("北京市", "上海市", "广州市", "深圳市", "杭州市", "成都市", "重庆市", "武汉市", "苏州市", "南京市")


def test_the_catalogue_is_the_published_one_in_size() -> None:
    assert len(CATALOGUE) == 155
    assert len(DEPARTURES) == 32
    assert [sum(town.weight == weight for town in CATALOGUE.values()) for weight in (3, 2, 1)] == [19, 56, 80]
    assert len(SHIPPED_CLUSTERS) == 175


def test_a_world_with_the_whole_catalogue_has_the_shipped_clusters() -> None:
    assert clusters_of(CATALOGUE) is SHIPPED_CLUSTERS


@cache
def derived_clusters() -> tuple[Cluster, ...]:
    return derive_clusters(CATALOGUE.values())


def test_the_rule_gives_as_many_clusters_as_are_shipped_over_the_catalogue() -> None:
    assert [sum(len(one.cities) == size for one in derived_clusters()) for size in (2, 3)] == [98, 77]


def test_ten_cities_have_eight_pairs_and_four_triples_all_of_the_delta() -> None:
    ways = destinations({name: CATALOGUE[name] for name in _TEN})
    assert {size: len(found) for size, found in ways.items()} == {1: 10, 2: 8, 3: 4}
    delta = {"上海市", "苏州市", "杭州市", "南京市"}
    assert all(set(cluster.cities) <= delta for cluster in ways[3])
    assert {cluster.cities for cluster in ways[2] if not set(cluster.cities) <= delta} == {
        ("广州市", "深圳市"),
        ("成都市", "重庆市"),
    }


def test_derived_clusters_keep_the_rule() -> None:
    for cluster in derived_clusters():
        towns = [CATALOGUE[name] for name in cluster.cities]
        hub = towns[0]
        assert hub.weight == 3 or hub.capital or hub.weight == max(town.weight for town in towns)
        assert all(one.over_land(other) for one, other in pairwise(towns))
        assert cluster.weight == max(town.weight for town in towns)
        assert hub.km(towns[1]) <= (450 if len(towns) == 2 else 300)


def test_no_cluster_crosses_the_sea() -> None:
    found = derive_clusters(
        Town(name, 2, region, False, lon, lat)
        for name, region, lon, lat in (
            ("海口市", "hainan", 110.3, 20.0),
            ("湛江市", "pearl_delta", 110.4, 21.2),
            ("大连市", "northeast", 121.6, 38.9),
            ("烟台市", "shandong", 121.4, 37.5),
        )
    )
    assert found == ()


def test_a_city_beyond_the_catalogue_counts_as_a_small_place_of_its_region() -> None:
    city = City(name="无名市", province="浙江省", longitude=120, latitude=29)
    town = towns_of([city])["无名市"]
    assert (town.weight, town.region, town.capital) == (1, "yangtze_delta", False)


def test_legs_tell_the_lowest_fare_of_each_mode_that_runs(resources: Resources) -> None:
    offers = resources.fares.offers("北京市", "杭州市")
    services = resources.world.services("北京市", "杭州市")
    for mode in ("高铁", "火车", "飞机"):
        assert offers[mode].price == min(service.price for service in services if service.mode == mode)
    assert DRIVE in offers
    assert "飞机" not in resources.fares.offers("杭州市", "苏州市")


def test_a_route_goes_out_on_and_back(resources: Resources) -> None:
    route = resources.fares.route("北京市", ("杭州市", "苏州市"))
    assert route.legs == (("北京市", "杭州市"), ("杭州市", "苏州市"), ("苏州市", "北京市"))
    assert route.goes_all_the_way("高铁")
    assert not route.goes_all_the_way("飞机")
    assert route.goes_part_of_the_way("飞机")
    assert route.lacking("飞机") == [("杭州市", "苏州市"), ("苏州市", "北京市")]
    assert route.lowest() == sum(min(offer.price for offer in leg.values()) for leg in route.offers)
    assert route.lowest() <= route.by_day()


def test_candidates_are_the_best_known_sights_and_common_categories(resources: Resources) -> None:
    found = resources.candidates("杭州市")
    reviews = [sight.place.reviews or 0 for sight in found.sights]
    assert reviews == sorted(reviews, reverse=True)
    assert all(share >= 0.01 for share in (*found.attractions.values(), *found.foods.values()))
    assert found.gaps() == []
    assert found.night == min(found.hotels.values())


def test_a_city_without_restaurants_is_no_destination(resources: Resources) -> None:
    assert any("food" in str(gap) for gap in resources.candidates("上海市").gaps())
    assert "上海市" not in resources.atlas.towns


def test_a_sight_that_is_shut_all_week_is_known(resources: Resources) -> None:
    museums = [sight for sight in resources.candidates("苏州市").sights if sight.closed([date(2026, 3, 30)])]
    assert museums, "some museum of Suzhou is shut on Mondays"
    week = [date(2026, 3, 30 + day) if day < 2 else date(2026, 4, day - 1) for day in range(7)]
    assert not any(sight.closed(week) for sight in museums)
