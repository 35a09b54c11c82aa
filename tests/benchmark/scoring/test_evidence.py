"""What stands behind each figure."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.scoring import Catalogue, differences, evidence_digest, figures_of, score_record
from tests.benchmark.scoring.build import (
    CITY,
    Json,
    hotel,
    meal,
    one_day,
    place,
    record,
    rest,
    ride,
    score,
    sight,
    table,
)

MUST = f"city_specific_preferences.{CITY}.attractions.must_visit"
REJECT = f"city_specific_preferences.{CITY}.attractions.reject_visit"
BUDGET = "global_constraints.avg_budget"
SIGHTS = "global_constraints.intensity.max_poi_per_day"


def said(role: str, content: str, **more: Any) -> Json:
    return {"type": "message", "role": role, "content": content, **more}


def known(
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
        talk = said("User2", "西湖"), said("User1", "想去西湖"), said("User1", "西湖！")
        assert known(self.OWN, None, *talk)[MUST]["said"] == [["西湖", 1], ["灵隐寺", None]]

    def test_the_index_counts_tool_entries_too(self):
        entries = {"type": "tool_call", "name": "x", "arguments": {}}, said("User1", "灵隐寺和西湖")
        assert known(self.OWN, None, *entries)[MUST]["said"] == [["西湖", 1], ["灵隐寺", 1]]

    def test_words_do_not_join_over_two_messages(self):
        assert known(self.OWN, None, said("User1", "西"), said("User1", "湖"))[MUST]["said"][0] == [
            "西湖",
            None,
        ]

    @pytest.mark.parametrize(
        ("text", "heard"),
        [
            ("人均不超过2300元", True), ("2,300 yuan", True), ("2300.0", True), ("2.3千", True), ("12300", False),
            ("23000", False), ("2300.5", False),
        ],
    )  # fmt: skip
    def test_a_budget_in_figures(self, text, heard):
        entry = known(table(avg_budget=2300), None, said("User1", text))[BUDGET]
        assert (entry["said"] == [[2300, 0]]) is heard

    @pytest.mark.parametrize(
        ("text", "heard"),
        [("最多3个", True), ("三个景点", True), ("at most 3 sights", True), ("3天", False), ("13个", False)],
    )
    def test_a_small_number_needs_its_unit(self, text, heard):
        entry = known(table(intensity={"max_poi_per_day": 3}), None, said("User1", text))[SIGHTS]
        assert (entry["said"] == [[3, 0]]) is heard

    @pytest.mark.parametrize("odd", [3, None, [3], float("nan"), 9**99])
    def test_what_is_no_name_is_never_heard(self, odd):
        entry = known(table(sights={"must_visit": [odd]}), None, said("User1", "3个"))[MUST]
        assert [at for _, at in entry["said"]] == [None]

    def test_what_nobody_asked(self):
        assert known(self.OWN)[MUST]["asked"] is None
        chat = said("Agent", "大家好"), said("Agent", "@User2 想去哪些景点？")
        assert known(self.OWN, None, *chat)[MUST]["asked"] is None

    def test_what_was_asked_and_not_said(self):
        chat = said("Agent", "预算多少？"), said("Agent", "@User1 想去哪些景点？")
        assert known(self.OWN, None, *chat)[MUST]["asked"] == 1
        assert known(self.OWN, None, said("Agent", "Which sights do you want to see?"))[MUST]["asked"] == 0

    def test_a_note_to_oneself_is_no_question(self):
        note = said("Agent", "想去哪些景点？", has_tool_calls=True)
        assert known(self.OWN, None, note)[MUST]["asked"] is None

    def test_asked_is_not_looked_for_when_all_was_said(self):
        chat = said("Agent", "想去哪些景点？"), said("User1", "西湖、灵隐寺")
        assert known(self.OWN, None, *chat)[MUST]["asked"] is None


class TestTiers:
    def test_an_item_in_the_wrong_tier(self):
        wrong = known(table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["西湖"]}))
        assert (wrong[MUST]["missed"], wrong[MUST]["wrong_tier"]) == (["西湖"], [["西湖", REJECT]])

    def test_an_item_that_is_missed_altogether(self):
        missed = known(table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["灵隐寺"]}))
        assert missed[MUST]["wrong_tier"] == []

    def test_what_the_agent_alone_filled_does_not_count(self):
        fields = known(table(sights={"must_visit": ["西湖"]}), table(sights={"reject_visit": ["灵隐寺"]}))
        assert (fields[REJECT]["invented"], fields[REJECT]["counted"]) == (["灵隐寺"], False)
        assert fields[MUST]["counted"]


class TestCompromises:
    BEFORE, AFTER = table(avg_budget=2000), table(avg_budget=3000)

    def entry(self, believed: int, *, applied: bool = True) -> Json:
        log = [{"round": 3, "user": "User1", "field_path": BUDGET, "new_value": 3000, "applied": applied}]
        return known(self.AFTER, table(avg_budget=believed), before=self.BEFORE, log=log)[BUDGET]

    def test_a_belief_from_before_a_compromise_is_stale(self):
        assert (self.entry(2000)["stale"], self.entry(2000)["compromise"]) == ([2000], 0)

    def test_another_wrong_belief_is_not(self):
        assert self.entry(1000)["stale"] == [] and self.entry(1000)["invented"] == [1000]
        assert self.entry(3000)["stale"] == []
        assert self.entry(2000, applied=False)["stale"] == []

    def test_items_of_a_list(self):
        before, after = table(sights={"must_visit": ["西湖", "a"]}), table(sights={"must_visit": ["西湖"]})
        log = [{"user": "User1", "field_path": MUST, "applied": True}]
        entry = known(after, table(sights={"must_visit": ["西湖", "a", "b"]}), before=before, log=log)[MUST]
        assert (entry["invented"], entry["stale"]) == (["a", "b"], ["a"])


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
        assert all(d.first is None and d.second["reason"] == "no_results" for d in more)

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

    @settings(max_examples=40, deadline=None)
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
