"""Archetypes, profiles, casts, quotas and skeletons."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.casting import Casting, NobodyFits
from benchmark.suites.grouptravel.synthesis.difficulty import DAYS_BY_CITIES, QUOTA
from benchmark.suites.grouptravel.synthesis.profiles import BadProfiles, Profile, pool, read_profiles
from benchmark.suites.grouptravel.synthesis.quotas import PAPER_COUNT, slots
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.synthesis.skeletons import (
    Window,
    draw_skeleton,
    skeleton_of,
)
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES
from tests.properties import examples


def test_the_plans_give_the_papers_number_of_tables() -> None:
    strategies = Counter[str]()
    for archetype in ARCHETYPES.values():
        for member in archetype.members:
            strategies[member.generation] += archetype.tasks
    assert len(ARCHETYPES) == 22
    assert strategies == {"independent": 1511, "copy_minor": 681, "copy_moderate": 556, "skip": 117}


def test_patterns_are_the_unions_of_yield_units() -> None:
    assert len(ARCHETYPES["6-1"].patterns) == 63
    assert ARCHETYPES["4-1"].patterns == (
        ("User1", "User2"),
        ("User3", "User4"),
        ("User1", "User2", "User3", "User4"),
    )
    for archetype in ARCHETYPES.values():
        seats = [member.slot for member in archetype.members]
        for pattern in archetype.patterns:
            assert pattern
            assert list(pattern) == sorted(pattern, key=seats.index)


def test_the_pool_is_as_large_as_the_papers_and_always_the_same() -> None:
    assert len(pool()) == 3_718
    assert pool()[:50] == pool(count=50)
    assert pool()[:50] != pool(seed=1, count=50)
    assert len({profile.id for profile in pool()}) == len(pool())


def test_the_pool_follows_its_tables() -> None:
    men = sum(profile.sex == "male" for profile in pool()) / len(pool())
    assert 0.60 < men < 0.72
    assert not any(
        profile.married or profile.children or profile.car for profile in pool() if profile.age < 18
    )
    assert all(profile.occupation == "学生" for profile in pool() if profile.age < 18)
    retired = [profile.age for profile in pool() if profile.occupation == "退休人员"]
    assert min(retired) >= 50


@pytest.mark.parametrize("group_id", list(ARCHETYPES))
def test_casts_fit_roles_and_one_another(group_id: str) -> None:
    archetype, casting = ARCHETYPES[group_id], Casting(pool())
    for number in range(5):
        cast = casting.cast(archetype, number)
        assert tuple(cast) == archetype.generation_order
        assert len({profile.id for profile in cast.values()}) == len(cast)
        for slot, profile in cast.items():
            wanted = archetype.by_slot[slot].profile
            assert wanted is not None
            assert profile.fits(wanted)
        for one, other in archetype.couples():
            assert abs(cast[one].age - cast[other].age) <= 10
        if group_id == "6-1":
            assert len({profile.sex for profile in cast.values()}) == 1
        roles = {archetype.by_slot[slot].role_en: profile.age for slot, profile in cast.items()}
        if "grandfather" in roles:
            assert all(
                22 <= roles[old] - roles[young] <= 40
                for old in ("grandfather", "grandmother")
                for young in ("father", "mother")
            )


def test_a_pool_without_grandparents_says_whom_it_lacks() -> None:
    young = [profile for profile in pool() if profile.age < 50]
    with pytest.raises(NobodyFits, match=r"grandfather.*55 to 75 years old, married, with children"):
        Casting(young).cast(ARCHETYPES["5-3"], 1)


def test_profiles_of_ones_own_are_read(tmp_path: Path) -> None:
    path = tmp_path / "profiles.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(profile.model_dump()) for profile in pool()[:3]) + b"\n\n")
    assert read_profiles(path) == pool()[:3]


def test_bad_profiles_are_told_with_line_and_field(tmp_path: Path) -> None:
    path = tmp_path / "profiles.jsonl"
    path.write_text(
        '{"id": "a", "age": 30, "sex": "male"}\n'
        '{"id": "a", "age": 300, "sex": "male"}\n'
        '{"id": "a", "age": 30, "sex": "female", "interests": {"golf": 0.4}}\n'
        "no json\n"
    )
    with pytest.raises(BadProfiles) as refused:
        read_profiles(path)
    told = str(refused.value)
    assert "line 2, age:" in told
    assert "line 3, interests.golf: is no topic; there are nature" in told
    assert "line 3, id: a stands on an earlier line" in told
    assert "line 4: no JSON" in told


def test_a_file_without_profiles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profiles.jsonl"
    path.write_text("\n")
    with pytest.raises(BadProfiles, match="holds no profile"):
        read_profiles(path)


def test_a_profile_is_told_in_both_languages() -> None:
    profile = Profile(id="a", age=30, sex="female", occupation="教师", interests={"museums": 0.9})
    assert profile.summary("zh").startswith("女，30岁，未婚，教师；喜欢")
    assert profile.summary("en").startswith("female, 30, single, teacher; fond of museums")


def test_the_papers_count_meets_both_tables_exactly() -> None:
    found = slots(PAPER_COUNT, 7)
    archetypes = Counter(slot.group_id for slot in found)
    assert archetypes == {group_id: archetype.tasks for group_id, archetype in ARCHETYPES.items()}
    cells = Counter((slot.users, slot.cities, slot.days) for slot in found)
    assert cells == {(cell.users, cell.cities, cell.days): cell.tasks for cell in QUOTA}
    assert [slot.number for slot in found] == list(range(1, 651))
    assert found == slots(PAPER_COUNT, 7)
    assert found != slots(PAPER_COUNT, 8)


@settings(max_examples=examples(40))
@given(st.integers(1, 900), st.integers(0, 5))
def test_any_count_is_filled_in_proportion(count: int, seed: int) -> None:
    found = slots(count, seed)
    assert len(found) == count
    cells = Counter((slot.users, slot.cities, slot.days) for slot in found)
    for cell in QUOTA:
        exact = cell.tasks * count / PAPER_COUNT
        assert abs(cells[cell.users, cell.cities, cell.days] - exact) < 1
    assert all(ARCHETYPES[slot.group_id].size == slot.users for slot in found)


def test_skeletons_keep_every_rule(resources: Resources) -> None:
    window = Window(date(2026, 1, 1), date(2026, 1, 31))
    for slot in slots(200, 3):
        skeleton = draw_skeleton(slot, resources.atlas, window, 3, 0)
        assert window.first <= skeleton.start <= window.last
        assert len(skeleton.cities) == slot.cities
        assert skeleton.days in DAYS_BY_CITIES[len(skeleton.cities)]
        assert skeleton.departure not in skeleton.cities
        assert resources.fares.serves(skeleton.departure, skeleton.cities[0])
        assert resources.fares.serves(skeleton.cities[-1], skeleton.departure)
        assert skeleton.pattern in skeleton.archetype.patterns
        assert skeleton == draw_skeleton(slot, resources.atlas, window, 3, 0)


def test_a_window_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="comes before the first"):
        Window(date(2026, 2, 1), date(2026, 1, 1))


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_window_beyond_known_holidays_is_refused(day: date) -> None:
    with pytest.raises(ValueError, match="choose days from 1950-01-01 to 2100-12-31"):
        Window(day, day)


def test_a_small_world_says_what_it_makes_of_the_spread(resources: Resources) -> None:
    found = resources.atlas.remarks(slots(650, 1))
    assert any("230 tasks share 2 sets of 3 cities" in str(remark) for remark in found)
    assert resources.atlas.shortages(slots(650, 1)) == []


def test_a_task_tells_its_skeleton() -> None:
    task = TASK_FILES.whole(STARTER[0])[0].task
    skeleton = skeleton_of(task, 5)
    assert skeleton.slot == 5
    assert skeleton.cities == tuple(task.metadata.cities)
    assert (skeleton.days, skeleton.score, skeleton.level) == (2, task.difficulty_score, task.difficulty_type)


def test_a_task_of_another_kind_of_group_has_none() -> None:
    task = TASK_FILES.whole(STARTER[0])[0].task
    odd = task.model_copy(update={"metadata": task.metadata.model_copy(update={"group_id": "9-9"})})
    with pytest.raises(ValueError, match=r"group_id.*'9-9' is no archetype"):
        skeleton_of(odd, 1)
