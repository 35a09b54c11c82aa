# ruff: noqa: E501 - Chinese characters count double, and templates are not wrapped
"""What the agent itself says: phrase tables by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon.model import Subject


@dataclass(frozen=True)
class Phrases:
    """Templates for str.format; every tuple holds equal alternatives.

    questions: by subject; those about a city follow one of its headings ({city}). more: the same where something is known
    already; `sights_a_day` and `hours_a_day`: the other of the two limits. requests: by what is asked of
    somebody: `accept` what they dislike, `raise` a budget. yielded: thanks by the answer to such a request. wants, refusals: by subject, what fans and foes of an
    item do. echoes: by table list, what somebody has just insisted on. facts: answers by intent. closing: what
    precedes the plan: the route, then `all` wishes met or those `disputed` (left out, and somebody refuses them), `unmet`
    (known, but no room), `missed` by some of those who asked for them and `unknown` to every
    tool. place: how a city is added to an item. skies: what to call the signs of weather in
    the world's words, empty where these stay as they are. hours: the same for the words of opening hours. modes: how services and ways to go are called. duration: hours and
    minutes. joiner, list_joiner, last_joiner (before the last of a list), route_joiner, stop (ends a sentence), gap
    (between sentences), asking (ends a question): how texts are put together. Names of tables' fields never appear.
    """

    questions: Mapping[Subject, tuple[str, ...]]
    more: Mapping[str, tuple[str, ...]]
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
    place: str
    skies: Mapping[str, str]
    hours: Mapping[str, str]
    facts: Mapping[str, str]
    closing: Mapping[str, str]
    modes: Mapping[str, str]
    duration: Mapping[str, str]
    joiner: str
    list_joiner: str
    last_joiner: str
    route_joiner: str
    stop: str
    gap: str
    asking: str

    def listed(self, names: Iterable[str]) -> str:
        """Names as the language lists them."""
        *before, last = names
        return self.last_joiner.join([*([self.list_joiner.join(before)] if before else []), last])

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, as the language spaces them; empty ones leave no trace."""
        return self.gap.join(sentence for sentence in sentences if sentence)


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
    more={
        "transport": (
            "大交通上除了说过的，还偏好坐什么，又有什么不太想坐、绝对不坐",
            "除了说过的，飞机、高铁、火车、自驾里，还有没有更想坐的，或者想避开、绝对不坐的",
        ),
        "hotels": (
            "除了说过的，还想住哪几类酒店、想避开哪几类",
            "酒店类型上除了说过的，还喜欢哪些、不太想住哪些",
        ),
        "sights": (
            "除了说过的，还有没有非去不可的景点，或者坚决不去的地方",
            "除了说过的，还有哪些景点必去、哪些地方绝对不去",
            "景点里除了说过的，还有什么一定要去、有什么坚决不去",
        ),
        "categories": (
            "除了说过的，还喜欢逛哪些类型的景点、不太想看哪些类型",
            "景点类型上除了说过的，还偏好哪些、想避开哪些",
        ),
        "food": (
            "吃的方面，除了说过的，还有什么必须吃、想尝尝的，或者尽量别吃、绝对不吃的",
            "美食上除了说过的，还必吃什么、想吃什么，又有什么不太想吃、坚决不吃",
        ),
        "sights_a_day": ("每天最多逛几个景点", "一天最多能接受几个景点"),
        "hours_a_day": ("每天最多活动几个小时", "一天最多能玩几个小时"),
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
    place="{city}",
    skies={},
    hours={},
    facts={
        "ticket": "{name}的门票约{price}元/人",
        "free": "{name}不需要门票",
        "hours": "{name}的开放时间是{hours}",
        "always": "{name}{hours}",
        "all_day": "{name}全天开放",
        "no_ticket": "没有查到{name}的门票价格",
        "no_hours": "没有查到{name}的开放时间",
        "meal": "{name}人均约{price}元",
        "cuisine": "{city}的{word}有{count}家可选，人均约{span}元",
        "hotel": "{name}每晚约{price}元/人",
        "hotels": "{city}查到的{word}每晚约{span}元/人",
        "address": "{name}的地址是{address}",
        "weather": "{city}{date}{text}，{low}到{high}度{rain}",
        "weather_after": "{date}{text}，{low}到{high}度{rain}",
        "rain": "，降雨概率{chance}",
        "span": "{low}到{high}",
        "date": "{month}月{day}日",
        "no_weather": "没有查到{city}{date}的天气",
        "services": "{origin}到{destination}{date}有{count}趟{mode}，票价{span}元，最早{first}出发，最快{hours}",
        "no_services": "没有查到{origin}到{destination}{date}的{mode}",
        "route": "从{origin}到{destination}约{distance}公里，{mode}大概{minutes}分钟",
        "drive": "从{origin}自驾到{destination}约{distance}公里，大概{hours}",
        "drive_cost": "{drive}，油费和过路费每辆车约{cost}元",
        "web": "{text}",
        "unknown": "{subject}我没有查到可靠的信息",
    },
    closing={
        "route": "行程排好了：按{order}的顺序走，大交通和住宿人均约{cost}元。",
        "stay": "行程排好了：这几天都在{order}，大交通和住宿人均约{cost}元。",
        "dear": "这已经超过{names}的预算上限。",
        "rides": "大交通没能照顾到{names}的要求。",
        "all": "大家点名要去的地方都排进去了。",
        "disputed": "{names}有人想去、有人不去，这次没有排。",
        "unmet": "时间、预算和大家别的愿望放在一起权衡，{names}这次没能排进去。",
        "missed": "点名要去的人里有没排上的：{names}。",
        "unknown": "{names}没有查到，就没有排，要去的话请再核对一下名字。",
        "driven": "没有查到{legs}的火车和航班，暂时按自驾排，请再核对。",
        "leg": "{origin}到{destination}",
    },
    modes={
        "flights": "航班",
        "high_speed": "高铁动车",
        "slow": "普通火车",
        "trains": "列车",
        "driving": "驾车",
    },
    duration={"hours": "{hours}小时{minutes}分", "minutes": "{minutes}分钟"},
    joiner="；",
    list_joiner="、",
    last_joiner="、",
    route_joiner="—",
    stop="。",
    gap="",
    asking="？",
)
EN_PHRASES = Phrases(
    questions={
        "budget": (
            "how much can you personally spend on this trip at most, in yuan",
            "what is the upper limit of your own budget for the whole trip, in yuan",
        ),
        "transport": (
            "for the way there and back, is there anything among flying, high-speed rail, ordinary trains and driving that you insist on, prefer, would rather avoid or refuse",
            "which means of transport do you need or prefer for the journey, and which would you rather not or never take",
        ),
        "intensity": (
            "how many sights a day and how many hours a day are the most you can take",
            "at most how many sights, and how many hours out, suit you in a day",
        ),
        "hotels": (
            "what types of hotel do you like to stay in, and what types would you rather avoid",
            "which kinds of hotel would you prefer, and which would you rather not stay in",
        ),
        "sights": (
            "which sights must we see for you, and which places do you refuse to visit",
            "are there sights you insist on visiting, or places you will not go to at all",
            "which attractions are a must, and which are out of the question",
        ),
        "categories": (
            "what kinds of sights do you enjoy, and what kinds would you rather skip",
            "which types of attractions would you like to see more of, and which less",
            "what types of places do you like to see, and what types do you not care for",
        ),
        "food": (
            "what do you have to eat, what would you like to try, and what food would you rather avoid or not eat at all",
            "is there any food that you must have or would enjoy, and any that you dislike or refuse",
            "which dishes or cuisines do you insist on or like, and which would you rather not or never eat",
        ),
    },
    more={
        "transport": (
            "besides what you said, which means of transport do you prefer for the journey, and which would you rather not or never take",
            "for the way there and back, is there anything else among flying, high-speed rail, ordinary trains and driving that you prefer, would rather avoid or refuse",
        ),
        "hotels": (
            "besides what you said, what other types of hotel do you like to stay in, and what types would you rather avoid",
            "apart from those you named, which kinds of hotel would you prefer, and which would you rather not stay in",
        ),
        "sights": (
            "besides what you said, which other sights must we see for you, and which places do you refuse to visit",
            "are there other sights you insist on visiting, or other places you will not go to at all",
        ),
        "categories": (
            "besides what you said, what other kinds of sights do you enjoy, and what kinds would you rather skip",
            "apart from those you named, which types of attractions would you like to see more of, and which less",
        ),
        "food": (
            "besides what you said, what else do you have to eat, what would you like to try, and what food would you rather avoid or not eat at all",
            "is there any other food that you must have or would enjoy, and any other that you dislike or refuse",
        ),
        "sights_a_day": (
            "how many sights a day are the most you can take",
            "at most how many sights suit you in a day",
        ),
        "hours_a_day": (
            "how many hours a day are the most you can take",
            "at most how many hours out suit you in a day",
        ),
    },
    city_headings=("For {city}: ", "About {city}: ", "Once in {city}: "),
    first_links=("", "may I ask, ", "a question: ", ""),
    more_links=("; ",),
    openings=(
        "I have read what everyone wrote; now I will ask each of you for what is still missing.",
        "Hello all, your first messages are noted, and I have a few details to clear up.",
        "Thanks, I will first go through what has not been said yet and then work out the days.",
    ),
    thanks=("Good, noted.", "Understood.", "Thank you.", "", "All right.", "That makes it clear.", ""),
    yielded={
        "agreed": ("Thank you for being so understanding.", "Good, settled then.", "Thanks for giving way."),
        "refused": ("All right, I will not press you.", "Understood, that stays as it is."),
        "unclear": ("All right.",),
    },
    echo=("Good, {wishes}, I will remember that.", "Noted for {user}: {wishes}.", "Clear: {wishes}."),
    echoes={
        "must_visit": "{item} stays in",
        "reject_visit": "{item} stays out",
        "must_eat": "{item} for at least one meal",
        "reject_eat": "no {item}",
        "must": "travel by {item}",
        "reject": "no {item}",
    },
    requests={
        "accept": "{others} {want} {item}, but {user} {refusal}. @{user} Would you accept having “{item}” in the plan{place}, and give up your wish {dislike}?",
        "raise": "By the fares I found, the cheapest way there and back costs {floor} yuan, so the {budget} yuan of {user} will not do. @{user} Could you accept raising your budget to {value} yuan per person?",
    },
    dislikes={
        "sights": "not to visit “{item}”",
        "categories": "to avoid sights of the type “{item}”",
        "food": "not to eat “{item}”",
        "transport": "not to travel by “{item}”",
        "hotels": "to avoid “{item}”",
    },
    wants={
        "sights": "would like to see",
        "categories": "would like to see",
        "food": "would like to eat",
        "transport": "would like to travel by",
        "hotels": "would like to stay in",
    },
    refusals={
        "sights": "does not want to go there",
        "categories": "would rather not",
        "food": "does not want to eat it",
        "transport": "does not want to take it",
        "hotels": "would rather not",
    },
    progress={
        "known": ("A short summary: {facts}.", "Where we stand: {facts}.", "So far, {facts}."),
        "conflict": (
            "Opinions differ on {conflicts}.",
            "You do not agree yet about {conflicts}.",
            "Still to be reconciled: {conflicts}.",
        ),
        "policy": ("Where both cannot be had, I go by who feels more strongly, or we split up for a while.",),
        "budget": ("the tightest budget is that of {user}, {value} yuan per person",),
        "must": ("places newly noted as musts are {items}",),
        "item": ("{item} ({users})",),
        "clash": ("{item}{place} ({fans} for it, {foes} against)",),
        "plain": (
            "We are getting on well, only some details are missing.",
            "Nearly everything is clear, just a few questions more.",
            "Most of it is settled.",
        ),
    },
    place=" in {city}",
    skies={
        "少雨": "little rain",
        "台风": "typhoons possible",
        "晴": "sunny",
        "多云": "cloudy",
        "阴": "overcast",
        "雷": "thunder",
        "雨": "rain",
        "雪": "snow",
        "雾": "fog",
        "风": "windy",
        "湿": "humid",
        "潮": "damp",
        "干": "dry",
        "闷": "muggy",
        "热": "hot",
        "暖": "warm",
        "凉": "cool",
        "冷": "cold",
        "爽": "fresh",
        "舒适": "pleasant",
    },
    hours={
        "周一": "Mon",
        "周二": "Tue",
        "周三": "Wed",
        "周四": "Thu",
        "周五": "Fri",
        "周六": "Sat",
        "周日": "Sun",
        "至": " to ",
        "、": ", ",
        "；": "; ",
    },
    facts={
        "ticket": "the ticket for {name} is about {price} yuan per person",
        "free": "{name} needs no ticket",
        "hours": "the opening hours of {name} are {hours}",
        "always": "{name}: {hours}",
        "all_day": "{name} is open all day",
        "no_ticket": "I found no ticket price for {name}",
        "no_hours": "I found no opening hours for {name}",
        "meal": "{name} costs about {price} yuan per person",
        "cuisine": "in {city} I found {count} places for {word}, at about {span} yuan per person",
        "hotel": "{name} is about {price} yuan per person a night",
        "hotels": "{word} in {city} cost about {span} yuan per person a night",
        "address": "the address of {name} is {address}",
        "weather": "{city} {date}: {text}, {low} to {high} °C{rain}",
        "weather_after": "{date}: {text}, {low} to {high} °C{rain}",
        "rain": ", chance of rain {chance}",
        "span": "{low} to {high}",
        "date": "{month}/{day}",
        "no_weather": "I found no forecast for {city} on {date}",
        "services": "from {origin} to {destination} on {date} there are {count} {mode}, at {span} yuan, the first at {first}, the fastest in {hours}",
        "no_services": "I found no {mode} from {origin} to {destination} on {date}",
        "route": "from {origin} to {destination} it is about {distance} km, roughly {minutes} minutes {mode}",
        "drive": "driving from {origin} to {destination} is about {distance} km and takes roughly {hours}",
        "drive_cost": "{drive}, with fuel and tolls of about {cost} yuan per car",
        "web": "{text}",
        "unknown": "I found nothing reliable about {subject}",
    },
    closing={
        "route": "The plan is ready: we go {order} in this order; transport and hotels come to about {cost} yuan per person.",
        "stay": "The plan is ready: we stay in {order} throughout; transport and hotels come to about {cost} yuan per person.",
        "dear": "That is already more than {names} can spend.",
        "rides": "The way between the cities is not what {names} asked for.",
        "all": "Every place that was asked for by name is in it.",
        "disputed": "Some want to see {names} and some refuse to, so that is not planned.",
        "unmet": "Beside the time, the budgets and what else you wish for, there is no room for {names} this time.",
        "missed": "Not everybody who asked for a place is taken there: it is left out for {names}.",
        "unknown": "I could not find {names}, so that is not planned; please check the name if you want to go.",
        "driven": "I found no train or flight {legs}, so that way is planned by car for now; please check it.",
        "leg": "from {origin} to {destination}",
    },
    modes={
        "flights": "flights",
        "high_speed": "high-speed trains",
        "slow": "regular trains",
        "trains": "trains",
        "driving": "by car",
    },
    duration={"hours": "{hours} h {minutes} min", "minutes": "{minutes} min"},
    joiner="; ",
    list_joiner=", ",
    last_joiner=" and ",
    route_joiner=" – ",
    stop=".",
    gap=" ",
    asking="?",
)
PHRASES = {"zh": ZH_PHRASES, "en": EN_PHRASES}


def phrases(language: str) -> Phrases:
    """The phrases of a language; Chinese where there are none yet."""
    return PHRASES.get(language, ZH_PHRASES)
