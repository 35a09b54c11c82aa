# ruff: noqa: E501 - Chinese characters count double
"""What the agent itself says: phrase tables by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.participants.agents.reference.lexicon.model import Subject


@dataclass(frozen=True)
class Phrases:
    """Templates for str.format; every tuple holds equal alternatives.

    questions: by subject; those about a city follow one of its headings ({city}). requests: by what is asked of
    somebody: `accept` what they dislike, `raise` a budget. yielded: thanks by the answer to such a request. wants, refusals: by subject, what fans and foes of an
    item do. echoes: by table list, what somebody has just insisted on. facts: answers by intent. closing: what
    precedes the plan: the route, then `all` wishes met or those `unmet` (known, but no room) and `unknown` to every
    tool. Names of tables' fields never appear.
    """

    questions: Mapping[Subject, tuple[str, ...]]
    city_headings: tuple[str, ...]
    first_links: tuple[str, ...]
    more_links: tuple[str, ...]
    openings: tuple[str, ...]
    thanks: tuple[str, ...]
    yielded: Mapping[str, tuple[str, ...]]
    echo: tuple[str, ...]
    echoes: Mapping[str, str]
    requests: Mapping[str, str]
    dislikes: Mapping[str, str]
    wants: Mapping[str, str]
    refusals: Mapping[str, str]
    progress: Mapping[str, tuple[str, ...]]
    facts: Mapping[str, str]
    closing: Mapping[str, str]
    joiner: str
    list_joiner: str
    route_joiner: str


ZH_PHRASES = Phrases(
    questions={
        "budget": ("个人预算的上限大概是多少元", "你自己这趟最多能花多少钱"),
        "transport": (
            "飞机、高铁、火车、自驾里，有没有一定要坐的、更想坐的，或者想避开、绝对不坐的",
            "大交通上必须坐什么、偏好坐什么，又有什么不太想坐、绝对不坐",
        ),
        "intensity": ("每天最多逛几个景点、活动几个小时", "一天最多能接受几个景点、几个小时"),
        "hotels": ("住宿想住哪几类酒店、想避开哪几类", "酒店类型上喜欢哪些、不太想住哪些"),
        "sights": (
            "有没有非去不可的景点，或者坚决不去的地方",
            "哪些景点必去、哪些地方绝对不去",
            "景点里有什么一定要去、有什么坚决不去",
        ),
        "categories": (
            "喜欢逛哪些类型的景点、不太想看哪些类型",
            "景点类型上偏好哪些、想避开哪些",
            "景点的类型里，想多看哪些、尽量不看哪些",
        ),
        "food": (
            "吃的方面，有什么必须吃、想尝尝的，或者尽量别吃、绝对不吃的",
            "美食上必吃什么、想吃什么，又有什么不太想吃、坚决不吃",
            "餐饮上一定要吃什么、比较想吃什么，又有哪些能避就避、绝对不碰",
        ),
    },
    city_headings=("{city}这边，", "说说{city}，", "到了{city}，"),
    first_links=("", "想问下，", "请教一下，", ""),
    more_links=("；",),
    openings=(
        "各位的想法都看到了，还缺的我一个一个来问。",
        "大家好，开场说的我都记下了，还有些细节要问清楚。",
        "收到，我先把没说到的问一遍，再来排行程。",
    ),
    thanks=("好的，记下了。", "明白。", "收到。", "", "了解。", "好，这下清楚了。", ""),
    yielded={
        "agreed": ("谢谢体谅。", "好，那就这么定。", "感谢让步。"),
        "refused": ("好，那就不勉强。", "理解，这一条不动。"),
        "unclear": ("好的。",),
    },
    echo=("好，{wishes}，记住了。", "记下了：{user}{wishes}。", "明白，{wishes}。"),
    echoes={
        "must_visit": "要去{item}",
        "reject_visit": "不去{item}",
        "must_eat": "要吃{item}",
        "reject_eat": "不吃{item}",
        "must": "坐{item}",
        "reject": "不坐{item}",
    },
    requests={
        "accept": "{item}这件事上，{others}{want}，{user}{refusal}。@{user} 你愿意接受{place}安排「{item}」，放弃{dislike}这个要求吗？",
        "raise": "按查到的票价，往返最低也要{floor}元，{user}的预算{budget}元不太够。@{user} 你能接受把人均预算提高到{value}元吗？",
    },
    dislikes={
        "sights": "不去「{item}」",
        "categories": "避开「{item}」类景点",
        "food": "不吃「{item}」",
        "transport": "不坐「{item}」",
        "hotels": "避开「{item}」",
    },
    wants={"sights": "想去", "categories": "想逛", "food": "想吃", "transport": "想坐", "hotels": "想住"},
    refusals={
        "sights": "不去",
        "categories": "不想逛",
        "food": "不吃",
        "transport": "不想坐",
        "hotels": "不想住",
    },
    progress={
        "known": ("先小结一下：{facts}。", "说下进展：{facts}。", "到目前为止，{facts}。"),
        "conflict": (
            "意见不一的有：{conflicts}。",
            "大家想法有出入的是：{conflicts}。",
            "还要协调的是：{conflicts}。",
        ),
        "policy": ("我先照顾更坚决的一方，兼顾不了就分头走。",),
        "budget": ("预算最紧的是{user}，人均{value}元以内",),
        "must": ("新记下的必去之处有{items}",),
        "item": ("{item}（{users}）",),
        "clash": ("{place}{item}（{fans}{want}，{foes}{refusal}）",),
        "plain": ("进展顺利，还差几处细节。", "差不多清楚了，再问几句。", "大部分都有数了。"),
    },
    facts={
        "ticket": "{name}的门票约{price}元/人",
        "free": "{name}不需要门票",
        "hours": "{name}的开放时间是{hours}",
        "always": "{name}{hours}",
        "meal": "{name}人均约{price}元",
        "cuisine": "{city}的{word}有{count}家可选，人均约{span}元",
        "hotel": "{name}每晚约{price}元/人",
        "hotels": "{city}查到的{word}每晚约{span}元/人",
        "address": "{name}的地址是{address}",
        "weather": "{city}{date}{text}，{low}到{high}度，降雨概率{rain}",
        "span": "{low}到{high}",
        "date": "{month}月{day}日",
        "no_weather": "没有查到{city}{date}的天气",
        "services": "{origin}到{destination}{date}有{count}趟{mode}，票价{span}元，最早{first}发车，最快{hours}",
        "no_services": "没有查到{origin}到{destination}{date}的{mode}",
        "route": "从{origin}到{destination}约{distance}公里，{mode}大概{minutes}分钟",
        "web": "{text}",
        "unknown": "{subject}我没有查到可靠的信息",
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
