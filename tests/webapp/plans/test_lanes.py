"""A day as lanes."""

from __future__ import annotations

from benchmark.plans.view import Day, Entry, Ref, When
from webapp.plans.lanes import HourMark, Span, bars, fitting, span_of


def entry_at(kind: str, start: int | None, end: int | None, who: tuple[str, ...] = ()) -> Entry:
    place = None if kind == "other" else Ref("西湖")
    return Entry(kind, ("days", 0, start or 0), "西湖", When(start, end), place, who=who)  # type: ignore[arg-type]


def test_only_what_has_times_in_their_order_is_drawn_and_nothing_beyond_midnight() -> None:
    entries = (
        entry_at("visit", 540, 600),
        entry_at("visit", 600, 600),
        entry_at("visit", None, 660),
        entry_at("stay", 1200, 1900),
        entry_at("other", 700, 760),
        entry_at("leg", 1380, 1500),
    )
    day = Day(("days", 0), "1", entries=entries)
    span = span_of(day)
    assert span == Span(540, 1440)
    assert [bar.kind for bar in bars(day, "User1", span, set())] == ["visit", "leg"]
    assert span_of(Day(("days", 0), "1")) is None


def test_a_lane_holds_what_its_traveller_takes_part_in_and_marks_what_is_wrong_for_them() -> None:
    day = Day(("days", 0), "1", entries=(entry_at("visit", 540, 600, ("User1",)), entry_at("meal", 720, 780)))
    bad = {(("days", 0, 720), "User2")}
    lanes = {user: bars(day, user, Span(540, 780), bad) for user in ("User1", "User2")}
    assert [(bar.kind, bar.bad) for bar in lanes["User1"]] == [("visit", False), ("meal", False)]
    assert [(bar.kind, bar.bad) for bar in lanes["User2"]] == [("meal", True)]


def test_a_bar_shows_as_much_of_a_name_as_there_is_room_for() -> None:
    assert [fitting("明孝陵", room) for room in (40, 33, 25, 21)] == ["明孝陵", "明孝陵", "明…", ""]
    assert [fitting("Museum", room) for room in (42, 30)] == ["Museum", "Mu…"]
    assert fitting("", 0) == ""


def test_the_label_of_an_hour_never_reaches_beyond_the_axis() -> None:
    assert Span(6 * 60, 22 * 60).marks()[-2:] == [
        HourMark("18:00", "75.00%", "start"),
        HourMark("21:00", "100%", "end"),
    ]
    assert Span(9 * 60, 14 * 60).marks() == [
        HourMark("9:00", "0.00%", "start"),
        HourMark("12:00", "60.00%", "start"),
    ]
