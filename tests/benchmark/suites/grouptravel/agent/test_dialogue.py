"""How the reference agent leads a conversation."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace

import pytest

from benchmark.core.actions import CallTools, Say
from benchmark.core.engine import Conversation
from benchmark.core.view import AGENT, ToolEntry
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import ask, rest_of, topics_asked
from benchmark.suites.grouptravel.agent.lexicon.phrases import ZH_PHRASES
from benchmark.suites.grouptravel.agent.summary import echo_text
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.topics import Finding, Reading, all_topics
from benchmark.suites.grouptravel.itineraries.extraction import plan_in_message

from .group import PLAN, Sights, entry, session, view

FIELD_NAMES = re.compile(
    r"avg_budget|must_|prefer|avoid|reject|category|intensity|max_|transport|hotel_|global_constraints|positive|negative"
)
CITIES = ("杭州市", "苏州市")


FAST = {"number": "G1", "mode": "高铁", "depart": "08:00", "duration_minutes": 270, "price": 538}
SLOW = {"number": "K1", "mode": "火车", "depart": "19:00", "duration_minutes": 900, "price": 180}


def agent_messages(talk: Conversation) -> list[str]:
    return [
        message.content
        for message in talk.state.messages
        if message.role == AGENT and "days" not in message.content
    ]


@pytest.mark.usefixtures("quick_plan")
@pytest.mark.parametrize(("users", "difficulty"), [(2, "easy"), (4, "medium"), (5, "hard")])
def test_every_topic_of_everyone_is_asked_before_the_plan(users: int, difficulty: str) -> None:
    talk, _ = session(users, CITIES, difficulty, lambda question: "都行，没有特别的要求。")
    asked: dict[str, set[object]] = {}
    for message in agent_messages(talk):
        mentioned = re.findall(r"@(User\d)", message)
        for user in mentioned:
            asked.setdefault(user, set()).update(topics_asked(message, CITIES, "zh"))
    assert asked == {f"User{n}": set(all_topics(CITIES)) for n in range(1, users + 1)}
    assert talk.state.final_event is not None
    assert talk.state.final_event.reason == "plan_generated"


@pytest.mark.usefixtures("quick_plan")
@pytest.mark.parametrize("answer", ["都行", "我再想想", "必去西湖，不吃湘菜，人均三千，高铁。", "？？？"])
def test_utterances_keep_the_rules_of_the_chat(answer: str) -> None:
    talk, tools = session(
        3, CITIES, "easy", lambda question: answer, "灵隐寺我非去不可，@Agent 灵隐寺门票多少钱？"
    )
    for message in agent_messages(talk):
        mentions = re.findall(r"@\w+", message, flags=re.ASCII)
        assert len(mentions) <= 1
        if mentions:
            assert re.search(r"@[^@。！]+？$", message), "a mention opens the question that ends the message"
        assert not FIELD_NAMES.search(message)
    assert len(tools.calls) == len(set(tools.calls))


@pytest.mark.usefixtures("quick_plan")
def test_what_is_known_or_answered_is_not_asked_again() -> None:
    talk, _ = session(
        2, ("杭州市",), "easy", lambda question: "都行", "我人均最多3000元，每天最多3个景点、8小时。"
    )
    topics = [
        (m.split("@")[1][:5], t)
        for m in agent_messages(talk)
        for t in topics_asked(m, ("杭州市",), "zh")
        if "@" in m
    ]
    assert len(topics) == len(set(topics))
    assert {topic.subject for _, topic in topics} == {"transport", "hotels", "sights", "categories", "food"}


@pytest.mark.parametrize("turn", range(4))
def test_a_question_tells_what_it_asked(turn: int) -> None:
    for size in (1, 2, 3):
        for topics in itertools.combinations(all_topics(CITIES), size):
            assert set(topics_asked(ask("User1", topics, Asking(turn, "zh")), CITIES, "zh")) == set(topics)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("turn", range(12))
def test_no_wording_is_used_twice_in_one_message(turn: int, language: str) -> None:
    topics = [topic for topic in all_topics(CITIES) if topic.subject not in {"budget", "intensity"}]
    how = Asking(turn, language)
    frames = [
        frame.replace("{things}", "\0").split("\0") for frame in (*how.words.asks, *how.words.asks_rest)
    ]
    for pair in itertools.combinations(topics, 2):
        question = ask("User1", pair, how)
        for frame in frames:
            assert question.count(max(frame, key=len)) < 2, question


def known_place(name: str) -> ToolEntry:
    place = {"id": name, "name": name, "kind": "attraction", "city": "杭州市", "price": 75.0}
    return entry("search_poi", {"keywords": name, "city": "杭州市"}, {"pois": [place]})


def test_whoever_asks_is_answered_however_many_ask() -> None:
    names = ["灵隐寺", "岳王庙", "六和塔", "雷峰塔", "净慈寺", "城隍阁"]
    said = [(f"User{n % 2 + 1}", f"@Agent 杭州的{name}门票多少钱？") for n, name in enumerate(names)]
    told = ReferenceAgent().act(view(*said, tools=tuple(map(known_place, names)), step=1))
    assert isinstance(told, Say)
    for name in names:
        assert f"{name}的门票约75元/人" in told.content
    assert "再问一遍" not in told.content


def test_whoever_asks_more_than_is_answered_at_once_is_told_so() -> None:
    names = [f"{word}{place}" for word in "东西南北中" for place in ("灵隐寺", "岳王庙", "六和塔")]
    said = [(f"User{n // 14 + 1}", f"@Agent 杭州的{name}门票多少钱？") for n, name in enumerate(names)]
    told = ReferenceAgent().act(view(*said, tools=tuple(map(known_place, names)), step=1))
    assert isinstance(told, Say)
    assert told.content.count("的门票约75元/人") == 12
    assert "User1、User2余下的问题我还没查，请再问一遍。" in told.content


@pytest.mark.usefixtures("quick_plan")
def test_whoever_asks_right_before_the_plan_is_answered_beside_it() -> None:
    said = ("User1", "@Agent 杭州的灵隐寺门票多少钱？")
    first = ReferenceAgent().act(view(said, kind="final"))
    assert isinstance(first, CallTools)
    assert [call.arguments for call in first.calls] == [{"keywords": "灵隐寺", "city": "杭州市"}]
    then = ReferenceAgent().act(
        view(said, kind="final", tools=(known_place("灵隐寺"),), step=1, rounds=(15, 15))
    )
    assert isinstance(then, Say)
    assert then.content.startswith("灵隐寺的门票约75元/人。")
    assert plan_in_message(then.content) is not None


def test_a_fact_is_looked_up_once_and_told() -> None:
    said = (("User1", "杭州的灵隐寺我非去不可。"), ("User1", "@Agent 灵隐寺的门票多少钱？"))
    first = ReferenceAgent().act(view(*said))
    assert isinstance(first, CallTools)
    call = first.calls[0]
    assert (call.name, call.arguments) == ("search_poi", {"keywords": "灵隐寺", "city": "杭州市"})
    place = {"id": "p", "name": "灵隐寺", "kind": "attraction", "city": "杭州市", "price": 75.0}
    found = entry("search_poi", {"keywords": "灵隐寺", "city": "杭州市"}, {"pois": [place]})
    then = ReferenceAgent().act(view(*said, tools=(found,), step=1))
    assert isinstance(then, Say)
    assert then.content.startswith("灵隐寺的门票约75元/人")


@pytest.mark.parametrize(
    ("question", "told"),
    [("灵隐寺的门票多少钱？", "没有查到灵隐寺的门票价格"), ("灵隐寺几点开门？", "灵隐寺全天开放")],
)
def test_of_a_place_that_is_known_just_what_is_not_told_is_missing(question: str, told: str) -> None:
    said = (("User1", "杭州的灵隐寺我非去不可。"), ("User1", f"@Agent {question}"))
    place = {
        "id": "p",
        "name": "灵隐寺",
        "kind": "attraction",
        "city": "杭州市",
        "opening_hours": "24小时营业",
    }
    found = entry("search_poi", {"keywords": "灵隐寺", "city": "杭州市"}, {"pois": [place]})
    then = ReferenceAgent().act(view(*said, tools=(found,), step=1))
    assert isinstance(then, Say)
    assert then.content.startswith(told)


@pytest.mark.parametrize(
    ("message", "cities"),
    [
        ("苏州要带伞吗？@Agent 查下天气呗？", ["苏州市"]),
        ("@Agent 苏州冷不冷？会下雨吗？", ["苏州市"]),
        ("@Agent 苏州要带伞吗？杭州呢，天气怎么样？", ["苏州市", "杭州市"]),
    ],
)
def test_a_question_put_twice_in_one_message_is_one_question(message: str, cities: list[str]) -> None:
    move = ReferenceAgent().act(view(("User1", message)))
    assert isinstance(move, CallTools)
    asked = [call.arguments for call in move.calls if call.name == "maps_weather"]
    assert [arguments["location"] for arguments in asked if isinstance(arguments, dict)] == cities


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ([("安渡酒店(苏州观前街七里山塘店)", "hotel", 180)], "我没有查到可靠的信息"),
        (
            [("七里山塘人家餐厅", "restaurant", 90), ("七里山塘游船码头", "attraction", 55)],
            "我没有查到可靠的信息",
        ),
        (
            [("七里山塘酒店", "hotel", 180), ("苏州七里山塘景区", "attraction", 45)],
            "苏州七里山塘景区的门票约45元/人",
        ),
        ([("七里山塘酒店", "hotel", 180), ("七里山塘", "attraction", 0)], "七里山塘不需要门票"),
    ],
)
def test_the_answer_is_about_the_place_that_was_asked(
    others: list[tuple[str, str, float]], told: str
) -> None:
    said = (("User1", "苏州的七里山塘我非去不可。"), ("User1", "@Agent 七里山塘的门票多少钱？"))
    pois = [
        {"id": name, "name": name, "kind": kind, "city": "苏州市", "price": price}
        for name, kind, price in others
    ]
    found = entry("search_poi", {"keywords": "七里山塘", "city": "苏州市"}, {"pois": pois})
    elsewhere = entry("search_poi", {"keywords": "七里山塘", "city": "杭州市"}, {"pois": []})
    then = ReferenceAgent().act(view(*said, tools=(found, elsewhere), step=1))
    assert isinstance(then, Say)
    assert told in then.content.partition("@")[0]
    assert "180" not in then.content


@pytest.mark.parametrize(
    ("question", "tool", "result", "told"),
    [
        (
            "苏州那几天会下雨吗？",
            "maps_weather",
            {"days": [{"date": "2025-10-31", "text": "小雨", "low": 12, "high": 18, "rain_chance": 0.6}]},
            "苏州市10月31日小雨，12到18度，降雨概率60%；10月31日以后的还没有预报；多半会下雨，要带伞。",
        ),
        (
            "苏州那几天会下雨吗？",
            "maps_weather",
            {"days": [{"date": "2025-10-31", "text": "小雨", "low": 12, "high": 18, "rain_chance": None}]},
            "苏州市10月31日小雨，12到18度；10月31日以后的还没有预报；多半会下雨，要带伞。",
        ),
        (
            "去杭州的高铁票大概多少钱？",
            "travel_search_trains",
            {"trains": [FAST]},
            "票价538元",
        ),
        (
            "去杭州的火车单程多少钱？",
            "travel_search_trains",
            {"trains": [FAST, SLOW]},
            "有1趟普通火车，票价180元，最早19:00出发",
        ),
        (
            "去杭州坐高铁还是火车，最早几点？",
            "travel_search_trains",
            {"trains": [FAST, SLOW]},
            "有2趟列车，票价180到538元，最早08:00出发",
        ),
        (
            "去杭州的高铁要多久？",
            "travel_search_trains",
            {
                "trains": [
                    {"number": "K1", "mode": "火车", "depart": "19:00", "duration_minutes": 900, "price": 180}
                ]
            },
            "没有查到10月31日从北京市到杭州市的高铁动车",
        ),
        (
            "回程机票多少钱？",
            "travel_search_flights",
            {"flights": []},
            "没有查到11月2日从杭州市到北京市的航班",
        ),
        (
            "去杭州的飞机最早几点？",
            "travel_search_flights",
            {"flights": [{"number": "F1", "depart": "08:10", "duration_minutes": 130, "price": 900}]},
            "最早08:10出发",
        ),
        (
            "苏州的酒店一晚要多少？",
            "search_poi",
            {
                "pois": [
                    {"name": "甲", "kind": "hotel", "price": 200},
                    {"name": "乙", "kind": "hotel", "price": 460},
                ]
            },
            "200到460元",
        ),
    ],
)
def test_questions_of_fact(question: str, tool: str, result: dict[str, object], told: str) -> None:
    said = ("User2", f"@Agent {question}")
    first = ReferenceAgent().act(view(said))
    assert isinstance(first, CallTools)
    call = next(call for call in first.calls if call.name == tool)
    assert isinstance(call.arguments, dict)
    then = ReferenceAgent().act(view(said, tools=(entry(tool, call.arguments, result),), step=1))
    assert isinstance(then, Say)
    assert told in then.content


@pytest.mark.parametrize("question", ["自驾过去要多久？", "问下，自驾过去一趟多少钱？"])
def test_a_drive_is_told_by_its_route(question: str) -> None:
    said = ("User2", f"@Agent {question}")
    first = ReferenceAgent().act(view(said))
    assert isinstance(first, CallTools)
    assert [(call.name, call.arguments) for call in first.calls] == [
        ("maps_geo", {"address": "北京市"}),
        ("maps_geo", {"address": "杭州市"}),
    ]
    found = tuple(
        entry("maps_geo", {"address": city}, {"name": city, "location": point})
        for city, point in (("北京市", "116.4,39.9"), ("杭州市", "120.2,30.3"))
    )
    ends = {"origin": "116.400000,39.900000", "destination": "120.200000,30.300000", "mode": "driving"}
    second = ReferenceAgent().act(view(said, tools=found, step=1))
    assert isinstance(second, CallTools)
    assert [(call.name, call.arguments) for call in second.calls] == [("plan_route", ends)]
    way = {"distance_m": 1_270_400, "duration_minutes": 785, "cost": 1290.4, "cost_per": "car"}
    then = ReferenceAgent().act(view(said, tools=(*found, entry("plan_route", ends, way)), step=2))
    assert isinstance(then, Say)
    told = "从北京市自驾到杭州市约1270公里，大概13小时5分，油费和过路费每辆车约1290元"
    assert then.content.startswith(told)


def test_a_drive_is_asked_for_in_english_too() -> None:
    asked = replace(view(("User2", "@Agent How much would driving (自驾) be one way?")), language="en")
    act = ReferenceAgent().act(asked)
    assert isinstance(act, CallTools)
    assert {call.name for call in act.calls} == {"maps_geo"}


def test_when_tools_fail_the_agent_says_so() -> None:
    said = (("User1", "@Agent 灵隐寺几点开门？"),)
    failed = entry("search_poi", {"keywords": "灵隐寺", "city": "杭州市"}, {"error": "no such city"})
    then = ReferenceAgent().act(view(*said, tools=(failed,), step=1))
    assert isinstance(then, Say)
    assert "没有查到" in then.content


def dispute_temple(question: str) -> str:
    """User1 insists on a temple that User2 refuses, and yields."""
    if re.search("[愿可][意以]接受", question):
        return "好吧，听大家的"
    first = question.find("@User1") >= 0
    wish = "灵隐寺必去，别的随意" if first else "灵隐寺绝对不去，别的随意"
    return wish if is_about_sights(question) else "都行"


def is_about_sights(question: str) -> bool:
    return any(topic.subject == "sights" for topic in topics_asked(question, ("杭州市",), "zh"))


def test_whoever_refuses_what_the_plan_would_hold_is_asked_to_yield_and_it_does_hold_it() -> None:
    talk, _ = session(2, ("杭州市",), "easy", dispute_temple, tools=Sights("杭州市", ["灵隐寺"]))
    requests = [message for message in agent_messages(talk) if re.search("[愿可][意以]接受", message)]
    assert len(requests) == 1
    assert "@User2" in requests[0]
    assert "「灵隐寺」" in requests[0]
    assert (
        talk.state.table["User2"]["city_specific_preferences"]["杭州市"]["attractions"]["reject_visit"] == []
    )
    assert '"location": "灵隐寺"' in talk.state.messages[-1].content


def test_nobody_is_asked_to_accept_what_no_plan_could_hold() -> None:
    talk, _ = session(2, ("杭州市",), "easy", dispute_temple)
    assert not [message for message in agent_messages(talk) if re.search("[愿可][意以]接受", message)]


def test_nobody_is_asked_to_accept_what_everybody_refuses() -> None:
    def answer(question: str) -> str:
        return "灵隐寺绝对不去，别的随意" if is_about_sights(question) else "都行"

    talk, _ = session(3, ("杭州市",), "medium", answer, tools=Sights("杭州市", ["灵隐寺", "净慈寺"]))
    assert not [message for message in agent_messages(talk) if re.search("[愿可][意以]接受", message)]


@pytest.mark.usefixtures("quick_plan")
def test_of_what_was_said_only_the_rest_is_asked() -> None:
    opening = "杭州的灵隐寺我非去不可，必须吃杭帮菜，一定要坐高铁，每天最多3个景点。"
    talk, _ = session(2, ("杭州市",), "easy", lambda question: "都行", opening)
    asked = [part for message in agent_messages(talk) if "@" in message for part in re.split("？", message)]
    about = {
        subject: [part for part in asked if re.search(words, part)]
        for subject, words in {
            "sights": "景点(?!类型|的种类|的类别)|(?:要去|想看|想逛)的地方",
            "food": "美食|饮食|口味|吃喝|餐饮",
            "ways": "交通",
            "limit": "几个",
        }.items()
    }
    for subject in ("sights", "food", "ways"):
        assert about[subject]
        assert all(re.search("除了|还有", part) for part in about[subject])
    assert about["limit"]
    assert not [part for part in about["limit"] if "几个景点" in part]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("turn", range(3))
def test_a_question_for_the_rest_tells_what_it_asked(turn: int, language: str) -> None:
    belief = Belief(caps={"max_poi_per_day": 3})
    for topic in all_topics(CITIES):
        if topic.subject not in {"budget", "intensity"}:
            belief.add(Finding(topic.subject, topic.city, "must", "某某"), topic.city)
    known, how = rest_of(belief, all_topics(CITIES)), Asking(turn, language)
    about = [topic for topic in all_topics(CITIES) if topic.subject != "budget"]
    assert known.some | (known.limits or {}).keys() == set(about)
    for topic in about:
        question = ask("User1", (topic,), how, known)
        assert question != ask("User1", (topic,), how)
        assert topics_asked(question, CITIES, language) == (topic,)


def test_a_summary_is_the_whole_table_of_everybody() -> None:
    said = Say(json.dumps({}))
    answered = ReferenceAgent().act(view(("User1", "我人均最多3000元"), kind="summary"))
    assert isinstance(answered, type(said))
    read = json.loads(answered.content)
    assert set(read) == {"User1", "User2"}
    assert read["User1"]["global_constraints"]["avg_budget"] == 3000
    assert set(read["User2"]["city_specific_preferences"]) == set(CITIES)


@pytest.mark.usefixtures("quick_plan")
@pytest.mark.parametrize("kind", ["final", "polled"])
def test_the_plan_comes_when_time_is_up(kind: str) -> None:
    rounds = (15, 15) if kind == "final" else (14, 15)
    said = ReferenceAgent().act(view(("User1", "大家好"), kind=kind, rounds=rounds))  # type: ignore[arg-type]
    assert said == Say(PLAN)


def test_the_same_view_gives_the_same_answer() -> None:
    seen = view(("User1", "苏州的留园我必须去。"), ("User2", "人均两千五。"))
    assert ReferenceAgent().act(seen) == ReferenceAgent().act(seen)


def test_news_are_told_once_and_a_yielding_traveller_is_thanked() -> None:
    wish, refusal = ("User1", "杭州的灵隐寺我必须去。"), ("User2", "杭州的灵隐寺我绝对不去。")
    first = ReferenceAgent().act(view(wish, refusal, (AGENT, "大家好。"), kind="convergence"))
    assert isinstance(first, Say)
    assert "灵隐寺（User1想去，User2不去）" in first.content
    again = ReferenceAgent().act(view(wish, refusal, (AGENT, first.content), kind="convergence"))
    assert isinstance(again, Say)
    assert "灵隐寺" not in again.content


def test_every_conflict_is_told_in_its_turn_and_none_twice() -> None:
    names = ["灵隐寺", "净慈寺", "宝石山", "龙井村", "宋城"]
    said = [("User1", f"杭州的{name}我必须去。") for name in names]
    said += [("User2", f"杭州的{name}我绝对不去。") for name in names]
    clashes, told = [f"{name}（User1想去，User2不去）" for name in names], list[str]()
    for _ in range(2):
        summary = ReferenceAgent().act(view(*said, (AGENT, "".join(told) or "大家好。"), kind="convergence"))
        assert isinstance(summary, Say)
        assert sum(clash in summary.content for clash in clashes) in (2, 3)
        told.append(summary.content)
    assert ["".join(told).count(clash) for clash in clashes] == [1] * len(clashes)


def test_more_conflicts_than_a_summary_holds_are_told_beside_a_question_too() -> None:
    names = ["灵隐寺", "净慈寺", "宝石山", "龙井村"]
    said = [("User1", f"杭州的{name}我必须去。") for name in names]
    said += [("User2", f"杭州的{name}我绝对不去。") for name in names]
    act = ReferenceAgent().act(view(said[0], (AGENT, "大家好。"), *said[1:]))
    assert isinstance(act, Say) and act.content.count("User1想去，User2不去") == 2


@pytest.mark.parametrize(("round_", "told"), [(2, 0), (12, 3)])
def test_what_no_later_summary_could_tell_is_told_before_the_rounds_are_over(round_: int, told: int) -> None:
    names = ["灵隐寺", "净慈寺", "宝石山"]
    said = [("User1", f"杭州的{name}我必须去。") for name in names]
    said += [("User2", f"杭州的{name}我绝对不去。") for name in names]
    act = ReferenceAgent().act(view(said[0], (AGENT, "大家好。"), *said[1:], rounds=(round_, 15)))
    assert isinstance(act, Say) and act.content.count("User1想去，User2不去") == told


DEAR = json.dumps(
    {
        "days": [
            {
                "day": 1,
                "date": "2025-10-31",
                "city_segments": [
                    {
                        "city": "杭州市",
                        "activities": [
                            *(
                                {
                                    "type": "attraction",
                                    "location": name,
                                    "start_time": f"{hour:02}:00",
                                    "end_time": f"{hour + 3:02}:00",
                                    "participants": ["All"],
                                    "avg_cost": 0,
                                }
                                for hour, name in ((8, "甲"), (11, "乙"), (14, "丙"))
                            ),
                            {"type": "hotel", "location": "店", "start_time": "20:00", "avg_cost": 450},
                        ],
                    }
                ],
            }
        ]
    }
)


@pytest.mark.parametrize("reply", ["可以，没问题。", "抱歉，这个真不行。"])
@pytest.mark.parametrize(
    ("opening", "asked_for"),
    [
        ("我人均最多300元。", "500元"),
        ("我一天最多逛2个景点。", "3个景点"),
        ("我每天最多活动8个小时。", "9个小时"),
        ("我人均最多2000元，每天最多3个景点、9个小时。", ""),
    ],
)
def test_whoever_has_set_a_limit_that_the_plan_breaks_is_asked_before_it_is_told(
    monkeypatch: pytest.MonkeyPatch, opening: str, asked_for: str, reply: str
) -> None:
    monkeypatch.setattr(
        "benchmark.suites.grouptravel.agent.agent.next_move",
        lambda *_, **__: Say(f"排好了。\n```json\n{DEAR}\n```"),
    )
    talk, _ = session(
        2, ("杭州市",), "easy", lambda question: reply if "提高到" in question else "都行", opening
    )
    asked = [message for message in agent_messages(talk) if "提高到" in message]
    assert [re.findall(r"@(User\d)", message)[-1] for message in asked] == (
        ["User1", "User2"] if asked_for else []
    )
    assert all(asked_for in message for message in asked)
    assert talk.state.messages[-1].content.startswith("排好了")


@pytest.mark.parametrize(("wish", "echo"), [("咖啡厅", "要去咖啡厅"), ("烤鸭", "要吃烤鸭")])
def test_people_go_to_a_place_and_eat_a_dish(wish: str, echo: str) -> None:
    reading = Reading((Finding("food", "杭州市", "must", wish),))
    assert echo in echo_text("User1", reading, 0, "zh")


def test_the_tightest_budget_is_told_once() -> None:
    said = (("User1", "我的预算人均不超过2500元。"), ("User2", "我的预算人均不超过3000元。"))
    first = ReferenceAgent().act(view(*said, (AGENT, "大家好。"), kind="convergence"))
    assert isinstance(first, Say)
    assert "预算最紧的是User1，人均2500元以内" in first.content
    again = ReferenceAgent().act(
        view(*said, (AGENT, "预算最紧的是User1，人均2500元以内。"), kind="convergence")
    )
    assert isinstance(again, Say)
    assert "预算最紧" not in again.content


def test_one_budget_of_all_is_not_called_the_tightest() -> None:
    said = (("User1", "我的预算人均不超过2500元。"), ("User2", "我的预算人均不超过2500元。"))
    first = ReferenceAgent().act(view(*said, (AGENT, "大家好。"), kind="convergence"))
    assert isinstance(first, Say)
    assert "大家的预算都是人均2500元以内" in first.content and "最紧" not in first.content


@pytest.mark.parametrize(
    ("wish", "dislike", "told"),
    [
        ("火锅非吃不可", "火锅不太想吃", "（User1一定要吃，User2不太想吃）"),
        ("火锅比较想吃", "火锅绝对不吃", "（User1想吃，User2不吃）"),
    ],
)
def test_a_conflict_is_told_as_strongly_as_it_was_said(wish: str, dislike: str, told: str) -> None:
    said = ("User1", f"杭州的{wish}。"), ("User2", f"杭州的{dislike}。")
    first = ReferenceAgent().act(view(*said, (AGENT, "大家好。"), kind="convergence"))
    assert isinstance(first, Say) and told in first.content


def test_nothing_is_asked_besides_what_stands_in_another_sentence() -> None:
    """除此之外 after an answer to somebody else would mean that answer."""
    assert not any("此" in frame for frame in ZH_PHRASES.asks_rest)
