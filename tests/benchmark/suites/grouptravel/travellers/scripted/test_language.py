"""The words of a language: numbers as written, wordings complete."""

from __future__ import annotations

from string import Formatter

import pytest

from benchmark.suites.grouptravel.travellers.scripted.language import language


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2500", 2500), ("2,500", 2500), ("3.5", 3.5), ("2.5k", 2500), ("3千", 3000), ("1.2万", 12000),
        ("三千", 3000),
        ("两千五", 2500), ("两千五百", 2500), ("一万二", 12000), ("三千零五", 3005), ("十", 10), ("十二", 12),
        ("二十", 20), ("四", 4), ("三万五千", 35000), ("", None), ("很多", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text, value):
    assert language("zh").value(text) == value


def test_every_topic_has_words_for_each_tier_and_for_nothing():
    speech = language("zh").speech
    for topic in (
        "budget",
        "transport",
        "pace_sights",
        "pace_hours",
        "hotels",
        "sights",
        "categories",
        "food",
    ):
        assert len(speech[topic]) >= 2
        assert all(len(wordings) >= 2 for wordings in speech[topic].values())


def test_every_wording_quotes_what_it_is_about():
    speech = language("zh").speech
    for topic in ("transport", "hotels", "sights", "categories", "food"):
        for tier, wordings in speech[topic].items():
            slots = [{name for _, name, _, _ in Formatter().parse(wording) if name} for wording in wordings]
            nameless = tier in ("none", "rest")
            assert all(found == (set() if nameless else {"items"}) for found in slots)
