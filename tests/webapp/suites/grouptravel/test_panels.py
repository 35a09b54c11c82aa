"""The panels beside the chat."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from benchmark.core.events import DraftWithdrawn, MessagePosted, PlanProposed, SessionFinished
from benchmark.suites.grouptravel.events import CompromiseApplied, TableInferred, TurnGranted
from tests.markup import tight
from tests.scores import store_score
from tests.webapp.conftest import Writer, activity
from webapp.sessions.log import whole_log
from webapp.sessions.models import MetricValue, Score, Session
from webapp.sessions.panels import panel_context, panels_of
from webapp.sessions.reading import Reading
from webapp.sessions.scoring import score_session
from webapp.suites.grouptravel.panels.preferences import Row, rows_of, tables_of

pytestmark = pytest.mark.django_db


def panel(client: Client, session: Session, tab: str, query: str = "") -> str:
    html = tight(client.get(f"/sessions/{session.pk}/panel/{tab}/{query}").content.decode())
    return re.sub(r"\s+", " ", unescape(html))


def rows(session: Session, user: str, at: int | None = None) -> dict[str, Row]:
    session.refresh_from_db()
    return {row.label: row for row in rows_of(tables_of(Reading.of(session, at), user))}


def belief_lines(row: Row) -> list[tuple[str, str, str]]:
    return [(belief.text, belief.status, belief.note) for belief in row.beliefs]


def test_before_the_agent_wrote_anything_nothing_is_known(begin: Callable[[], Writer]) -> None:
    found = rows(begin().session, "User2")
    assert {status for row in found.values() for _, status, _ in belief_lines(row)} == {"unknown"}
    assert [held.text for held in found["per day"].has] == ["4 sights", "10 h"]


def test_a_belief_is_right_missed_misplaced_or_invented(begin: Callable[[], Writer]) -> None:
    writer = begin()
    belief = {
        "global_constraints": {
            "avg_budget": 2600,
            "transport": {"prefer": ["高铁"]},
            "intensity": {"max_poi_per_day": 9},
        },
        "city_specific_preferences": {
            "杭州市": {"attractions": {"must_visit": ["灵隐寺"]}, "food": {"must_eat": ["火锅", "月饼"]}}
        },
    }
    seq = writer.add("Agent", TableInferred(table={"User2": belief}))
    found = rows(writer.session, "User2")
    assert belief_lines(found["budget"]) == [("¥2,600", "known", "")]
    assert found["budget"].beliefs[0].seq == seq
    assert belief_lines(found["transport must"]) == [("prefers 高铁", "wrong", "weaker")]
    assert "transport prefers" not in found
    assert belief_lines(found["per day"]) == [
        ("9 sights", "wrong", "wrong"),
        ("10 h: not known", "unknown", ""),
    ]
    assert belief_lines(found["杭州 must visit"]) == [("灵隐寺", "known", ""), ("龙井村", "missed", "missed")]
    assert belief_lines(found["杭州 must eat"]) == [
        ("月饼", "wrong", "invented"),
        ("茶馆", "missed", "missed"),
    ]
    assert belief_lines(found["杭州 refuses to eat"]) == [("insists on 火锅", "wrong", "the opposite")]


def test_what_was_given_up_is_struck_through_and_a_belief_in_it_is_stale(begin: Callable[[], Writer]) -> None:
    writer = begin()
    own = writer.log.state.cards["User2"].preference
    writer.add("Agent", TableInferred(table={"User2": own}))
    path = "global_constraints.transport.must"
    seq = writer.add("User2", CompromiseApplied(user="User2", path=path, value=[], was=["高铁"], event=1))
    row = rows(writer.session, "User2")["transport must"]
    assert [(held.text, held.state) for held in row.has] == [("高铁", "given")]
    assert belief_lines(row) == [("高铁", "stale", "given up")]
    assert row.beliefs[0].seq == seq
    before = rows(writer.session, "User2", at=seq - 1)["transport must"]
    assert belief_lines(before) == [("高铁", "known", "")]


def test_a_belief_counts_from_when_it_began(begin: Callable[[], Writer]) -> None:
    writer = begin()
    table = {"User2": {"global_constraints": {"avg_budget": 2600}}}
    writer.add("Agent", TableInferred(table=table))
    writer.add("Agent", TableInferred(table={"User2": {}}))
    again = writer.add("Agent", TableInferred(table=table))
    writer.add("Agent", TableInferred(table=table))
    assert rows(writer.session, "User2")["budget"].beliefs[0].seq == again


def test_the_panel_can_show_an_earlier_moment(as_researcher: Client, eventful: Session) -> None:
    then = panel(as_researcher, eventful, "preferences", "?traveller=User3&at=9")
    assert "As it was at event 9." in then
    assert "<s>高铁</s>" not in then
    assert "<s>高铁</s>" in panel(as_researcher, eventful, "preferences", "?traveller=User3")


def test_tools_are_counted(as_researcher: Client, eventful: Session) -> None:
    html = panel(as_researcher, eventful, "tools")
    cells = re.findall(r'<tr class="total">.*?</tr>', html)[0]
    assert re.findall(r">(\d+)</td>", cells) == ["2", "1"], "a world has no hits"


def test_failed_calls_lead_to_themselves_and_to_why(as_researcher: Client, eventful: Session) -> None:
    failed = [call for call in Reading.of(eventful).calls if call.answer is not None and call.answer.error]
    page = panel(as_researcher, eventful, "tools")
    listed = page.split('id="failed-calls"')[1].split("</p>")[0]
    assert failed and re.findall(r'href="#e(\d+)"', listed) == [str(call.seq) for call in failed]
    for call in failed:
        assert f'id="e{call.seq}"' in as_researcher.get(eventful.get_absolute_url()).content.decode()
    others = Reading.of(eventful, at=failed[0].seq - 1)
    assert not [call for call in others.calls if call.answer is not None and call.answer.error]
    assert "failed-calls" not in panel(as_researcher, eventful, "tools", f"?at={failed[0].seq - 1}")


def test_before_there_is_a_plan_the_panel_says_so_calmly(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    assert "There is no plan yet." in panel(as_researcher, writer.session, "plan")
    assert "Not scored yet" in panel(as_researcher, writer.session, "scores")
    writer.add("researcher", SessionFinished(reason="stopped"))
    assert "This session ended without a plan." in panel(as_researcher, writer.session, "plan")


def test_every_issue_stands_in_words_at_its_place(as_researcher: Client, eventful: Session) -> None:
    html = panel(as_researcher, eventful, "plan")
    days = re.split(r'<section class="day"', html)[1:]
    stop = {
        name: next(part for part in re.findall(r"<li class=.*?</li>", days[0]) if f">{name}" in part)
        for name in ("楼外楼", "雷峰塔", "断桥")
    }
    assert "no cost is given" in stop["楼外楼"]
    assert "no transport from 西湖 for User2, User1, User3, User4" in stop["楼外楼"]
    assert "15:00 to 25:00 are not two times of the form HH:MM" in stop["雷峰塔"]
    assert "ends at 16:00, which is not after its start at 17:00" in stop["断桥"]
    assert "Nobody is not a member of the group" in stop["断桥"]
    assert "the day before ended in 杭州市, this one starts in 苏州市" in days[1]
    assert "the hotel is not the last thing of the day" in days[1]
    assert "participants must be a list of names, not “all”" in days[1]


def test_like_issues_stand_together_and_lead_to_their_place_and_its_source(
    as_researcher: Client, eventful: Session
) -> None:
    html = panel(as_researcher, eventful, "scores")
    groups = re.split(r'<details class="points issues-alike"', html)[1:]
    published = Counter(
        issue["type"]
        for issue in Score.objects.get(session=eventful, profile="published").figures["evidence"]["validity"]
    )
    told = [int(n) for part in groups for n in re.findall(r'<b class="bad">×(\d+)</b>', part)]
    assert sorted(told) == sorted(published.values()) and told == sorted(told, reverse=True)
    paper = sum(int(n) for part in groups for n in re.findall(r'<b class="stricter">×(\d+)</b>', part))
    assert paper == html.count("(paper only)") > 0
    cells = set(re.findall(r'href="\?tab=plan#(cell-[\d-]+)" data-panel', html))
    assert cells and cells <= set(re.findall(r'id="(cell-[\d-]+)"', panel(as_researcher, eventful, "plan")))
    with_plan = eventful.events.get(type="plan_proposed").seq - 1
    assert f'in the plan of <a href="#e{with_plan}">#{with_plan}</a>' in html


def test_an_issue_stands_on_its_own_day_where_days_carry_equal_labels(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    first = activity("food", "楼外楼", "12:00", "13:00", cost=None)
    other = activity("food", "知味观", "17:00", "16:00")
    days = [
        {"day": 2, "city_segments": [{"city": "杭州市", "activities": [one]}]}
        for one in (first, other, first)
    ]
    words = f"```json\n{json.dumps({'days': days}, ensure_ascii=False)}\n```"
    said = MessagePosted(role="Agent", content=words, has_plan=True)
    writer.add("system", TurnGranted(speaker="Agent", kind="final", place="end"))
    writer.add("Agent", said, PlanProposed(plan={"days": days}))
    writer.add("system", SessionFinished(reason="plan_generated", plan_generated=True))
    score_session(session=Session.objects.get(pk=writer.session.pk))
    shown = re.split(r'<section class="day"', panel(as_researcher, writer.session, "plan"))[1:]
    assert ["no cost is given" in day for day in shown] == [True, False, True]
    assert ["which is not after its start" in day for day in shown] == [False, True, False]
    assert ["without a hotel" in day for day in shown] == [True, True, False]


@pytest.mark.parametrize(
    ("pc", "why"), [(None, "A session that crashed has no figures."), (0.5, "A session without a plan")]
)
def test_a_session_without_figures_says_how_the_profiles_differ(
    as_researcher: Client, begin: Callable[[], Writer], pc: float | None, why: str
) -> None:
    session = begin().session
    figures = {"pc": pc, "pv": None}
    for profile in ("published", "paper"):
        store_score(session, profile=profile, figures=figures, pc=pc)
    html = panel(as_researcher, session, "scores")
    assert why in html
    assert "leaves this trial out" in html
    assert "The profile “paper” counts this trial as 0" in html


def test_a_plan_says_nothing_of_missing_figures(as_researcher: Client, eventful: Session) -> None:
    assert "leaves this trial out" not in panel(as_researcher, eventful, "scores")


def test_what_the_plan_costs_is_compared_to_each_budget(as_researcher: Client, eventful: Session) -> None:
    html = panel(as_researcher, eventful, "plan")
    assert "¥9,000 <small>of ¥2,600</small>" in html
    in_chinese = as_researcher.get(
        f"/sessions/{eventful.pk}/panel/plan/", headers={"accept-language": "zh-CN"}
    )
    assert "¥9,000 <small>/ ¥2,600</small>" in re.sub(r"\s+", " ", tight(in_chinese.content.decode()))


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (4.5, "<small>¥4.5</small>"),
        (0, "<small>free</small>"),
        (None, "<small></small>"),
        (1e300, "<small>¥1e+300</small>"),
        (10**400, "<small>¥1e+400</small>"),
        (-(10**400), "<small>¥-1e+400</small>"),
    ],
)
def test_a_ride_shows_its_cost_where_it_is_given(
    as_researcher: Client, begin: Callable[[], Writer], cost: float | None, shown: str
) -> None:
    writer = begin()
    ride = {"type": "intracity_transport", "from": "断桥", "to": "灵隐寺", "avg_cost": cost}
    plan = {"days": [{"city_segments": [{"city": "杭州市", "activities": [ride]}]}]}
    writer.add("Agent", PlanProposed(plan=plan))
    stop = re.search(r'<li class="stop-move.*?</li>', panel(as_researcher, writer.session, "plan"))
    assert stop is not None
    assert shown in stop[0]


@pytest.mark.parametrize("cost", [10**400, -(10**400), 1e308, float("inf")])
def test_a_meal_beyond_all_measure_is_shown_in_every_panel(
    as_researcher: Client, begin: Callable[[], Writer], cost: float
) -> None:
    writer = begin()
    meals = [activity("food", "楼外楼", "12:00", "13:00", cost=cost) for _ in range(3)]
    plan = {"days": [{"day": 1, "city_segments": [{"city": "杭州市", "activities": meals}]}]}
    writer.add("Agent", PlanProposed(plan=plan))
    for tab in ("plan", "scores"):
        assert as_researcher.get(f"/sessions/{writer.session.pk}/panel/{tab}/").status_code == 200


def test_a_plan_of_any_shape_is_shown(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    shapes: list[object] = [
        None,
        5,
        "x",
        [],
        {},
        [None],
        [{"city": 3, "activities": [{"type": [], "start_time": {}, "participants": [[]]}]}],
    ]
    for shape in shapes:
        writer = begin()
        writer.add(
            "Agent", PlanProposed(plan={"days": [{"day": shape, "date": shape, "city_segments": shape}]})
        )
        assert "day" in panel(as_researcher, writer.session, "plan").lower()


def scores_panel(client: Client, session: Session, *, figures: dict[str, object], **evidence: object) -> str:
    """The scores panel after a stored score has come to say something else."""
    score = Score.objects.get(session=session, profile="published")
    score.figures |= figures
    score.figures["evidence"] |= evidence
    score.save()
    if "gu" in figures:
        MetricValue.objects.filter(session=session, profile="published", key="gu").update(value=figures["gu"])
    return panel(client, session, "scores")


def lack(reason: str, place: str = "", **more: object) -> dict[str, object]:
    path = "global_constraints.transport.prefer"
    wish = {"user": "User1", "path": path, "item": "飞机", "points": 1}
    return wish | {"reason": reason, "place": place, "day": 2, "by": None} | more


def test_what_the_published_scorer_fails_on_is_said(as_researcher: Client, eventful: Session) -> None:
    assert "may fail on these values" not in panel(as_researcher, eventful, "scores")
    fault = {"field": "plan.days[0].city_segments[1].avg_cost", "reason": "no_cost"}
    html = scores_panel(as_researcher, eventful, figures={"warnings": [fault]})
    assert "The published scorer may fail on these values" in html
    assert (
        "plan.days[0].city_segments[1].avg_cost: is not a number, but a traveller with a budget has to pay it"
        in html
    )


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (lack("absent", day=None), "the plan has nothing of it</td>"),
        (lack("overlap", "西湖"), "西湖 overlaps another activity, so it does not count <small>day 2"),
        (lack("unknown", "西湖"), "西湖 is not in the catalogue"),
        (lack("apart", "西湖"), "the plan has 西湖 without this traveller"),
        (
            lack("counted", "A → B", by=lack("", points=-2, path="global_constraints.transport.reject")),
            "A → B already counts: −2 for transport refuses: 飞机",
        ),
        ({"user": "User1", "path": "x", "item": "y", "points": 1}, "it earned no point"),
    ],
)
def test_why_a_wish_of_the_worst_off_earned_nothing(
    as_researcher: Client, eventful: Session, wish: dict[str, object], words: str
) -> None:
    fair = {"least": ["User1"], "most": ["User2"], "low": -3, "high": 2, "costs": [], "unmet": [wish]}
    assert words in scores_panel(as_researcher, eventful, figures={}, fairness=fair)


def test_figures_are_written_alike(as_researcher: Client, eventful: Session) -> None:
    over = {
        "user": "User1", "path": "global_constraints.avg_budget", "item": 2600, "points": -2, "day": None,
        "segment": None, "activity": None, "place": "", "matched": "3046.4",
    }  # fmt: skip
    fair = {"least": ["User1"], "most": ["User2"], "low": -3, "high": 2, "costs": [over], "unmet": []}
    figures: dict[str, object] = {"gu": -1.25, "gu_total": -5, "per_user_utility": {"User1": -3}}
    html = scores_panel(as_researcher, eventful, figures=figures, fairness=fair, utility=[over])
    assert "it is ¥3,046<" in html
    assert "(User1: −3) with" in html
    assert "−5 → −1.25" in html
    assert re.search(r'<td class="n bad">−2</td>', html)
    assert not re.search(r">\s*-\d", html)
    assert '<th scope="col">traveller</th>' in html


def test_a_miss_tells_what_was_said_mentioned_or_asked(as_researcher: Client, eventful: Session) -> None:
    wishes = ["a", "b", "c"]
    field = {
        "path": "global_constraints.hotel_preference.prefer", "missed": wishes, "invented": ["d"], "stale": ["d"],
        "said": [["a", 0], ["b", None], ["c", None]], "mentioned": [["b", 1]], "asked": 2, "counted": False,
    }  # fmt: skip
    unasked = field | {"missed": ["c"], "asked": None}
    users = {"User1": [field], "User2": [unasked]}
    html = scores_panel(as_researcher, eventful, figures={}, completeness={"users": users})
    told = re.findall(r"missed (\w)</span> <small>([^<]*)", html)
    assert sorted((item, words.strip()) for item, words in told) == [
        ("a", "said in"),
        ("b", "mentioned in"),
        ("c", "not found in their words; asked in"),
        ("c", "not found in their words; nobody asked"),
    ]
    assert "outdated since a compromise: d <small>costs nothing" in html


def test_scores_show_what_stands_behind_them(as_researcher: Client, eventful: Session) -> None:
    html = panel(as_researcher, eventful, "scores")
    assert "for splitting the group" in html
    assert "Fairness compares the utility of the least satisfied" in html
    assert "budget: ¥2,600" in html
    assert "Day 2, " in html


def test_what_does_not_differ_by_traveller_says_the_same_of_each(eventful: Session) -> None:
    """A log from elsewhere is shown once before it is stored: such panels for one traveller."""
    reading = Reading(eventful, whole_log(eventful.pk))
    differ = {
        name
        for name in panels_of(eventful.suite)
        if len({_panel_html(reading, name, user) for user in reading.users}) > 1
    }
    assert differ == {name for name, panel in panels_of(eventful.suite).items() if panel.by_traveller}


def _panel_html(reading: Reading, name: str, user: str) -> str:
    context = panel_context(reading, name, user)
    return render_to_string("sessions/panel.html", {**context, "traveller": "whoever"})


def test_versions_of_a_plan_tell_what_each_one_changed(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    def plan_with(*activities: dict[str, Any]) -> dict[str, Any]:
        return {"days": [{"day": 1, "city_segments": [{"city": "杭州市", "activities": list(activities)}]}]}

    lake = activity("attraction", "西湖", "09:00", "10:00", cost=50)
    meal = activity("food", "楼外楼", "12:00", "13:00", cost=80)
    writer = begin()
    first = plan_with(lake, meal)
    writer.add("Agent", DraftWithdrawn(speaker="Agent", content=json.dumps(first), why="critique"))
    writer.add(
        "Agent", DraftWithdrawn(speaker="Agent", content="The lake comes too early.", why="reflection")
    )
    html = panel(as_researcher, writer.session, "versions")
    assert (
        "Version 1 of 1" in html and "1 day" in html and "2 entries" in html and "the same plan" not in html
    )
    later = {**lake, "start_time": "10:00", "end_time": "11:00"}
    writer.add(
        "Agent", PlanProposed(plan=plan_with(later, activity("attraction", "灵隐寺", "14:00", "15:00")))
    )
    html = panel(as_researcher, writer.session, "versions")
    assert "Version 2 of 2" in html and "It was proposed." in html
    assert "It was withdrawn: a check found faults." in html
    assert "Changed from the version before: 1 new, 1 dropped, 1 at another time." in html
    assert "西湖 was moved from 09:00–10:00 to 10:00–11:00." in html
    assert "楼外楼 was dropped, 12:00–13:00." in html
    assert "灵隐寺 is new, 14:00–15:00." in html
    assert "too early" not in html and "not listed" not in html
    way = {**activity("intracity_transport", "", "11:00", "11:30"), "from": "西湖", "to": "灵隐寺"}
    last = plan_with(later, way, activity("attraction", "灵隐寺", "14:00", "15:00"))
    writer.add("Agent", PlanProposed(plan=last), PlanProposed(plan=last))
    html = panel(as_researcher, writer.session, "versions")
    assert "1 change of local transport and rests is not listed." in html
    assert html.count("It is the same plan as the version before.") == 1
