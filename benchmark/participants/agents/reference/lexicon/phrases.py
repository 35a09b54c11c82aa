# ruff: noqa: E501 - Chinese characters count double
"""What the agent itself says: phrase tables by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.participants.agents.reference.lexicon.model import Subject


@dataclass(frozen=True)
class Phrases:
    """Templates for str.format; every tuple holds equal alternatives.

    questions: by subject, with {city}. requests: by what is asked of somebody: `accept` what they dislike,
    `raise` a budget. facts: answers by intent. closing: what precedes the plan: the route, then `all` wishes met or
    those `unmet` (known, but no room) and `unknown` to every tool. Names of tables' fields never appear.
    """

    questions: Mapping[Subject, tuple[str, ...]]
    first_links: tuple[str, ...]
    more_links: tuple[str, ...]
    follow_ups: tuple[str, ...]
    openings: tuple[str, ...]
    thanks: tuple[str, ...]
    requests: Mapping[str, str]
    dislikes: Mapping[str, str]
    wishes: Mapping[str, str]
    progress: Mapping[str, str]
    facts: Mapping[str, str]
    closing: Mapping[str, str]
    joiner: str
    list_joiner: str
    route_joiner: str


ZH_PHRASES = Phrases(
    questions={
        "budget": ("您个人这趟的预算上限大概是多少元", "您自己这次人均最高能接受花多少钱"),
        "transport": (
            "往返和城际交通上，飞机、高铁、火车、自驾里有没有您一定要坐的、更愿意坐的，或者想避开、绝对不坐的",
            "大交通方面，飞机、高铁、火车、自驾这几种您必选哪种、偏好哪种，又有哪种不想坐",
        ),
        "intensity": ("每天最多逛几个景点、活动几个小时比较合适", "一天的行程您最多能接受几个景点、几个小时"),
        "hotels": ("住宿上您比较想住哪几类酒店、想避开哪几类", "酒店类型方面，您倾向住哪些、不太想住哪些"),
        "sights": (
            "{city}有没有您非去不可的景点，或者坚决不去的地方",
            "在{city}您有哪些必去的景点、有哪些绝对不去的地方",
        ),
        "categories": (
            "{city}的景点类型里，您喜欢看哪些类型、不太想看哪些类型",
            "就{city}的景点类型来说，您更喜欢哪些类型、想尽量避开哪些类型",
        ),
        "food": (
            "{city}吃的方面，有没有必须吃的、比较想吃的，或者尽量别吃、绝对不吃的",
            "在{city}的美食上，您一定要吃什么、想尝尝什么，又有什么不太想吃、坚决不吃",
        ),
    },
    first_links=("想先了解一下，", "请问", "想跟您确认，"),
    more_links=("；", "；另外，"),
    follow_ups=("再确认一下，", "这一点还没记清楚，"),
    openings=("大家的想法我先记下了，接下来我逐一了解细节。", "收到各位的开场要求，我来把缺的信息补齐。"),
    thanks=("{user}的要求已经记下。", "{user}说的我记好了。", "明白{user}的意思了。"),
    requests={
        "accept": "{others}在「{item}」这件事上和{user}意见相反：{wish}。@{user} 您愿意接受{place}安排「{item}」，放弃{dislike}这个要求吗？",
        "raise": "按目前查到的车票机票，往返最低也要{floor}元，{user}的预算{budget}元不太够。@{user} 您能接受把人均预算提高到{value}元吗？",
    },
    dislikes={
        "sights": "不去「{item}」",
        "categories": "避开「{item}」类景点",
        "food": "不吃「{item}」",
        "transport": "不坐「{item}」",
        "hotels": "避开「{item}」",
    },
    wishes={
        "sights": "他们很想去",
        "categories": "他们喜欢逛这一类",
        "food": "他们很想吃",
        "transport": "他们希望这样出行",
        "hotels": "他们想住这一类",
    },
    progress={
        "known": "目前收到的信息：{facts}。",
        "conflict": "有分歧的地方：{conflicts}；我会优先照顾要求更强烈的一方，实在兼顾不了就分头行动。",
        "budget": "预算最紧的是{user}（人均{value}元以内）",
        "must": "{user}一定要去{item}",
        "clash": "{item}有人想要（{fans}）、有人不想（{foes}）",
        "plain": "各位的要求我都汇总好了，会按这些来排行程。",
    },
    facts={
        "ticket": "{name}的门票约{price}元/人",
        "free": "{name}不需要门票",
        "hours": "{name}的开放时间是{hours}",
        "meal": "{name}人均约{price}元",
        "cuisine": "{city}的{word}有{count}家可选，人均约{low}到{high}元",
        "hotel": "{name}每晚约{price}元/人",
        "hotels": "{city}查到的{word}每晚约{low}到{high}元/人",
        "address": "{name}的地址是{address}",
        "weather": "{city}{date}{text}，{low}到{high}度，降雨概率{rain}",
        "no_weather": "没有查到{city}{date}的天气",
        "services": "{origin}到{destination}{date}有{count}趟{mode}，票价{low}到{high}元，最早{first}发车，最快{hours}",
        "no_services": "没有查到{origin}到{destination}{date}的{mode}",
        "route": "从{origin}到{destination}约{distance}公里，{mode}大概{minutes}分钟",
        "web": "{text}",
        "unknown": "关于{subject}，工具里没有查到可靠的信息",
    },
    closing={
        "route": "行程排好了：按{order}的顺序走，大交通和住宿人均约{cost}元。",
        "stay": "行程排好了：这几天都在{order}，大交通和住宿人均约{cost}元。",
        "all": "大家点名要去的地方都排进去了。",
        "unmet": "时间和开放时间凑不上，{names}这次没能排进去。",
        "unknown": "{names}没有查到，就没有排，要去的话请再核对一下名字。",
    },
    joiner="；",
    list_joiner="、",
    route_joiner="—",
)
PHRASES = {"zh": ZH_PHRASES}


def phrases(language: str) -> Phrases:
    """The phrases of a language; Chinese where there are none yet."""
    return PHRASES.get(language, ZH_PHRASES)
