"""How openings sound: as people talk, in the same task never twice alike, and so that the agent understands them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from benchmark.suites.grouptravel.agent.understanding.belief import slot_of
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import Ground
from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELD, filled_fields, read
from benchmark.suites.grouptravel.synthesis.english import word
from benchmark.suites.grouptravel.synthesis.making import Maker, Recipe
from benchmark.suites.grouptravel.synthesis.openings import WORDS, Persona, Seed, _Speech, opening, persona_of
from benchmark.suites.grouptravel.synthesis.profiles import FLAVOURS, TOPICS, Profile
from benchmark.suites.grouptravel.synthesis.quotas import slots
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.synthesis.tastes import local_to

_TASKS = 24
_FOOD = ("must_eat", "prefer_eat", "avoid_eat", "reject_eat")
_POINTERS = {"zh": r"那边(?!的?[a-z])|那里", "en": r"\bthere\b(?!')"}
_FRAMES = (
    r"[\u3400-\u9fff()A-Z（）·0-9]+(?: in \w+)? (is a must|is at the top|is non-negotiable)",
    r"(have to see|without seeing|can't miss [^o]|need to get to|heart set on|must not skip|on seeing|dying to see)",
    r"(have to have|can't go without|want to eat|have to try|top of my list|dying to eat|on having|miss out on)",
    r"(go over|own limit|on my side|yuan at most|can afford|my share|budget ends)",
    r"(quite like \w+ hotels|prefer to stay in|like to stay in|we'd stay in|would suit me|nice to stay|happy with)",
)


class Opening(NamedTuple):
    """An opening message, and the table of who says it."""

    text: str
    table: Any
    cities: tuple[str, ...]

    def names(self, *keys: str) -> set[str]:
        """What the table's lists of these names hold."""
        fields = filled_fields(self.table)
        return {item for field, _, held in fields if field.keys[-1] in keys for item in held}


Groups = dict[str, list[list[Opening]]]


@pytest.fixture(scope="module")
def groups(resources: Resources) -> Groups:
    """By language, the openings of tasks without proofs."""
    held: Groups = {}
    for language in ("zh", "en"):
        maker = Maker(resources, Recipe(31, language, prove=False))
        tasks = [task for slot in slots(_TASKS, 31) if (task := maker.fill(slot).task)]
        held[language] = [
            [
                Opening(
                    message["content"],
                    task["user_preferences"][message["role"]]["preference"],
                    tuple(task["metadata"]["cities"]),
                )
                for message in task["initial_messages"]
            ]
            for task in tasks
        ]
    return held


def messages(groups: Groups, language: str) -> Iterator[Opening]:
    return (said for group in groups[language] for said in group)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nobody_eats_in_a_sight(groups: Groups, language: str) -> None:
    """Nothing is pointed at by 那边 or `there` after a sight was named, which it would point at."""
    pointing = 0
    for said in messages(groups, language):
        sights, foods = said.names("must_visit", "reject_visit"), said.names(*_FOOD)
        for match in re.finditer(_POINTERS[language], said.text):
            if language == "zh" and said.text[: match.start()].endswith(
                tuple(city.removesuffix("市") for city in said.cities)
            ):
                continue
            pointing += 1
            before = said.text[: match.start()]
            named = {name: before.rfind(name) for name in (*sights, *foods) if name in before}
            last = max(named, key=named.__getitem__)
            if last in sights:  # The sight that is said to be there: the dish before it names the city.
                del named[last]
                last = max(named, key=named.__getitem__)
            assert last in foods, said.text
    assert pointing <= 0.12 * len(list(messages(groups, language)))


def test_a_dish_is_not_set_against_a_sight() -> None:
    speech = _Speech("zh", True, ("a key",))
    dish = Seed("must_eat", "must_eat", ("火锅",), "杭州市", firm=True)
    sight = Seed("must_visit", "must_visit", ("雷峰塔景区",), "杭州市", firm=True)
    no_dish = Seed("reject_eat", "reject_eat", ("西餐",), "杭州市", firm=True)
    no_sight = Seed("reject_visit", "reject_visit", ("宋城",), "杭州市", firm=True)
    assert "但" not in speech.message_of([[sight], [no_dish]])
    assert "但" not in speech.message_of([[dish], [no_sight]])
    assert "但" in speech.message_of([[dish], [no_dish]])


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "来都来了|白跑一趟|正宗"), ("en", "since we're there|locals")]
)
def test_one_is_there_anyway_only_for_what_is_cooked_there(groups: Groups, language: str, words: str) -> None:
    found = 0
    for said in messages(groups, language):
        parts = re.split("[。.]", said.text)
        for part in (part for part in parts if re.search(words, part)):
            found += 1
            foods = [
                name
                for city in said.cities
                for name in read(said.table, FIELD["food.must_eat"], city)
                if name in part and local_to(city, name)
            ]
            assert foods, said.text
    assert found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_one_s_own_limit_is_not_a_limit_per_person(groups: Groups, language: str) -> None:
    assert not [said.text for said in messages(groups, language) if re.search("人均|per person", said.text)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_must_be_ridden_leaves_nothing_to_be_avoided(groups: Groups, language: str) -> None:
    """Who insists on one way has said what they think of the others; and not all of a group insist aloud."""
    for group in groups[language]:
        insisting = 0
        for said in group:
            musts = [mode for mode in read(said.table, FIELD["transport.must"]) if mode in said.text]
            insisting += bool(musts)
            avoided = read(said.table, FIELD["transport.avoid"]) if musts else ()
            assert not [mode for mode in avoided if mode in said.text.replace("高铁", "")], said.text
        assert insisting <= 3


def test_no_sentence_is_heard_twice_in_a_group(groups: Groups) -> None:
    heard, count = Counter[str](), 0
    for group in groups["en"]:
        in_group = Counter[str]()
        for said in group:
            count += 1
            text = re.sub(r"eating .*? is at the top of my list", "eating is the top of my list", said.text)
            in_group.update(match.group(1) for frame in _FRAMES for match in re.finditer(frame, text))
        assert [frame for frame, times in in_group.items() if times > 1] == []
        heard += in_group
    assert len(heard) >= 30
    assert max(heard.values()) <= count / 6


def test_short_sentences_are_joined_in_english(groups: Groups) -> None:
    texts = [said.text for said in messages(groups, "en")]
    assert sum(", and " in text for text in texts) > len(texts) / 3


@pytest.mark.parametrize(
    ("language", "reason"), [("zh", "百看不厌|我就爱听从前的事"), ("en", "enough of history")]
)
def test_reasons_are_the_speaker_s_own(language: str, reason: str) -> None:
    table = {
        "global_constraints": {"avg_budget": 3000},
        CITY_ROOT: {"苏州市": {"attractions": {"must_visit": ["平江历史街区"]}}},
    }
    fond, cold = (Profile(id="one", age=30, sex="male", interests={"history": score}) for score in (0.9, 0.2))

    def texts_of(profile: Profile) -> list[str]:
        persona = persona_of(profile, ())
        return [opening("User2", table, language, seed, persona=persona) for seed in range(60)]

    assert any(re.search(reason, text) for text in texts_of(fond))
    assert not any(re.search(reason, text) for text in texts_of(cold))


def test_a_child_doesn_t_speak_for_the_parents() -> None:
    child, mother = (Profile(id="one", age=age, sex="female") for age in (12, 38))
    assert persona_of(child, ("亲子",)) == Persona()
    assert persona_of(mother, ("亲子",)).tags == ("亲子",)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_agent_understands_openings(groups: Groups, language: str) -> None:
    """What it reads stands in the speaker's table, and it reads nearly all that is named."""
    wrong, missed, named_in_all = list[object](), list[object](), 0
    for said in messages(groups, language):
        called = tuple((word("cities", city), city) for city in said.cities) if language == "en" else ()
        reading = tongue(language).read(said.text, Ground(said.cities, language=language, glosses=called))
        slots_read = [(slot_of(finding, finding.city), finding.item) for finding in reading.findings]
        held = {
            (field.keys[-1], city or None, item)
            for field, city, value in filled_fields(said.table)
            if isinstance(value, list)
            for item in value
        }
        # Tools tell in which city a sight is that was named without one.
        tiers = {(tier, item) for tier, _, item in held}
        for slot, item in slots_read:
            known = (slot.field.keys[-1], slot.city, item) in held
            if not known and (slot.city or (slot.field.keys[-1], item) not in tiers):
                wrong.append((said.text, item))
        read_items = {item for _, item in slots_read}
        named = {item for _, _, item in held if item in said.text.replace("普通火车", "火车")}
        named_in_all += len(named)
        missed += [(said.text, item) for item in named if not any(item in each for each in read_items)]
        caps = {cap.field: cap.value for cap in reading.caps}
        budget = read(said.table, FIELD["avg_budget"])
        assert caps.get("avg_budget", budget) == budget and ("avg_budget" in caps) == (
            str(budget) in said.text
        )
    assert len(wrong) <= named_in_all / 50, wrong
    assert len(missed) <= named_in_all / 25, missed


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_of_wish_has_sentences(language: str) -> None:
    """In every way that its city may be said, for dishes and for places where one sits."""
    in_cities = ("must_visit", "reject_visit", "category_positive", "category_negative", *_FOOD)
    houses = [f"{family}_house" for family in _FOOD]
    ways = {f"{family}.{way}" for family in (*in_cities, *houses) for way in ("in", "here", "same")}
    never = {f"{family}.same" for family in ("must_visit", "must_eat", "must_eat_house")}
    others = [f"{way}.{tier}" for way in ("ride", "drive") for tier in ("must", "prefer", "avoid", "reject")]
    others += ["budget", "hotel.prefer", "hotel.avoid", "hotel.then", "sights", "hours"]
    assert not [
        name for name in (*ways - never, *others) if not WORDS.has_line(language, "openings", f"{name}.1")
    ]


def test_nothing_light_is_said_of_a_memorial_to_the_dead() -> None:
    speech = _Speech("zh", False, ("a key",))
    sight = Seed("must_visit", "must_visit", ("侵华日军南京大屠杀遇难同胞纪念馆",), "南京市", firm=True)
    assert "，" not in speech.message_of([[sight]], 1)
    assert "，" in speech.message_of([[sight._replace(items=("南京博物院",))]], 1)


def test_a_sentence_at_the_beginning_of_a_message_was_heard_too() -> None:
    """Whoever has seen to it that one city is not skipped is not echoed about another."""
    sight = Seed("must_visit", "must_visit", ("平江历史街区",), "苏州市", firm=True)
    for number in range(20):
        heard = ("We must not skip 南京博物院.", "I'm dying to see 中山陵 in Nanjing.")
        said = _Speech("en", True, (number,), heard).message_of([[sight]])
        assert "must not skip" not in said and "dying" not in said


@pytest.mark.parametrize("language", ["zh", "en"])
def test_reasons_are_no_wishes(language: str) -> None:
    """The agent reads the wish beside a reason, and nothing out of the reason."""
    wishes = {"must_visit": ("平江历史街区", "平江历史街区我一定要去", "I can't miss 平江历史街区")}
    wishes["must_eat"] = ("火锅", "火锅我非吃不可", "I have to have hotpot (火锅)")
    topics = {*TOPICS, *FLAVOURS, "tail", "local", "美食", "拍照", "浪漫", "仪式感"}
    endings = {*topics, *(f"{tag}.{topic}" for tag in ("亲子", "探险") for topic in TOPICS)}
    ground, tried = Ground(("苏州市",), language=language), 0
    for family, (item, chinese, english) in wishes.items():
        for name in (f"{family}.{ending}.{number}" for ending in endings for number in range(1, 9)):
            if WORDS.has_line(language, "openings", name):
                reason = WORDS.line(language, "openings", name)
                mark = "," if reason.startswith("since") else ";"
                said = f"{chinese}，{reason}。" if language == "zh" else f"{english}{mark} {reason}."
                assert {finding.item for finding in tongue(language).read(said, ground).findings} == {item}, (
                    said
                )
                tried += 1
    assert tried > 30


def test_a_message_says_top_of_my_list_once() -> None:
    dish = Seed("must_eat", "must_eat", ("苏帮菜",), "苏州市", firm=True)
    sight = Seed("must_visit", "must_visit", ("狮子林",), "苏州市", firm=True)
    for number in range(60):
        assert _Speech("en", True, (number,)).message_of([[sight], [dish]]).count("top of my list") < 2
