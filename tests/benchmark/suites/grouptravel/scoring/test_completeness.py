"""How much of the tables the agent came to know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.scoring import Catalogue, completeness, score_record
from tests.benchmark.suites.grouptravel.scoring.build import CITY, record, table

NO_PLACES = Catalogue({})


def recall(reference, inferred):
    return completeness({"User1": reference}, {"User1": inferred}).recall


def musts(*items, city=CITY):
    return table(city, food={"must_eat": list(items)})


def test_a_list_counts_its_items():
    assert recall(musts("面", "粥"), musts("粥", "饭")) == 0.5


def test_items_match_exactly():
    assert recall(musts("面馆"), musts("面馆 ")) == 0


@pytest.mark.parametrize(("said", "share"), [(3000, 1), (3000.0, 1), ("3000", 0), (3001, 0), (None, 0)])
def test_a_scalar_counts_one_and_is_never_coerced(said, share):
    assert recall(table(avg_budget=3000), table(avg_budget=said)) == share


def test_all_three_scalars_count():
    full = table(avg_budget=3000, intensity={"max_poi_per_day": 2, "max_active_hours": 8})
    assert completeness({"User1": full}, {}).per_user() == {"User1": [0, 3]}


def test_empty_reference_fields_do_not_count():
    assert completeness({"User1": table(avg_budget=0, transport={"must": []})}, {}).per_user() == {
        "User1": [0, 0]
    }


def test_nothing_possible_is_complete():
    nothing = completeness({"User1": table()}, {"User1": musts("面")})
    assert (nothing.recall, nothing.precision) == (1.0, 1.0)


def test_cities_must_be_equal():
    assert recall(musts("面"), musts("面", city="杭州")) == 0


def test_users_are_pooled():
    both = completeness({"User1": musts("a", "b", "c"), "User2": musts("d")}, {"User1": musts("a")})
    assert both.recall == 0.25
    assert both.per_user() == {"User1": [1, 3], "User2": [0, 1]}


def test_extra_items_cost_precision_only():
    found = completeness({"User1": musts("a", "b")}, {"User1": musts("a", "x", "y")})
    assert (found.recall, found.precision, found.f1) == (0.5, pytest.approx(1 / 3), pytest.approx(0.4))


def test_precision_looks_only_at_fields_that_the_reference_fills():
    assert (
        completeness({"User1": musts("a")}, {"User1": {**musts("a"), **table(avg_budget=5)}}).precision == 0
    )
    said = table(food={"must_eat": ["a"], "avoid_eat": ["b"]}, avg_budget=5)
    assert completeness({"User1": musts("a")}, {"User1": said}).precision == 1


def test_an_absent_scalar_is_one_wrong_item():
    reference = table(food={"must_eat": ["a"]}, avg_budget=5)
    assert completeness({"User1": reference}, {"User1": musts("a")}).precision == 0.5


def completeness_of(wanted, believed):
    tables = ({"User1": table(food={"must_eat": held})} for held in (wanted, believed))
    return completeness(*tables).per_user()["User1"]


def test_a_reference_text_acts_as_its_characters():
    assert completeness_of("面饭", ["饭"]) == [1, 2]
    assert completeness_of("面饭", "饭面") == [2, 2]


def test_a_text_of_the_agent_is_searched():
    assert completeness_of(["面饭", "饭", "粥"], "米饭、面饭") == [2, 3]
    assert completeness_of([3, "3"], "3") == [1, 2]


def test_an_object_acts_as_its_keys():
    assert completeness_of({"面": 1, "饭": 2}, ["饭"]) == [1, 2]
    assert completeness_of(["面"], {"面": 0}) == [1, 1]


@given(st.lists(st.text("面饭粥", max_size=3), min_size=1), st.text("面饭粥", max_size=5))
def test_every_item_that_is_part_of_a_text_is_found_in_it(wanted, said):
    assert completeness_of(wanted, said) == [sum(bool(said) and item in said for item in wanted), len(wanted)]


@pytest.mark.parametrize("said", [{}, {"User1": {"global_constraints": {"avg_budget": [2]}}}])
def test_a_list_in_a_scalars_place_counts_once(said):
    reference = {"User1": {"global_constraints": {"avg_budget": [1, 2, 3]}}}
    assert completeness(reference, said).per_user() == {"User1": [0, 1]}
    assert completeness(reference, reference).per_user() == {"User1": [1, 1]}


def test_evidence_shows_found_missed_and_invented():
    (field,) = completeness({"User1": musts("a", "b")}, {"User1": musts("b", "c")}).users["User1"].fields
    path = f"city_specific_preferences.{CITY}.food.must_eat"
    assert field[1:] == (CITY, path, ["a", "b"], ["b"], ["a"], ["c"])


@pytest.mark.parametrize("inferred", [None, [], "x", {"User1": None}, {"User1": {"global_constraints": 3}}])
def test_an_unreadable_table_of_the_agent_knows_nothing(inferred):
    assert completeness({"User1": musts("a")}, inferred).recall == 0


class TestRecords:
    TRIP = {"days": [{"day": 1, "city_segments": [{"city": CITY, "activities": []}]}]}
    NONE = ("pc", "gu", "gu_total", "gf", "pv", "pv_issue_counts")

    def test_the_agents_table_has_no_preference_level(self):
        said = record(self.TRIP, {"User1": musts("a")}, agent_preference_table={"User1": musts("a")})
        assert score_record(said, NO_PLACES)["pc"] == 1
        nested = record(
            self.TRIP, {"User1": musts("a")}, agent_preference_table={"User1": {"preference": musts("a")}}
        )
        assert score_record(nested, NO_PLACES)["pc"] == 0

    def test_it_is_not_rounded(self):
        said = record(
            self.TRIP, {"User1": musts("a", "b", "c")}, agent_preference_table={"User1": musts("a")}
        )
        assert score_record(said, NO_PLACES)["pc"] == 1 / 3

    @pytest.mark.parametrize(
        "broken", [{"success": False}, {"effective_preferences": {}}, {"effective_preferences": None}]
    )
    def test_no_figures_at_all(self, broken):
        found = score_record(record(self.TRIP) | broken, NO_PLACES)
        assert found == {"task_id": "t", "trial_id": 0, **dict.fromkeys(self.NONE), "evidence": {}}

    @pytest.mark.parametrize("broken", [{"plan_generated": False}, {"conversation_history": []}])
    def test_without_a_plan_only_pc(self, broken):
        found = score_record(record(self.TRIP) | broken, NO_PLACES)
        assert found.pop("evidence")["completeness"]["recall"] == 1.0
        assert found == {
            "task_id": "t",
            "trial_id": 0,
            **dict.fromkeys(self.NONE),
            "pc": 1.0,
            "per_user_completeness": {"User1": [0, 0]},
        }

    def test_unknown_profile(self):
        with pytest.raises(KeyError):
            score_record(record(self.TRIP), NO_PLACES, "mine")
