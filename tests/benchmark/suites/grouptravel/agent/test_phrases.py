"""What the agent says when it asks: few fields at a time, in many words, and so that others understand it."""

from __future__ import annotations

import itertools
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import KnownAnswers, ask, rest_of
from benchmark.suites.grouptravel.agent.dialogue.requests import Request, put, put_raise, read_request
from benchmark.suites.grouptravel.agent.glosses import as_people_say, as_the_data_says, called_names
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.lexicon.phrases import PHRASES, Phrases
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.policy import next_question
from benchmark.suites.grouptravel.agent.understanding.belief import Belief, Slot
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import Ground, Topic, all_topics
from benchmark.suites.grouptravel.preferences import FIELD
from benchmark.suites.grouptravel.travellers.scripted.concessions import wanted_change
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.wishes import wishes
from benchmark.text import guarded
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, TABLE, view

LANGUAGES = ("zh", "en")
CITIES = ("杭州市", "苏州市", "南京市")
CITY = "苏州市"
DENIALS = {"zh": "不|别|没|放弃|避开|拒", "en": r"\b(?:not|no|never|without|avoid|refuse|give up)\b|n't"}
ENGLISH_QUERY = "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 3 people"
TRAVELLER_TOPICS = {"budget": ["budget"], "intensity": ["pace_sights", "pace_hours"]}
"""What a traveller takes a topic of the agent for, where it has another name."""
QUESTIONS = [
    (Topic("hotels"), Topic("transport"), Topic("budget")),
    (Topic("sights", CITY), Topic("categories", CITY), Topic("food", CITY)),
    (Topic("intensity"), Topic("food", CITY)),
    (Topic("transport"),),
]


def things_in(question: str, words: Phrases) -> int:
    """How many things a question names, each counted once, and numbers it asks for."""
    named = [thing for things in words.things.values() for thing in things]
    for figures in words.figures.values():
        for figure in figures:
            question = question.replace(figure, "")
    count = 0
    for thing in sorted(named, key=len, reverse=True):
        count += question.count(thing)
        question = question.replace(thing, "")
    return count


@pytest.mark.parametrize("language_", LANGUAGES)
@pytest.mark.parametrize("caps", [{}, {"max_poi_per_day": 3}, {"avg_budget": 2000, "max_active_hours": 8}])
def test_no_question_asks_more_than_three_fields(language_: str, caps: dict[str, float]) -> None:
    words, belief = PHRASES[language_], Belief(caps=dict(caps))
    picture, said, asked = Picture({"User1": belief}), "", 0
    while bundle := next_question(picture, CITIES):
        question = ask(*bundle, Asking(asked, language_, said))
        numbers = sum(2 if t.subject == "intensity" and not caps.keys() & {"max_poi_per_day", "max_active_hours"}
                      else 1 for t in bundle[1] if t.subject in TRAVELLER_TOPICS)  # fmt: skip
        assert things_in(question, words) + numbers <= 3, question
        for topic in bundle[1]:
            belief.times_asked[topic] = 2
        said, asked = said + question, asked + 1
    assert asked >= len(CITIES) + 1


def ask_all(language_: str, left: int | None) -> tuple[int, Belief]:
    """How many questions it takes to ask somebody about all, each of three fields at most."""
    must = Slot("sights", CITIES[0], FIELD["attractions.must_visit"])
    belief = Belief(items={must: ["西湖"]}, caps={"avg_budget": 2000})
    words, picture, said, asked = PHRASES[language_], Picture({"User1": belief}), "", 0
    while asked != left:
        bundle = next_question(picture, CITIES, left=None if left is None else left - asked)
        if bundle is None:
            break
        known = rest_of(belief, bundle[1])
        numbers = sum(
            1 if topic.subject == "budget" or known.limits else 2
            for topic in bundle[1]
            if topic.subject in TRAVELLER_TOPICS
        )
        question = ask(*bundle, Asking(asked, language_, said), known)
        assert things_in(question, words) + numbers <= 3, question
        for topic in bundle[1]:
            belief.times_asked[topic] = 2
        said, asked = said + question, asked + 1
    return asked, belief


@pytest.mark.parametrize("language_", LANGUAGES)
def test_in_haste_all_is_asked_in_fewer_questions(language_: str) -> None:
    """Where somebody insists on a sight already, other sights of its city are asked about last."""
    assert ask_all(language_, None)[0] == 5
    asked, belief = ask_all(language_, 4)
    assert asked == 4
    never = {topic for topic in all_topics(CITIES) if topic not in belief.times_asked}
    assert never == {Topic("sights", CITIES[0]), Topic("budget")}


@pytest.mark.parametrize("language_", LANGUAGES)
def test_in_great_haste_one_limit_of_a_day_has_to_do(language_: str) -> None:
    day, food = Topic("intensity"), Topic("food", CITY)
    others = [topic for topic in all_topics((CITY,)) if topic not in (day, food, Topic("sights", CITY))]
    belief = Belief(times_asked=dict.fromkeys(others, 2))
    picture, words = Picture({"User1": belief}), PHRASES[language_]
    assert next_question(picture, (CITY,), left=2) != next_question(picture, (CITY,), left=1)
    bundle = next_question(picture, (CITY,), left=1)
    assert bundle is not None
    assert set(bundle[1]) == {day, food, Topic("sights", CITY)}
    question = ask(*bundle, Asking(0, language_, ""), rest_of(belief, bundle[1]))
    assert any(figure in question for figure in words.figures["sights_a_day"])
    assert things_in(question, words) == 2


def test_in_haste_a_fact_that_somebody_asks_leads_to_no_idle_question() -> None:
    """User1 has told nearly all, User2 nothing: the next question goes to User2 although User1 has just asked."""
    told = Belief(times_asked=dict.fromkeys(all_topics(CITIES), 2))
    told.times_asked.pop(Topic("sights", CITIES[0]))
    told.items[Slot("sights", CITIES[0], FIELD["attractions.must_visit"])] = ["西湖"]
    picture = Picture({"User1": told, "User2": Belief()})
    assert next_question(picture, CITIES, "User1", left=3) is None
    bundle = next_question(picture, CITIES, left=3)
    assert bundle is not None
    assert bundle[0] == "User2"


@pytest.mark.parametrize("language_", LANGUAGES)
def test_no_wording_is_heard_often(language_: str) -> None:
    """Twenty questions of a long session: none of the sentences twice, no frame more than three times."""
    said = list[str]()
    for turn, (city, known) in enumerate(itertools.product(CITIES * 4, (False, True))):
        topics = (Topic("sights", city), Topic("categories", city), Topic("food", city))
        some = KnownAnswers(frozenset(topics)) if known else None
        said.append(ask("User1", topics, Asking(turn, language_, "".join(said)), some))
    assert len(set(said)) == len(said)
    words = PHRASES[language_]
    frames = [max(frame.split("{things}"), key=len) for frame in (*words.asks, *words.asks_rest)]
    heard = Counter(frame for frame in frames for text in said if frame in text)
    assert max(heard.values()) <= 3


@pytest.mark.parametrize("language_", LANGUAGES)
def test_a_plea_says_what_to_do_and_denies_nothing(language_: str) -> None:
    """放弃不去…这个要求 is a riddle."""
    pleas = [plea for pleas in PHRASES[language_].pleas.values() for plea in pleas]
    assert [plea for plea in pleas if guarded.search(DENIALS[language_], plea)] == []


@pytest.mark.parametrize("language_", LANGUAGES)
def test_hardly_any_question_for_the_rest_names_what_it_leaves_aside(language_: str) -> None:
    """除了…提过的 in every turn tires."""
    said = list[str]()
    for turn, city in enumerate(CITIES * 4):
        topics = (Topic("sights", city), Topic("categories", city), Topic("food", city))
        some = KnownAnswers(frozenset(topics))
        said.append(ask("User1", topics, Asking(turn, language_, "".join(said)), some))
    asides = [text for text in said if guarded.search("除了|[Bb]esides|apart from|other than", text)]
    assert len(asides) <= len(said) // 4


@pytest.mark.parametrize("language_", LANGUAGES)
@pytest.mark.parametrize("turn", range(2))
def test_a_place_is_not_eaten_where_somebody_is_asked_to_accept_it(language_: str, turn: int) -> None:
    request = Request(ME, "food", CITY, "茶馆")
    said = put(request, ("User2",), Asking(turn, language_))
    assert not guarded.search(r"[一吃]顿|吃|\b(?:meal|eat)\b", said)
    called = called_names((), language_)
    people_hear = as_people_say(said, called)
    assert ("teahouses" in people_hear) is (language_ == "en")
    (thought,) = as_the_data_says([Message(1, AGENT, people_hear)], called)
    assert read_request(thought.content, ME, CITIES, language_) == request
    wished = deepcopy(TABLE)
    wished["city_specific_preferences"][CITY]["food"]["reject_eat"] = ["茶馆"]
    change = wanted_change(hearing_of(people_hear, language_, wished))
    assert change is not None and change.act == "take" and change.names == ("茶馆",)


@pytest.mark.parametrize("language_", LANGUAGES)
@pytest.mark.parametrize("kind", ["cafes", "venues"])
def test_going_to_a_teahouse_is_a_wish_of_food(language_: str, kind: str) -> None:
    """去茶馆坐坐: nobody says that they eat or drink there."""
    asked = (Topic("sights", CITY), Topic("categories", CITY), Topic("food", CITY))
    ground = Ground((CITY,), asked, language=language_)
    item, lead, end = ("茶馆", "景点就这些了。", "。") if language_ == "zh" else ("Teahouses (茶馆)", "", ".")
    for tier, wordings in language(language_).speech[kind].items():
        for wording in wordings:
            said = f"{lead}{wording.format(items=item, verb='')}{end}"
            found = tongue(language_).read(f"{said[0].upper()}{said[1:]}", ground).findings
            read = {(finding.subject, finding.tier, finding.item) for finding in found}
            assert read == {("food", tier.removeprefix("twice_"), "茶馆")}, said


@pytest.mark.parametrize("value", ["飞机", "高档型", "博物馆", "火锅", "海洋馆", "水族馆", "杭帮菜"])
def test_every_value_is_understood_by_the_name_that_it_was_given(value: str) -> None:
    called = called_names((("Hangzhou", "杭州市"),), "en")
    told = as_people_say(
        f"{value} in 杭州市 (User1 for it). About {value}: {value}博物院 (杭州市{value}).", called
    )
    assert f" {value} " not in told and f"{value}博物院" in told and f"杭州市{value}" in told
    assert told[0].isupper()
    (thought,) = as_the_data_says([Message(1, AGENT, told)], called)
    assert thought.content.startswith(f"{value} in 杭州市 ")


def hearing_of(said: str, code: str, wished: dict[str, Any]) -> Hearing:
    seen = view((AGENT, said), wishes=wished)
    if code == "en":
        seen = replace(seen, language="en", query=ENGLISH_QUERY)
    return Hearing(seen, wishes(wished), language(code))


def asks_in(question: str, code: str) -> tuple[Ask, ...]:
    seen = view((AGENT, question))
    if code == "en":
        seen = replace(seen, language="en", query=ENGLISH_QUERY)
    assert seen.card is not None
    return Hearing(seen, wishes(seen.card.effective), language(code)).asks


@pytest.mark.parametrize("language_", LANGUAGES)
@pytest.mark.parametrize("topics", QUESTIONS)
def test_scripted_travellers_understand_every_wording(language_: str, topics: tuple[Topic, ...]) -> None:
    """They share no words with the agent: what it says must be plain enough for their own lexicon."""
    said, open_ones = "", [topic for topic in topics if topic.subject not in TRAVELLER_TOPICS]
    for turn, known in itertools.product(range(12), (False, True)):
        question = ask(
            ME, topics, Asking(turn, language_, said), KnownAnswers(frozenset(open_ones)) if known else None
        )
        said += question
        asks = {one.topic: one for one in asks_in(question, language_)}
        assert set(asks) == {
            name for topic in topics for name in TRAVELLER_TOPICS.get(topic.subject, [topic.subject])
        }
        assert {asks[topic.subject].rest for topic in open_ones} == {known}, question
        assert all(asks[topic.subject].cities == (CITY,) for topic in topics if topic.city)


@pytest.mark.parametrize("language_", LANGUAGES)
def test_what_a_question_is_about_is_worded_in_many_ways(language_: str) -> None:
    topics, said, heard_ = QUESTIONS[1], "", Counter[str]()
    words = PHRASES[language_]
    things = [thing for topic in topics for thing in words.things[topic.subject]]
    for turn in range(12):
        question = ask(ME, topics, Asking(turn, language_, said))
        said += question
        heard_[" ".join(sorted(thing for thing in things if thing in question))] += 1
    assert max(heard_.values()) <= 3


@pytest.mark.parametrize("language_", LANGUAGES)
@pytest.mark.parametrize(("subject", "cap", "value"), [("sights_a_day", 2, 5), ("hours_a_day", 7.5, 11)])
def test_a_request_for_a_higher_limit_says_from_which(
    language_: str, subject: Subject, cap: float, value: float
) -> None:
    for turn in range(6):
        said = put_raise(Request(ME, subject, None, "", value), cap, Asking(turn, language_))
        about, _, plea = said.partition("@")
        assert f"{cap:g}" in about and f"{value:g}" in plea
