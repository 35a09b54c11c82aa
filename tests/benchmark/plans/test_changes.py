"""What differs between two plans."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.changes import changes_between, pair_entries, placed_entries
from benchmark.plans.view import Cost, Day, Entry, PlanView, Ref, When

Things = list[list[tuple[str, str, int]]]
"""Days of names, times and costs."""


def plan_of(days: Things, *, ids: bool = False) -> PlanView:
    return PlanView(
        tuple(
            Day(
                ("days", at),
                str(at + 1),
                entries=tuple(
                    Entry(
                        "visit",
                        ("days", at, position),
                        name,
                        When(text=time),
                        Ref(name, id=name if ids else ""),
                        cost=Cost(cost),
                    )
                    for position, (name, time, cost) in enumerate(things)
                ),
            )
            for at, things in enumerate(days)
        )
    )


DAYS = st.lists(
    st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["9", "10"]), st.integers(0, 1)), max_size=4),
    max_size=3,
)


@given(DAYS, DAYS)
def test_every_entry_is_in_one_pair_at_most_and_nothing_of_a_common_thing_is_left(
    before: Things, after: Things
) -> None:
    old, new = placed_entries(plan_of(before)), placed_entries(plan_of(after))
    pairs = pair_entries(old, new)
    assert all(own.entry.label == other.entry.label for own, other in pairs)
    for name in "xyz":
        counts = [sum(placed.entry.label == name for placed in side) for side in (old, new)]
        assert sum(own.entry.label == name for own, _other in pairs) == min(counts)


@given(DAYS, DAYS)
def test_a_plan_differs_in_nothing_from_itself_and_what_is_dropped_one_way_is_added_the_other_way(
    before: Things, after: Things
) -> None:
    old, new = plan_of(before), plan_of(after)
    assert changes_between(old, old) == []
    there, back = changes_between(old, new), changes_between(new, old)
    names = [
        sorted(change.before.entry.label for change in there if change.kind == "dropped" and change.before),
        sorted(change.after.entry.label for change in back if change.kind == "added" and change.after),
    ]
    assert names[0] == names[1]


def test_each_kind_of_change_is_told_of_what_it_befell() -> None:
    before = plan_of([[("lake", "9", 10), ("tower", "10", 10), ("park", "11", 5)], [("zoo", "9", 5)]])
    after = plan_of([[("lake", "9", 20), ("zoo", "9", 4), ("tower", "12", 10)], [("hill", "9", 0)]])
    told = [
        (change.kind, (change.after or change.before).entry.label)
        for change in changes_between(before, after)
    ]  # type: ignore[union-attr]
    assert told == [
        ("dearer", "lake"),
        ("moved", "zoo"),
        ("cheaper", "zoo"),
        ("retimed", "tower"),
        ("dropped", "park"),
        ("added", "hill"),
    ]


def test_names_that_a_reader_would_call_equal_are_one_thing_and_other_ids_are_not() -> None:
    wide, plain = plan_of([[("ＷＥＳＴ Lake", "9", 0)]]), plan_of([[("west lake", "9", 0)]])
    assert changes_between(wide, plain) == []
    kinds = [
        change.kind
        for change in changes_between(
            plan_of([[("a", "9", 0)]], ids=True), plan_of([[("b", "9", 0)]], ids=True)
        )
    ]
    assert kinds == ["dropped", "added"]


def kinds_between(before: PlanView, after: PlanView) -> list[str]:
    return [change.kind for change in changes_between(before, after)]


def with_labels(plan: PlanView, *labels: str) -> PlanView:
    return plan._replace(
        days=tuple(day._replace(label=label) for day, label in zip(plan.days, labels, strict=True))
    )


def test_days_are_the_same_by_what_the_plan_calls_them_unless_it_calls_several_alike() -> None:
    days: Things = [[("x", "9", 1)], [("y", "9", 1)]]
    plan, turned = plan_of(days), plan_of(days[::-1])
    assert kinds_between(plan, turned) == ["moved", "moved"]
    assert kinds_between(plan, with_labels(turned, "2", "1")) == []
    assert kinds_between(plan, with_labels(turned, "1", "1")) == ["moved", "moved"]
    assert [placed.label for placed in placed_entries(with_labels(plan, "3", "3"))] == ["1", "2"]
