"""What the reference agent makes of things said in many ways."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmark.suites.grouptravel.agent.understanding.belief import slot_of
from benchmark.suites.grouptravel.agent.understanding.names import Names, names_in
from benchmark.suites.grouptravel.agent.understanding.reader import Ground, Reading, read_message
from benchmark.suites.grouptravel.agent.understanding.topics import CITY_SUBJECTS, GLOBAL_SUBJECTS, Topic

from .farther import SAYINGS as FOURTH
from .farthest import SAYINGS as FIFTH
from .group import entry
from .harder import SAYINGS as THIRD
from .held_out_sayings import SAYINGS as SECOND
from .paraphrases import SAYINGS as FIRST

SAYINGS = (*FIRST, *SECOND, *THIRD, *FOURTH, *FIFTH)

CITIES = {"d": "杭州市", "s": "苏州市"}
CAPS = {"b": "avg_budget", "n": "max_poi_per_day", "t": "max_active_hours"}
LISTS = {
    "tm": ("transport", "must"),
    "tp": ("transport", "prefer"),
    "ta": ("transport", "avoid"),
    "tr": ("transport", "reject"),
    "hp": ("hotels", "prefer"),
    "ha": ("hotels", "avoid"),
    "mv": ("sights", "must_visit"),
    "rv": ("sights", "reject_visit"),
    "cp": ("categories", "positive"),
    "cn": ("categories", "negative"),
    "me": ("food", "must_eat"),
    "pe": ("food", "prefer_eat"),
    "ae": ("food", "avoid_eat"),
    "re": ("food", "reject_eat"),
}


def topics(code: str) -> tuple[Topic, ...]:
    if code == "g":
        return tuple(Topic(subject) for subject in GLOBAL_SUBJECTS)
    return tuple(Topic(subject, CITIES[code]) for subject in CITY_SUBJECTS) if code in CITIES else ()


def expected_findings(meaning: str) -> set[object]:
    found: set[object] = set()
    for code, values in (part.split("=") for part in meaning.split()):
        if code in CAPS:
            found.add((CAPS[code], float(values)))
            continue
        names, _, homes = values.partition("@")
        for name in names.split(","):
            found |= {
                ((LISTS[code][0], CITIES.get(home), LISTS[code][1]), name)
                for home in (homes or "-").split(",")
            }
    return found


def findings_in(reading: Reading) -> set[object]:
    slots = [(slot_of(finding, finding.city), finding.item) for finding in reading.findings]
    findings = {((slot.subject, slot.city, slot.field.keys[-1]), item) for slot, item in slots}
    return findings | {(cap.field, cap.value) for cap in reading.caps}


def read(asked: str, said: str) -> Reading:
    return read_message(said, Ground(tuple(CITIES.values()), topics(asked)))


@pytest.mark.parametrize(("asked", "said", "meaning"), SAYINGS, ids=[said[:18] for _, said, _ in SAYINGS])
def test_a_saying_means_what_it_says(asked: str, said: str, meaning: str) -> None:
    assert findings_in(read(asked, said)) == expected_findings(meaning)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("一定要去颐和路历史文化街区。", ["颐和路历史文化街区"]),
        ("想去逛颐和路和西湖。", ["颐和路", "西湖"]),
        ("最想逛太和坊跟灵隐寺。", ["太和坊", "灵隐寺"]),
        ("一定要去协和路老街。", ["协和路老街"]),
        ("必须去和光塔。", ["和光塔"]),
        ("打算去逛和信广场。", ["和信广场"]),
        ("说什么也要去颐和园，和平公园也要去。", ["颐和园", "和平公园"]),
        ("一定要吃和府捞面和火锅。", ["和府捞面", "火锅"]),
        ("一定要去灵隐寺和河坊街。", ["灵隐寺", "河坊街"]),
        ("西湖我一定要去和灵隐寺一起玩。", ["西湖", "灵隐寺"]),
    ],
)
def test_a_name_that_holds_or_begins_with_an_and_stays_whole(said: str, names: list[str]) -> None:
    assert sorted(finding.item for finding in read("d", said).findings) == sorted(names)


@pytest.mark.parametrize(("said", "last"), [("想去看海和爬山。", "爬山"), ("想吃鱼和牛肉火锅。", "牛肉火锅")])
def test_an_and_after_a_short_wish_still_parts_two_wishes(said: str, last: str) -> None:
    assert last in [finding.item for finding in read("d", said).findings]


def test_there_are_enough_sayings() -> None:
    assert len({re.sub(r"\W", "", said) for _, said, _ in SAYINGS}) >= 80


def names_told(*places: tuple[str, str]) -> Names:
    pois = [{"name": name, "kind": "attraction", "city": "杭州市", "category": kind} for name, kind in places]
    return names_in([entry("search_poi", {"keywords": "景点"}, {"total": len(pois), "pois": pois})])


def test_what_a_text_cannot_mean_makes_no_new_reading_of_it() -> None:
    """Names that are near a text are one object until a tool tells of something that the text may mean."""
    said = "西湖我非去不可，也想看看琴台和博物馆"
    before = names_told(("西湖", "湖泊"))
    assert names_told(("西湖", "湖泊"), ("河坊街", "特色街区")).near(said) is before.near(said)
    assert names_told(("西湖", "湖泊"), ("河坊街", "博物馆")).near(said) is before.near(said)
    assert names_told(("西湖", "湖泊"), ("河坊街", "琴台")).near(said) is not before.near(said)
    assert names_told(("西湖", "湖泊"), ("西湖天地", "商场")).near(said) is not before.near(said)


OPENINGS_SHARE = 0.95


@pytest.mark.reference
def test_real_openings_are_understood(reference: Path) -> None:
    """Of what is read in the openings of real tasks, nearly all stands in the speaker's own table."""
    right = read_in_all = 0
    for line in (reference / "grouptravelbench" / "tasks_sample.jsonl").read_text("utf-8").splitlines():
        task = json.loads(line)
        for message in task["initial_messages"]:
            ground = Ground(tuple(task["metadata"]["cities"]))
            findings = read_message(message["content"], ground).findings
            text = json.dumps(task["user_preferences"][message["role"]]["preference"], ensure_ascii=False)
            read_in_all += len(findings)
            right += sum(f'"{finding.item}"' in text for finding in findings)
    assert read_in_all >= 180
    assert right / read_in_all >= OPENINGS_SHARE


@pytest.mark.parametrize("dish", ["奎元馆的面", "陶陶居的点心", "知味观"])
def test_what_a_clause_says_is_eaten_is_food_whatever_the_clause_before_is_about(dish):
    read = read_message(f"良渚古城遗址公园我必须去，{dish}也一定要吃上。", Ground(("杭州市",)))
    subjects = {finding.item: finding.subject for finding in read.findings}
    assert subjects.pop("良渚古城遗址公园") == "sights"
    assert set(subjects.values()) == {"food"}


@pytest.mark.parametrize("town", ["佛山市", "哈尔滨市", "苏州市"])
def test_what_is_said_of_a_city_outside_the_trip_is_nobodys_wish(town):
    said = f"在{town}一定要吃顺德菜。"
    assert read_message(said, Ground(("广州市",))).findings == ()
    inside = read_message(said, Ground(("广州市", town))).findings
    assert [(finding.item, finding.city) for finding in inside] == [("顺德菜", town)]


@pytest.mark.parametrize("market", ["南门夜市", "斗南花市"])
def test_a_market_is_no_city(market):
    (finding,) = read_message(f"{market}一定要去。", Ground(("昆明市",))).findings
    assert (finding.subject, finding.item) == ("sights", market)


@pytest.mark.parametrize("dish", ["海鲜", "火锅", "早茶"])
def test_a_city_named_for_its_food_is_not_that_of_a_sight_in_the_next_sentence(dish):
    ground = Ground(("深圳市", "广州市"))
    findings = read_message(f"深圳的{dish}绝对不吃。陈家祠一定要去。", ground).findings
    assert {finding.item: finding.city for finding in findings} == {dish: "深圳市", "陈家祠": None}


def test_a_city_named_for_its_sights_is_that_of_the_next_sentence_too():
    findings = read_message(
        "深圳的世界之窗一定要去。锦绣中华也必须去。", Ground(("深圳市", "广州市"))
    ).findings
    assert {finding.city for finding in findings} == {"深圳市"}
