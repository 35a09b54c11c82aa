"""A report of differences is no proposal: it is passed over; a proposal against a must or a refusal is not.

The wordings are those of language models and of people, and none is the reference agent's. User1 must have 高铁 and
灵隐寺, refuses 飞机, 宋城 and 川菜 (in 杭州市), and takes 3 sights, 8 hours and 2500 元 at most.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmark.core.actions import Pass, Say
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.scripted import cast

SILENT = 15
"""The round limit: no facts are asked this late, so that only objections are heard."""

CHINESE_REPORTS = [
    "目前大家的分歧主要在交通：User2想坐飞机，User10也偏向飞机，User1必须坐高铁。",
    "小结一下：交通方面，User1要高铁，User2要飞机；景点方面，User2必去宋城，User1不去宋城。",
    "大家想法有出入的是：飞机（User2想坐，User1不想坐）、宋城（User2、User10想去，User1不去）。",
    "意见不一的有：火车（User2想坐，User1不想坐）。我先照顾更坚决的一方。",
    "还没统一的：1. 飞机还是高铁 2. 宋城去不去",
    "**分歧点**\n- 交通：飞机 vs 高铁\n- 景点：宋城（2人想去，1人拒绝）\n- 美食：川菜\n我会尽量兼顾。",
    "### 目前偏好汇总\n**交通**\n- 飞机：User2、User10\n- 高铁：User1\n**杭州必去**\n- 宋城：User2",
    "| 成员 | 交通 | 必去 |\n|---|---|---|\n| User2 | 飞机 | 宋城 |\n| User1 | 高铁 | 灵隐寺 |",
    "现在有两位想坐飞机，一位坚持高铁，这一点还需要协调。",
    "关于宋城，大家的态度不太一样，有人很想去，有人坚决不去。",
    "我注意到User2点名要去宋城，而你之前说过绝对不去，这里有冲突。",
    "收到，User2的必吃是川菜，必去是宋城。",
    "好，要去宋城、要吃川菜，记住了。",
    "明白，不去灵隐寺、改期再说的是User10。",
    "了解了，飞机优先，宋城必打卡，我都记录下来了。",
    "谢谢User2的反馈！你希望坐飞机，喜欢逛宋城，川菜也想吃。",
    "@User2 你提到想坐飞机、去宋城，这两点和User1有冲突，你愿意让一步吗？",
    "@User2 宋城和灵隐寺你更想去哪个？",
    "@User2 你能接受改坐飞机吗？",
    "宋城的门票约310元/人，开放时间是上午10点到晚上9点。",
    "查到上海到杭州的飞机每天上午有3班，价格约600元；高铁最快45分钟。",
    "目前飞机有2票，高铁有1票。",
    "多数人倾向飞机，少数人坚持高铁。",
    "大家都提到了宋城，但看法相反。",
    "宋城这件事上，User2想去，User1不去。",
    "新记下的必去之处有宋城（User2）、灵隐寺（User1）。",
    "预算最高的是User2，人均6000元以内；最紧的是User1，人均2500元以内。",
    "大家每天能走的景点数不同，User2每天5个景点，User10每天4个景点。",
    "User10说灵隐寺不去也行，User2说灵隐寺可以取消。",
    "各位的预算从人均2500元到6000元不等。",
    "交通上各有想法：飞机快，高铁稳，我们再商量。",
    "需要再确认的是：飞机是否所有人都接受，宋城是否保留。",
    "坐飞机的话User1可能不同意，这一点我会考虑。",
    "飞机和高铁两种意见都有，暂时没定。",
    "有成员表示川菜必吃，也有成员表示坚决不吃川菜。",
    "User2：飞机、宋城、川菜；User1：高铁、灵隐寺。",
]
CHINESE_PROPOSALS = [
    ("综合大家的意见，我建议统一坐飞机去杭州。", "飞机"),
    ("User2想坐飞机，User1想坐高铁，那就坐飞机吧。", "飞机"),
    ("虽然有分歧，但为了省时间，我们还是坐飞机。", "飞机"),
    ("那就按User2的意思，大家坐飞机过去。", "飞机"),
    ("考虑到多数人的想法，决定去宋城。", "宋城"),
    ("第一天下午去宋城看演出，晚上自由活动。", "宋城"),
    ("**初步行程**\n- 第一天：灵隐寺、宋城\n- 第二天：苏州", "宋城"),
    ("### 方案\n1. 交通：往返飞机\n2. 住宿：民宿", "飞机"),
    ("为了避免冲突，灵隐寺就不去了。", "灵隐寺"),
    ("时间不够，我打算取消灵隐寺。", "灵隐寺"),
    ("不如大家都坐飞机，怎么样？", "飞机"),
    ("那坐飞机可以吗？", "飞机"),
    ("根据大家的需求，初步方案如下：\n- 大交通：飞机", "飞机"),
    ("杭州的晚餐安排川菜。", "川菜"),
    ("收到，那就统一飞机往返。", "飞机"),
    ("我们每天安排5个景点，人均预算控制在4000元。", "2500"),
    ("最终决定：全程飞机，杭州去宋城。", "宋城"),
    ("折中一下：去程坐飞机，回程坐高铁。", "飞机"),
    ("@User2 好的，咱们就一起去宋城吧。", "宋城"),
]
ENGLISH_REPORTS = [
    "Where we stand: User2 wants to fly, User1 insists on high-speed rail.",
    "There is a conflict about transport: flights for User2 and User10, high-speed rail for User1.",
    "Opinions differ on 宋城 (User2 for it, User1 against).",
    "You do not agree yet about 飞机 (User2 for it, User1 against), 宋城 (User2 for it, User1 against).",
    "**Open points**\n- Transport: plane vs. high-speed rail\n- 宋城: two in favour, one against",
    "### Preferences so far\n- Plane: User2, User10\n- High-speed rail: User1\n- 宋城: User2",
    "| Member | Transport | Must see |\n|---|---|---|\n| User2 | plane | 宋城 |",
    "Two of you want to take the plane and one prefers the train.",
    "Some want to visit 宋城 while others would rather skip it.",
    "Noted for User2: 宋城 stays in, travel by 飞机.",
    "Good, 宋城 stays in and no 灵隐寺, I will remember that.",
    "Got it, User2: a flight, 宋城 and 川菜 in Hangzhou are musts for you.",
    "Thanks, User2! So you would like to fly and to see 宋城.",
    "@User2 You mentioned 宋城 and a flight. Would you accept the train instead?",
    "@User2 Would you rather see 宋城 or 灵隐寺?",
    "The ticket for 宋城 is about 310 yuan, it opens at 10 in the morning.",
    "I found 3 flights in the morning, and there are 28 high-speed trains.",
    "User2 said that 灵隐寺 could be skipped.",
    "The majority leans towards flying, User1 is against it.",
    "Budgets range widely: User2 is fine with 6000 yuan per person, User1 with 2500.",
    "User10 can take 5 sights a day, User1 only 3.",
    "User2 would like to see 宋城, but User1 does not want to go there.",
    "Both flying and the train have supporters, this is still undecided.",
    "To sum up: plane for User2, high-speed rail for User1.",
    "Places newly noted as musts are 宋城 (User2) and 灵隐寺 (User1).",
    "We still need to settle the question of plane or train.",
]
ENGLISH_PROPOSALS = [
    ("All in all, I suggest that we all fly.", "飞机"),
    ("User2 wants to fly and User1 prefers the train, so let's take a flight.", "飞机"),
    ("Although opinions differ, we will fly to save time.", "飞机"),
    ("We'll go with what User2 wants and take the plane.", "飞机"),
    ("On day 1 we visit 宋城 in the afternoon.", "宋城"),
    ("**Draft itinerary**\n- Day 1: 灵隐寺, 宋城\n- Day 2: Suzhou", "宋城"),
    ("Based on your preferences, here is the plan:\n- Transport: plane\n- Hotel: homestay", "飞机"),
    ("To avoid a conflict, 灵隐寺 will be dropped.", "灵隐寺"),
    ("There is no time, I am going to skip 灵隐寺.", "灵隐寺"),
    ("How about all of us flying there?", "飞机"),
    ("Got it, then we all take a flight both ways.", "飞机"),
    ("In Hangzhou we are going to have 川菜 for dinner.", "川菜"),
    ("We could do 5 sights a day at 4000 yuan per person.", "2500"),
    ("@User2 OK, everyone will visit 宋城 together.", "宋城"),
]


def reply_to(seen: GroupView) -> str:
    """What is said in a polled turn; "" for a pass."""
    action = ScriptedUser().act(seen)
    assert isinstance(action, Say | Pass)
    return action.content if isinstance(action, Say) else ""


def chinese(text: str) -> str:
    return reply_to(cast.view(text, kind="polled", round_=SILENT))


def english(text: str) -> str:
    query = "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 3 people"
    return reply_to(replace(cast.view(text, kind="polled", round_=SILENT, query=query), language="en"))


@pytest.mark.parametrize("text", CHINESE_REPORTS)
def test_a_chinese_report_is_passed_over(text: str) -> None:
    assert chinese(text) == ""


@pytest.mark.parametrize("text", ENGLISH_REPORTS)
def test_an_english_report_is_passed_over(text: str) -> None:
    assert english(text) == ""


@pytest.mark.parametrize(("text", "defended"), CHINESE_PROPOSALS)
def test_a_chinese_proposal_is_objected_to(text: str, defended: str) -> None:
    assert defended in chinese(text)


@pytest.mark.parametrize(("text", "defended"), ENGLISH_PROPOSALS)
def test_an_english_proposal_is_objected_to(text: str, defended: str) -> None:
    assert defended in english(text)
