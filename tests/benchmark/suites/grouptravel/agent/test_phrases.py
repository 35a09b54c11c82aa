"""What the agent says when it asks: few fields at a time, in many words, and so that others understand it."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import KnownAnswers, ask
from benchmark.suites.grouptravel.agent.dialogue.requests import Request, put_raise
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.lexicon.phrases import PHRASES, Phrases
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.policy import next_question
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.topics import Topic
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.wishes import wishes
from benchmark.text import guarded
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, view

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
