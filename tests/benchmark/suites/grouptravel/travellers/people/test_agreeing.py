"""Words that agree to give something up without a marker."""

from __future__ import annotations

import pytest

from benchmark.suites.grouptravel.travellers.people.agreeing import agreed_offers
from benchmark.suites.grouptravel.travellers.people.offers import offers, words
from benchmark.suites.grouptravel.travellers.people.replies import replies
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.people.people import HANGZHOU, english
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, view
from tests.benchmark.suites.grouptravel.travellers.scripted.test_concessions import REQUESTS, reply

SICHUAN = f"{HANGZHOU}.food.reject_eat"
ZH = view(f"@{ME} 大家都想吃川菜，可以安排一顿吗？")
EN = english(f"@{ME} Could you accept Sichuan food (川菜) once? Everybody would love it.")
CONSENT = (
    "好的，没问题。",
    "行吧，那就吃一顿",
    "可以。",
    "我同意",
    "那我让一步吧",
    "听大家的",
    "Sure, no problem.",
    "ok",
    "Fine, let's do that",
    "I can live with that",
    "All right, I'll give it a try",
    "Yes, I don't mind at all.",
    "@Agent okay, I won't insist.",
)
REFUSAL = (
    "不行，这个我坚决不吃",
    "抱歉，我不能接受",
    "好的想法，不过我还是希望不要",
    "我不同意",
    "这是我的底线",
    "No, sorry.",
    "I can't accept that",
    "I'd rather not, it is out of the question",
    "Yes, I heard you, but I will not eat that, never",
    "I don't agree",
    "No way",
    "",
)


def paths(told: GroupView, text: str) -> set[str]:
    return {offer.path for offer in agreed_offers(told, text)}


@pytest.mark.parametrize("told", [ZH, EN], ids=["zh", "en"])
@pytest.mark.parametrize("text", CONSENT)
def test_consent_in_either_language_is_heard_at_any_table(told: GroupView, text: str) -> None:
    assert paths(told, text) == {SICHUAN}


@pytest.mark.parametrize("told", [ZH, EN], ids=["zh", "en"])
@pytest.mark.parametrize("text", REFUSAL)
def test_a_refusal_is_no_consent(told: GroupView, text: str) -> None:
    assert paths(told, text) == set()


@pytest.mark.parametrize(("text", "path", "value"), REQUESTS)
def test_words_of_a_simulator_and_of_a_person_are_heard_alike(text: str, path: str, value: object) -> None:
    said, _, _ = reply(text)
    assert path in paths(view(f"@{ME} {text}"), said)


@pytest.mark.parametrize("told", [ZH, EN], ids=["zh", "en"])
def test_what_the_page_proposes_to_say_is_heard_as_it_is_meant(told: GroupView) -> None:
    for offer in offers(told):
        assert paths(told, words(offer, told.language)) == {offer.path}, words(offer, told.language)
    agree, decline = replies(told)[-2:]
    assert paths(told, agree.text) == {SICHUAN} and paths(told, decline.text) == set()


def test_nothing_is_asked_where_the_card_changes_anyway_or_cannot() -> None:
    marked = f"好的。\n[{SICHUAN} : []]"
    assert paths(ZH, marked) == set()
    assert paths(view(f"@{ME} 您对饮食有什么要求？"), "好的") == set()
    assert paths(view(f"@{ME} 能吃川菜吗？", compromisable=False), "好的") == set()
    assert paths(view(f"@{ME} 能吃川菜吗？", left=0), "好的") == set()
    assert paths(view("能吃川菜吗？", kind="polled"), "好的") == set()
