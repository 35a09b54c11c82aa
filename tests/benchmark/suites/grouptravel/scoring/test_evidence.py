"""What stands behind each figure."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.metrics import evidence_digest
from benchmark.suites.grouptravel.scoring import (
    Catalogue,
    differences,
    figures_of,
    score_record,
)
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    Json,
    block,
    day,
    hotel,
    leg,
    meal,
    one_day,
    place,
    plan,
    record,
    rest,
    ride,
    score,
    sight,
    table,
)
from tests.properties import examples

MUST = f"city_specific_preferences.{CITY}.attractions.must_visit"
REJECT = f"city_specific_preferences.{CITY}.attractions.reject_visit"
BUDGET = "global_constraints.avg_budget"
SIGHTS = "global_constraints.intensity.max_poi_per_day"


def chat_message(role: str, content: str, **more: Any) -> Json:
    return {"type": "message", "role": role, "content": content, **more}


def evidence_by_path(
    own: Json, believed: Json | None = None, *messages: Json, before: Json | None = None, log: Any = ()
) -> dict[str, Json]:
    """The completeness evidence of User1 by path."""
    given = record({}, {"User1": own}, plan_generated=False, conversation_history=list(messages))
    given["agent_preference_table"] = {"User1": believed or {}}
    given["original_preferences"] = {"User1": {"preference": before or own}}
    given["compromise_log"] = list(log)
    users = score_record(given, Catalogue({}))["evidence"]["completeness"]["users"]
    return {entry["path"]: entry for entry in users["User1"]}


class TestWhoSaidIt:
    OWN = table(sights={"must_visit": ["西湖", "灵隐寺"]})

    def test_the_first_message_of_the_traveller_with_the_words(self):
        talk = (
            chat_message("User2", "西湖"),
            chat_message("User1", "想去西湖"),
            chat_message("User1", "西湖！"),
        )
        assert evidence_by_path(self.OWN, None, *talk)[MUST]["said"] == [["西湖", 1], ["灵隐寺", None]]

    def test_the_index_counts_tool_entries_too(self):
        entries = (
            {"type": "tool_call", "name": "x", "arguments": {}},
            chat_message("User1", "我想去灵隐寺和西湖"),
        )
        assert evidence_by_path(self.OWN, None, *entries)[MUST]["said"] == [["西湖", 1], ["灵隐寺", 1]]

    def test_words_do_not_join_over_two_messages(self):
        assert evidence_by_path(self.OWN, None, chat_message("User1", "西"), chat_message("User1", "湖"))[
            MUST
        ]["said"][0] == [
            "西湖",
            None,
        ]

    @pytest.mark.parametrize("odd", [3, None, [3], float("nan"), 9**99])
    def test_what_is_no_name_is_never_heard(self, odd):
        entry = evidence_by_path(table(sights={"must_visit": [odd]}), None, chat_message("User1", "3个"))[
            MUST
        ]
        assert [at for _, at in entry["said"]] == [None]


BEIJING, CHENGDU = "北京市", "成都市"


def cities(**fields: Json) -> Json:
    """A table with fields of 北京市 and 成都市."""
    by_city = {"beijing": BEIJING, "chengdu": CHENGDU}
    return {
        "global_constraints": {},
        "city_specific_preferences": {by_city[name]: held for name, held in fields.items()},
    }


def wish_status(own: Json, text: str, wish: Any, end: str) -> str:
    """Whether User1's only message says a wish of the field whose path ends so, mentions it, or neither."""
    entry = next(
        e
        for path, e in evidence_by_path(own, None, chat_message("User1", text)).items()
        if path.endswith(end)
    )
    if [wish, 0] in entry["said"]:
        return "said"
    return "mentioned" if [wish, 0] in entry["mentioned"] else ""


class TestWhatIsMeant:
    @pytest.mark.parametrize(
        ("tier", "text", "how"),
        [
            ("must_eat", "火锅我一定要吃", "said"),
            ("must_eat", "火锅、烤鸭，都是我想吃的", "said"),
            ("must_eat", "没有火锅不行", "said"),
            ("must_eat", "不能错过火锅", "said"),
            ("must_eat", "We can't miss hotpot (火锅)", "said"),
            ("must_eat", "I'm not leaving without hotpot (火锅)", "said"),
            ("must_eat", "火锅我坚决不吃", ""),
            ("must_eat", "I don't want 火锅", ""),
            ("must_eat", "火锅贵吗？", "mentioned"),
            ("must_eat", "能不能吃火锅", "mentioned"),
            ("reject_eat", "火锅和烤鸭我都想吃", ""),
            ("reject_eat", "烤鸭一定要吃，火锅打死也不吃", "said"),
            ("reject_eat", "I'm not that interested in hotpot (火锅)", "said"),
            ("reject_eat", "除了火锅我都能吃", "mentioned"),
            ("reject_eat", "我喜欢火锅不喜欢烤鸭", "mentioned"),
            ("avoid_eat", "火锅能避就避吧", "said"),
            ("avoid_eat", "尽量别安排火锅", "said"),
        ],
    )  # fmt: skip
    def test_for_or_against(self, tier, text, how):
        assert wish_status(table(food={tier: ["火锅"]}), text, "火锅", tier) == how

    @pytest.mark.parametrize(
        ("text", "how"),
        [
            ("User2想去故宫，我不关心", ""),
            ("User2 wants to see 故宫", ""),
            ("我同意User2，故宫一定要去", "said"),
            ("我和User2都想去故宫", "said"),
            ("故宫一定要跟User2一起去", "said"),
            ("@User2 故宫一定要去", "said"),
            ("User2说，故宫一定要去", "mentioned"),
        ],
    )
    def test_whose_wish_it_is(self, text, how):
        assert wish_status(table(sights={"must_visit": ["故宫"]}), text, "故宫", "must_visit") == how

    @pytest.mark.parametrize(
        ("text", "beijing", "chengdu"),
        [
            ("在成都我想吃火锅", "", "said"),
            ("先去成都。火锅我想吃", "", "said"),
            ("火锅我想吃", "mentioned", "mentioned"),
            ("在成都我想逛锦里，到了北京想吃火锅", "said", ""),
            ("In Beijing I want hotpot (火锅)", "said", ""),
        ],
    )
    def test_for_which_city(self, text, beijing, chengdu):
        own = cities(beijing={"food": {"must_eat": ["火锅"]}}, chengdu={"food": {"must_eat": ["火锅"]}})
        given = record(
            {}, {"User1": own}, plan_generated=False, query="Beijing (北京市) and Chengdu (成都市)"
        )
        given["conversation_history"] = [chat_message("User1", text)]
        entries = score_record(given, Catalogue({}))["evidence"]["completeness"]["users"]["User1"]
        found = ["said" if e["said"][0][1] == 0 else "mentioned" if e["mentioned"] else "" for e in entries]
        assert found == [beijing, chengdu]

    def test_a_city_in_the_name_of_a_dish_is_none(self):
        own = cities(
            beijing={"food": {"must_eat": ["炸酱面"]}}, chengdu={"food": {"must_eat": ["北京烤鸭", "兔头"]}}
        )
        assert wish_status(own, "北京烤鸭和兔头我都想吃", "兔头", "成都市.food.must_eat") == "said"

    def test_what_another_city_is_spoken_of_before_is_not_certain(self):
        own = cities(
            beijing={"food": {"must_eat": ["烤鸭"]}, "attractions": {"must_visit": ["故宫"]}}, chengdu={}
        )
        assert wish_status(own, "到了成都想歇歇。烤鸭我想吃", "烤鸭", "must_eat") == "mentioned"
        assert wish_status(own, "到了成都想歇歇。故宫我想去", "故宫", "must_visit") == "said"

    def test_a_part_of_another_wish_is_not_said(self):
        own = table(food={"must_eat": ["牛肉火锅"], "prefer_eat": ["火锅"]})
        assert wish_status(own, "牛肉火锅我想吃", "火锅", "prefer_eat") == ""
        assert wish_status(own, "牛肉火锅我想吃，火锅我也想吃", "火锅", "prefer_eat") == "said"

    def test_the_message_with_the_tone_of_the_tier_is_cited(self):
        own = table(sights={"must_visit": ["西湖"]})
        talk = (
            chat_message("User1", "西湖要门票吗"),
            chat_message("User1", "我想去西湖"),
            chat_message("User1", "西湖必须去"),
        )
        assert evidence_by_path(own, None, *talk)[MUST]["said"] == [["西湖", 2]]

    def test_the_message_that_names_the_city_is_cited(self):
        talk = chat_message("User1", "西湖一定要去"), chat_message("User1", "在杭州西湖一定要去")
        assert evidence_by_path(table(sights={"must_visit": ["西湖"]}), None, *talk)[MUST]["said"] == [
            ["西湖", 1]
        ]

    def test_what_is_said_is_not_mentioned_besides(self):
        talk = chat_message("User1", "西湖要门票吗"), chat_message("User1", "我想去西湖")
        assert evidence_by_path(table(sights={"must_visit": ["西湖"]}), None, *talk)[MUST]["mentioned"] == []


class TestLimits:
    @pytest.mark.parametrize(
        ("cap", "text", "how"),
        [
            (2300, "人均不超过2300元", "said"),
            (2300, "My budget is 2,300 yuan", "said"),
            (2300, "预算2.3千", "said"),
            (2300, "预算两千三", "said"),
            (2300, "I can spend 2.3k", "said"),
            (2300, "2,300 yuan", "mentioned"),
            (2300, "2300", ""),
            (2300, "预算12300", ""),
            (2300, "预算23000", ""),
            (2300, "预算2300.5", ""),
            (5000, "预算3000-5000", "said"),
            (2000, "我是2000年出生的", ""),
            (2000, "我是2000年出生的，预算不多", ""),
            (5000, "预算1万5千", ""),
            (15000, "预算1万5千", "said"),
            (15000, "预算1万5", "said"),
            (3000, "User2说3000太少了，我觉得不够", ""),
            (3000, "User2说他的预算是3000元", ""),
            (3000, "I can spend three thousand", "said"),
        ],
    )
    def test_a_budget(self, cap, text, how):
        assert wish_status(table(avg_budget=cap), text, cap, "avg_budget") == how

    @pytest.mark.parametrize(
        ("cap", "text", "how"),
        [
            (3, "一天最多三个景点", "said"),
            (3, "每天逛的景点控制在3个以内", "said"),
            (3, "No more than 3 sights a day for me", "said"),
            (3, "three sights a day", "said"),
            (3, "每天最多3个", "mentioned"),
            (3, "最多三个景点", "mentioned"),
            (3, "最多3个", ""),
            (3, "3天", ""),
            (3, "我们带3个孩子", ""),
            (3, "我们每天带3个孩子", ""),
            (2, "我一天能逛十二个景点", ""),
            (12, "我一天能逛十二个景点", "said"),
            (10, "我去过二十个景点", ""),
            (20, "我去过二十个景点", ""),
        ],
    )
    def test_sights_a_day(self, cap, text, how):
        assert wish_status(table(intensity={"max_poi_per_day": cap}), text, cap, "max_poi_per_day") == how

    @pytest.mark.parametrize(
        ("cap", "text", "how"),
        [
            (8, "每天活动时间不能超过8小时", "said"),
            (8, "一天玩八个小时就够了", "said"),
            (8, "I can be out for 8 hours a day", "said"),
            (8, "每天不能超过8小时", "mentioned"),
            (8, "我每天要睡够8小时", ""),
            (6, "我讨厌6小时的火车", ""),
            (8, "8小时", ""),
        ],
    )
    def test_hours_a_day(self, cap, text, how):
        assert wish_status(table(intensity={"max_active_hours": cap}), text, cap, "max_active_hours") == how


SIGHTSEEING = table(sights={"must_visit": ["西湖"]})
RIDES = table(transport={"must": ["高铁"]})
MEALS = table(food={"must_eat": ["烤鸭"]})
NIGHTS = table(hotel_preference={"prefer": ["民宿"]})
MONEY = table(avg_budget=2000)
PACE = table(intensity={"max_poi_per_day": 2})


def asked_at(own: Json, *messages: Json) -> int | None:
    (entry,) = evidence_by_path(own, None, *messages).values()
    found: int | None = entry["asked"]
    return found


class TestWhoAsked:
    @pytest.mark.parametrize(
        ("own", "text"),
        [
            (SIGHTSEEING, "大家想去哪些景点？"),
            (SIGHTSEEING, "Which sights do you want to see?"),
            (SIGHTSEEING, "@User1 杭州有什么必去的？"),
            (SIGHTSEEING, "@User1 好的，记下了。还有什么必去的景点？"),
            (SIGHTSEEING, "必去的景点有哪些？@User1"),
            (MONEY, "请告诉我你们的预算。"),
            (MONEY, "Tell me your budget."),
            (MONEY, "请说说：\n1. 酒店\n2. 预算\n"),
            (MONEY, '```json\n{"days": []}\n```\n这样预算够吗？'),
            (NIGHTS, "Where would you like to sleep? Any lodging wishes?"),
            (PACE, "How many stops would you like each day, and how early do you get up?"),
        ],
    )
    def test_a_question_about_it(self, own, text):
        assert asked_at(own, chat_message("Agent", "大家好"), chat_message("Agent", text)) == 1

    @pytest.mark.parametrize(
        ("own", "text"),
        [
            (MONEY, "@User10 你的预算是多少？"),
            (MONEY, "@User2 你的预算是多少？"),
            (MONEY, "@User2 好的。预算是多少？"),
            (MONEY, "预算已经记下了。"),
            (MONEY, "@User1 你想去哪些景点？@User2 你的预算是多少？"),
            (SIGHTSEEING, "That seems fine. What is your budget?"),
            (SIGHTSEEING, "请问你们的出发地方是上海吗？"),
            (RIDES, "I was trained to help. Please wait a moment."),
            (RIDES, "I was trained to help. Shall we begin?"),
            (MEALS, "真让人吃惊！你们的预算是多少？"),
            (NIGHTS, "I booked the hotel for you, please be patient."),
        ],
    )
    def test_no_question_about_it(self, own, text):
        assert asked_at(own, chat_message("Agent", text)) is None

    def test_only_an_addressed_question_of_a_traveller_counts(self):
        assert asked_at(MONEY, chat_message("User2", "我的预算是3000，可以吗？")) is None
        assert asked_at(MONEY, chat_message("User2", "@User1 我的预算是3000，可以吗？")) is None
        assert asked_at(MONEY, chat_message("User2", "预算多少？")) is None
        assert asked_at(MONEY, chat_message("User2", "@User1 你的预算多少？")) == 0
        assert asked_at(MONEY, chat_message("User1", "@User1 预算多少？")) is None

    def test_a_question_about_another_city_asks_nothing_of_this(self):
        own = cities(
            beijing={"attractions": {"must_visit": ["故宫"]}}, chengdu={"food": {"must_eat": ["火锅"]}}
        )
        talk = chat_message("Agent", "成都想去哪些景点？"), chat_message("Agent", "北京有什么必去的景点？")
        found = evidence_by_path(own, None, *talk)
        assert [e["asked"] for e in found.values()] == [1, None]

    def test_nobody_asked_when_nobody_spoke(self):
        assert asked_at(SIGHTSEEING) is None

    def test_a_note_to_oneself_is_no_question(self):
        assert asked_at(SIGHTSEEING, chat_message("Agent", "想去哪些景点？", has_tool_calls=True)) is None

    def test_asked_is_not_looked_for_when_all_was_said(self):
        assert (
            asked_at(SIGHTSEEING, chat_message("Agent", "想去哪些景点？"), chat_message("User1", "想去西湖"))
            is None
        )


class TestTiers:
    def test_an_item_in_the_wrong_tier(self):
        wrong = evidence_by_path(
            table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["西湖"]})
        )
        assert (wrong[MUST]["missed"], wrong[MUST]["wrong_tier"]) == (["西湖"], [["西湖", REJECT]])

    def test_an_item_that_is_missed_altogether(self):
        missed = evidence_by_path(
            table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["灵隐寺"]})
        )
        assert missed[MUST]["wrong_tier"] == []

    def test_what_the_agent_alone_filled_does_not_count(self):
        fields = evidence_by_path(
            table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["灵隐寺"]})
        )
        assert (fields[REJECT]["invented"], fields[REJECT]["counted"]) == (["灵隐寺"], False)
        assert fields[MUST]["counted"]


class TestCompromises:
    BEFORE, AFTER = table(avg_budget=2000), table(avg_budget=3000)

    def entry(self, believed: int, *, applied: bool = True) -> Json:
        log = [{"round": 3, "user": "User1", "field_path": BUDGET, "new_value": 3000, "applied": applied}]
        return evidence_by_path(self.AFTER, table(avg_budget=believed), before=self.BEFORE, log=log)[BUDGET]

    def test_a_belief_from_before_a_compromise_is_stale(self):
        assert (self.entry(2000)["stale"], self.entry(2000)["compromise"]) == ([2000], 0)

    def test_another_wrong_belief_is_not(self):
        assert self.entry(1000)["stale"] == [] and self.entry(1000)["invented"] == [1000]
        assert self.entry(3000)["stale"] == []
        assert self.entry(2000, applied=False)["stale"] == []

    def test_items_of_a_list(self):
        before, after = table(sights={"must_visit": ["西湖", "a"]}), table(sights={"must_visit": ["西湖"]})
        log = [{"user": "User1", "field_path": MUST, "applied": True}]
        entry = evidence_by_path(
            after, table(sights={"must_visit": ["西湖", "a", "b"]}), before=before, log=log
        )[MUST]
        assert (entry["invented"], entry["stale"]) == (["a", "b"], ["a"])

    def test_what_is_given_up_altogether(self):
        before, after = table(sights={"must_visit": ["西湖"]}), table()
        log = [{"user": "User1", "field_path": MUST, "new_value": [], "applied": True}]
        entry = evidence_by_path(after, before, before=before, log=log)[MUST]
        assert (entry["stale"], entry["compromise"], entry["counted"]) == (["西湖"], 0, False)

    @pytest.mark.parametrize(("believed", "stale"), [(2000, [2000]), (3000, [3000]), (2500, []), (4000, [])])
    def test_all_former_values_count(self, believed, stale):
        log = [
            {"user": "User1", "field_path": BUDGET, "new_value": 3000, "applied": True},
            {"user": "User1", "field_path": BUDGET, "new_value": 3500, "applied": False},
            {"user": "User1", "field_path": BUDGET, "new_value": 4000, "applied": True},
        ]
        entry = evidence_by_path(
            table(avg_budget=4000), table(avg_budget=believed), before=table(avg_budget=2000), log=log
        )
        assert (entry[BUDGET]["stale"], entry[BUDGET]["compromise"]) == (stale, 2)

    def test_a_group_of_fields(self):
        before = table(transport={"reject": ["飞机"], "must": ["高铁"], "avoid": ["自驾"]})
        new = {"reject": ["火车"], "must": ["高铁"]}
        log = [
            {"user": "User1", "field_path": "global_constraints.transport", "new_value": new, "applied": True}
        ]
        found = evidence_by_path(table(transport=new), before, before=before, log=log)
        stale = {
            path.rpartition(".")[2]: (entry["stale"], entry["compromise"]) for path, entry in found.items()
        }
        assert stale == {"must": ([], 0), "reject": (["飞机"], 0), "avoid": (["自驾"], 0)}

    def test_a_field_of_its_own_after_its_group(self):
        path, log = "global_constraints.transport", []
        for at, value in ((path, {"must": ["飞机"]}), (f"{path}.must", ["火车"])):
            log.append({"user": "User1", "field_path": at, "new_value": value, "applied": True})
        believed = table(transport={"must": ["高铁", "飞机", "自驾"]})
        found = evidence_by_path(
            table(transport={"must": ["火车"]}), believed, before=table(transport={"must": ["高铁"]}), log=log
        )
        assert found[f"{path}.must"]["stale"] == ["高铁", "飞机"]


class TestFairness:
    PLACES = place("西湖", "自然风光"), place("面馆", "川菜", "food")

    def test_who_is_worst_off_and_what_costs_them(self):
        trip = one_day(sight("西湖"))
        tables = {
            "User1": table(sights={"must_visit": ["西湖"]}),
            "User2": table(sights={"reject_visit": ["西湖"], "must_visit": ["灵隐寺"]}),
        }
        fair = score(trip, *self.PLACES, tables=tables)["evidence"]["fairness"]
        assert (fair["least"], fair["most"], fair["low"], fair["high"]) == (["User2"], ["User1"], -2, 2)
        assert [(p["item"], p["points"], p["day"], p["activity"]) for p in fair["costs"]] == [
            ("西湖", -2, 1, 0)
        ]
        assert [(w["user"], w["item"], w["points"]) for w in fair["unmet"]] == [("User2", "灵隐寺", 2)]

    def account(self, trip: Json, own: Json, other: Json, *places: Json) -> list[tuple[Any, ...]]:
        """Of what User1 is lacking: the item, why, where, and as which item it counted."""
        tables = {"User1": own, "User2": other}
        fair = score(trip, *self.PLACES, *places, tables=tables)["evidence"]["fairness"]
        assert fair["least"] == ["User1"]
        return [(w["item"], w["reason"], w["place"], w["by"] and w["by"]["item"]) for w in fair["unmet"]]

    HAPPY = table(sights={"must_visit": ["西", "湖", "西湖"]}, food={"must_eat": ["面", "馆", "面馆"]})

    def test_what_is_not_in_the_plan(self):
        own = table(sights={"must_visit": ["灵隐寺"]}, transport={"must": ["飞机"]})
        assert self.account(one_day(sight("西湖")), own, self.HAPPY) == [
            ("飞机", "absent", "", None),
            ("灵隐寺", "absent", "", None),
        ]

    def test_what_another_preference_counted(self):
        own = table(
            sights={"must_visit": ["西湖"], "category_pref": {"positive": ["自然风光"]}},
            food={"must_eat": ["面馆"], "prefer_eat": ["川菜"]},
            transport={"must": ["高铁"], "prefer": ["高铁"]},
        )
        happy = self.HAPPY | {"global_constraints": {"transport": {"must": ["高铁"]}}}
        trip = plan(day(leg("上海市", CITY), block(sight("西湖"), meal("面馆"))))
        assert self.account(trip, own, happy) == [
            ("高铁", "counted", "上海市 → 杭州市", "高铁"),
            ("自然风光", "counted", "西湖", "西湖"),
            ("川菜", "counted", "面馆", "面馆"),
        ]

    def test_a_name_counts_once_and_a_later_visit_counts_by_it(self):
        own = table(sights={"must_visit": ["西湖"], "category_pref": {"positive": ["公园"]}})
        trip = one_day(sight("西湖"), sight("西湖北岸", "11:00", "12:00"))
        assert self.account(trip, own, self.HAPPY, place("西湖北岸", "公园")) == [
            ("公园", "counted", "西湖北岸", "西湖")
        ]

    def test_what_an_overlap_leaves_out(self):
        own = table(sights={"must_visit": ["灵隐寺"], "category_pref": {"positive": ["自然风光"]}})
        trip = one_day(sight("西湖"), sight("灵隐寺", "09:30", "10:30"), meal("面馆"))
        assert self.account(trip, own, self.HAPPY) == [
            ("灵隐寺", "overlap", "灵隐寺", None),
            ("自然风光", "overlap", "西湖", None),
        ]

    def test_where_they_do_not_go(self):
        own = table(sights={"must_visit": ["西湖"]})
        trip = one_day(sight("西湖", who=("User2",)))
        assert self.account(trip, own, self.HAPPY) == [("西湖", "apart", "西湖", None)]

    def test_what_the_catalogue_does_not_know(self):
        own = table(food={"must_eat": ["火锅"]})
        trip = one_day(sight("西湖"), meal("老火锅"))
        assert self.account(trip, own, self.HAPPY) == [("火锅", "unknown", "老火锅", None)]

    def test_nobody_is_worst_off_when_all_score_alike(self):
        fair = score(one_day(sight("西湖")), *self.PLACES)["evidence"]["fairness"]
        assert (fair["least"], fair["most"], fair["costs"], fair["unmet"]) == ([], [], [], [])


class TestIssues:
    def test_an_issue_names_participants_and_what_would_mend_it(self):
        trip = one_day(sight("西湖", "10:00", "09:00", ("User2",)))
        (issue,) = score(trip, tables={"User1": table(), "User2": table()})["evidence"]["validity"]
        assert (issue["users"], issue["participants"]) == ([], ["User2"])
        assert issue["mend"] == "Let it end after 10:00."

    def test_an_issue_of_the_whole_day_concerns_everybody(self):
        trip = {"days": [*one_day(rest())["days"], {**one_day(rest())["days"][0], "day": 2}]}
        (issue,) = score(trip, tables={"User1": table(), "User2": table()})["evidence"]["validity"]
        assert (issue["type"], issue["participants"]) == ("missing_hotel", ["User1", "User2"])


RICH = record(
    one_day(sight("西湖", "9点"), ride("x", "y"), meal("面馆", avg_cost=None), hotel()),
    {
        "User1": table(sights={"must_visit": ["西湖"]}, food={"must_eat": ["川菜"]}, avg_budget=5),
        "User2": table(sights={"reject_visit": ["西湖"]}),
    },
)
CATALOGUE = Catalogue({CITY: [place("西湖", "公园"), place("面馆", "川菜", "food")]})


def evidence(of: Json, profile: str = "published") -> Json:
    found: Json = score_record(of, CATALOGUE, profile)["evidence"]
    return found


class TestDigest:
    def test_the_same_record_has_the_same_digest(self):
        assert evidence_digest(evidence(RICH)) == evidence_digest(evidence(copy.deepcopy(RICH)))
        stored = json.loads(json.dumps(evidence(RICH), ensure_ascii=False))
        assert evidence_digest(stored) == evidence_digest(evidence(RICH))

    def test_the_order_of_keys_means_nothing(self):
        turned = dict(reversed(evidence(RICH).items()))
        assert evidence_digest(turned) == evidence_digest(evidence(RICH))

    def test_another_cost_has_another_digest(self):
        assert evidence_digest(evidence(RICH)) != evidence_digest(evidence(RICH | {"plan_generated": False}))

    @pytest.mark.parametrize("odd", ["\ud800", 9**99, float("nan")])
    def test_whatever_a_record_may_hold_has_one(self, odd):
        assert len(evidence_digest({"x": odd})) == 64


class TestDifferences:
    def test_the_same_has_none(self):
        assert differences(evidence(RICH), evidence(copy.deepcopy(RICH))) == []

    def test_what_only_the_paper_finds(self):
        more = differences(evidence(RICH), evidence(RICH, "paper"))
        assert {d.part for d in more} == {"not_checkable"}
        assert all(d.first is None for d in more)
        assert {(d.second["type"], d.second["reason"]) for d in more} == {
            ("cost_mismatch", "no_results"),
            ("infeasible_transport", "no_results"),
            ("missing_required_leg", "no_departure_city"),
        }

    def test_a_point_that_is_lost(self):
        poorer = copy.deepcopy(RICH)
        del poorer["effective_preferences"]["User1"]["preference"]["global_constraints"]["avg_budget"]
        (lost,) = [d for d in differences(evidence(RICH), evidence(poorer)) if d.part == "utility"]
        assert (lost.where[:2], lost.first["points"], lost.second) == (("User1", BUDGET), -2, None)

    def test_a_belief_that_changes(self):
        wiser = RICH | {"agent_preference_table": {"User1": table(avg_budget=5)}}
        found = [d for d in differences(evidence(RICH), evidence(wiser)) if d.part == "completeness"]
        assert ("User1", BUDGET) in [d.where for d in found]
        assert ("recall",) in [d.where for d in found]

    def test_a_crashed_session_has_nothing(self):
        gone = differences(evidence(RICH), {})
        assert gone and all(d.second is None for d in gone)
        assert differences({}, {}) == []

    @settings(max_examples=examples(40))
    @given(st.data())
    def test_none_exactly_when_the_digests_agree(self, data):
        first, second = evidence(RICH), evidence(RICH, data.draw(st.sampled_from(["published", "paper"])))
        part = data.draw(st.sampled_from(["utility", "validity", "splits"]))
        if second[part] and data.draw(st.booleans()):
            second[part].pop(data.draw(st.integers(0, len(second[part]) - 1)))
        assert (differences(first, second) == []) is (evidence_digest(first) == evidence_digest(second))


def test_figures_alone_are_those_of_the_score():
    whole = score_record(RICH, CATALOGUE)
    assert figures_of(RICH, CATALOGUE) == {key: value for key, value in whole.items() if key != "evidence"}


@pytest.mark.parametrize("odd", [None, 3, "x", [3], [{"type": "message", "role": 3}], {"a": 1}])
@pytest.mark.parametrize("field", ["conversation_history", "compromise_log", "original_preferences", "query"])
def test_odd_records_never_raise(field, odd):
    for profile in ("published", "paper"):
        score_record(RICH | {field: odd}, CATALOGUE, profile)
