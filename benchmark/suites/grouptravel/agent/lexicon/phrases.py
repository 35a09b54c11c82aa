# ruff: noqa: E501 - Chinese characters count double, and templates are not wrapped
"""What the agent itself says: phrase tables by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.text import guarded

INF = float("inf")
_VENUE = guarded.compile(r"[厅馆吧店室]$")


@dataclass(frozen=True)
class Phrases:
    """Templates for str.format; every tuple holds equal alternatives.

    figures: questions for a number; `sights_a_day` and `hours_a_day`: the one limit that is not known yet. things: how a
    question names what it is about, by subject. asks: questions about {things}, and asks_rest where something is
    known already; those about a city follow one of its headings ({city}). requests: what leads to a plea, by what is
    asked: to `accept` what somebody dislikes, to raise a cap (`fare`: the way alone costs more than the budget).
    pleas: by subject, and for the `venues` among food, what somebody is asked to do, never what to stop refusing. yield_thanks: thanks by the answer to
    such a request. wants, refusals: by subject, what fans and foes of an item do. sides: the same in a
    summary: of who refuses, would rather not, would like, insists. echoes: by table list, what somebody has just insisted on. facts: answers by intent. closing: what
    precedes the plan: the route, what is `spent`, the limits that it does not keep (budgets with who is `over`), then `all` wishes met or those `disputed` (left out, and somebody refuses them), `unmet`
    (known, but left out), `missed` by some of those who asked for them and `unknown` to every
    tool; who goes `hungry` for which `meals` of a city. place: how a city is added to an item. bracket: what stands before those who are at odds. skies: what to call the signs of weather in
    the world's words, empty where these stay as they are. hours: the same for the words of opening hours. verdicts: what follows from the weather, each up to a figure (lowest
    or highest °C, share of rain). modes: how services and ways to go are called. duration: hours and
    minutes. joiner, list_joiner, last_joiner (before the last of a list), last_thing (the same, of things asked about), route_joiner, stop (ends a sentence), gap
    (between sentences), asking (ends a question): how texts are put together. Names of tables' fields never appear.
    """

    figures: Mapping[str, tuple[str, ...]]
    things: Mapping[Subject, tuple[str, ...]]
    asks: tuple[str, ...]
    asks_rest: tuple[str, ...]
    city_headings: tuple[str, ...]
    first_links: tuple[str, ...]
    more_links: tuple[str, ...]
    openings: tuple[str, ...]
    thanks: tuple[str, ...]
    yield_thanks: Mapping[str, tuple[str, ...]]
    echo: tuple[str, ...]
    echoes: Mapping[str, str]
    requests: Mapping[str, tuple[str, ...]]
    pleas: Mapping[str, tuple[str, ...]]
    wants: Mapping[str, str]
    refusals: Mapping[str, str]
    sides: Mapping[str, tuple[str, str, str, str]]
    progress: Mapping[str, tuple[str, ...]]
    place: str
    bracket: str
    skies: Mapping[str, str]
    hours: Mapping[str, str]
    verdicts: Mapping[str, tuple[tuple[float, str], ...]]
    facts: Mapping[str, str]
    closing: Mapping[str, str]
    modes: Mapping[str, str]
    duration: Mapping[str, str]
    joiner: str
    list_joiner: str
    last_joiner: str
    last_thing: str
    route_joiner: str
    stop: str
    gap: str
    asking: str

    def join_names(self, names: Iterable[str], last_joiner: str = "") -> str:
        """Names as the language lists them. last_joiner: what stands before the last instead."""
        *before, last = names
        joiner = last_joiner or self.last_joiner
        return joiner.join([*([self.list_joiner.join(before)] if before else []), last])

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, as the language spaces them; empty ones leave no trace."""
        return self.gap.join(sentence for sentence in sentences if sentence)


ZH_PHRASES = Phrases(
    figures={
        "budget": (
            "个人预算的上限大概是多少元",
            "你自己这趟最多能花多少钱",
            "这一趟的花费，你的上限是多少",
            "你的预算封顶是人均多少元",
        ),
        "intensity": (
            "每天最多逛几个景点、活动几个小时",
            "一天最多能接受几个景点、几个小时",
            "一天下来，逛几个景点、在外面几个小时是你的上限",
            "你一天最多走几个景点、玩几个小时",
        ),
        "sights_a_day": ("每天最多逛几个景点", "一天最多能接受几个景点", "你一天逛几个景点就够了"),
        "hours_a_day": ("每天最多活动几个小时", "一天最多能玩几个小时", "你一天在外面最多几个小时"),
    },
    things={
        "transport": ("往返交通", "大交通", "来回的交通"),
        "hotels": ("住宿", "酒店类型", "住处"),
        "sights": ("景点", "要去的地方", "想看的地方", "想逛的地方"),
        "categories": ("景点类型", "景点的类别", "游玩的风格", "景点的种类", "游玩类型"),
        "food": ("美食", "饮食", "口味", "吃喝", "餐饮"),
    },
    asks=(
        "你对{things}有什么要求",
        "{things}上，有什么偏好和忌讳",
        "{things}，你是怎么想的",
        "{things}怎么安排你才满意",
        "关于{things}，有什么讲究",
        "{things}，哪些合意、哪些不行",
        "在{things}上，你有什么想法",
        "{things}，合你心意的是怎样的",
        "{things}有什么一定要照顾到的",
        "你在{things}上看重什么、忌讳什么",
    ),
    asks_rest=(
        "关于{things}，除了你提过的，还有什么想法",
        "{things}还有什么要补充的",
        "{things}还有什么没提到的讲究",
        "{things}还有别的偏好和忌讳吗",
        "{things}还有什么没说到的",
        "对{things}还有别的要求吗",
        "{things}，还有哪些没提到的偏好",
        "{things}还有其他要照顾到的吗",
    ),
    city_headings=("{city}这边，", "在{city}的时候，", "到了{city}，", "{city}那几天，"),
    first_links=("", "想问下，", "请教一下，", ""),
    more_links=("另外，", "还有，", "顺便问一句，", "再就是，"),
    openings=(
        "各位的想法都看到了，还缺的我一个一个来问。",
        "大家好，开场说的我都记下了，还有些细节要问清楚。",
        "收到，我先把没说到的问一遍，再来排行程。",
    ),
    thanks=(
        "好的，记下了。",
        "明白。",
        "收到。",
        "了解。",
        "好，这下清楚了。",
        "嗯，知道了。",
        "好，有数了。",
        "行，我记着。",
        "谢谢，很清楚。",
        "好嘞。",
    ),
    yield_thanks={
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
        "must": "往返要{item}",
        "reject": "往返不要{item}",
    },
    requests={
        "accept": (
            "{item}这件事上，{others}{want}，{user}{refusal}。",
            "关于{item}，{others}{want}，{user}{refusal}。",
        ),
        "fare": ("按查到的票价，往返最低也要{floor}元，{user}的预算{budget}元不太够。",),
        "budget": (
            "照大家的愿望排下来，{user}要花{value}元左右，超出了{budget}元的预算。",
            "行程我先排了一版，{user}的花费到了{value}元左右，比说好的{budget}元多。",
        ),
        "sights_a_day": (
            "照大家的愿望排下来，最满的那天有{value}个景点，{user}说的是最多{budget}个。",
            "点名要去的地方多，最满的那天要逛{value}个，比{user}说的{budget}个多。",
        ),
        "hours_a_day": (
            "照大家的愿望排下来，最长的那天在外面要{value}个小时，{user}说的是最多{budget}个小时。",
            "行程我先排了一版，最满的那天要{value}个小时，比{user}的{budget}个小时长。",
            "有一天路程远，连玩带赶路要{value}个小时，超出了{user}说的{budget}个小时。",
        ),
    },
    pleas={
        "sights": ("你愿意接受去一次{place}的「{item}」吗", "可以接受在{place}安排「{item}」吗"),
        "categories": ("你愿意接受在{place}安排一处「{item}」吗", "可以接受在{place}逛一处「{item}」吗"),
        "food": ("你愿意接受在{place}安排一顿「{item}」吗", "可以接受在{place}吃一顿「{item}」吗"),
        "venues": ("你愿意接受在{place}去「{item}」坐一次吗", "可以接受在{place}安排去一回「{item}」吗"),
        "transport": ("你愿意接受这趟选「{item}」吗",),
        "hotels": ("你愿意接受住「{item}」吗",),
        "budget": ("你能接受把人均预算提高到{value}元吗", "把你的人均预算提高到{value}元，可以吗"),
        "sights_a_day": (
            "你能接受把每天的上限提高到{value}个景点吗",
            "每天的上限提高到{value}个景点，你能接受吗",
        ),
        "hours_a_day": (
            "你能接受把每天的上限提高到{value}个小时吗",
            "每天的上限提高到{value}个小时，你能接受吗",
        ),
    },
    wants={"sights": "想去", "categories": "想逛", "food": "想吃", "transport": "想坐", "hotels": "想住"},
    refusals={
        "sights": "不去",
        "categories": "不想逛",
        "food": "不吃",
        "transport": "不想坐",
        "hotels": "不想住",
    },
    sides={
        "sights": ("不去", "不想去", "想去", "想去"),
        "categories": ("不想逛", "不想逛", "想逛", "想逛"),
        "food": ("不吃", "不太想吃", "想吃", "一定要吃"),
        "transport": ("不坐", "不想坐", "想坐", "一定要坐"),
        "hotels": ("不想住", "不想住", "想住", "想住"),
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
        "same_budget": ("大家的预算都是人均{value}元以内",),
        "must": ("新记下的必去之处有{items}",),
        "item": ("{item}（{users}）",),
        "clash": ("{place}{item}（{fans}，{foes}）",),
        "plain": ("进展顺利，还差几处细节。", "差不多清楚了，再问几句。", "大部分都有数了。"),
    },
    place="{city}",
    bracket="（",
    skies={},
    hours={},
    verdicts={
        "cold": (
            (1, "很冷，要穿羽绒服"),
            (6, "冷，羽绒服或厚外套用得上"),
            (12, "早晚偏冷，带件厚外套"),
            (18, "不算冷，早晚加件外套就行"),
            (INF, "不冷，穿单衣就行"),
        ),
        "hot": (
            (24, "不热"),
            (29, "暖和，白天稍热"),
            (34, "热，注意防晒"),
            (INF, "很热，中午少在外面走"),
        ),
        "rain": (
            (0.2, "下雨的可能不大，伞可以不带"),
            (0.5, "有可能下雨，带把伞稳妥"),
            (INF, "多半会下雨，要带伞"),
        ),
        "snow": ((0.5, "看不出要下雪"), (INF, "有可能下雪")),
    },
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
        "weather": "{date}{text}，{low}到{high}度{rain}",
        "usual": "{date}往年一般{text}，{low}到{high}度{rain}",
        "usual_bare": "{date}往年一般{low}到{high}度{rain}",
        "weather_rest": "{date}以后的还没有预报",
        "season": "{city}还没有那几天的预报，往年{month}月：{text}",
        "season_search": "{city}{month}月天气 气候",
        "where": "{city}",
        "on": "{day}",
        "dates": "{first}到{last}",
        "month": "{month}月",
        "rain": "，降雨概率{chance}",
        "span": "{low}到{high}",
        "date": "{month}月{day}日",
        "no_weather": "没有查到{city}{date}的天气",
        "services": "{date}从{origin}到{destination}有{count}趟{mode}，票价{span}元，最早{first}出发，最快{hours}",
        "no_services": "没有查到{date}从{origin}到{destination}的{mode}",
        "route": "从{origin}到{destination}约{distance}公里，{mode}大概{minutes}分钟",
        "drive": "从{origin}自驾到{destination}约{distance}公里，大概{hours}",
        "drive_cost": "{drive}，油费和过路费每辆车约{cost}元",
        "web": "{text}",
        "unknown": "{subject}我没有查到可靠的信息",
        "put_off": "一次问得比较多，{users}余下的问题我还没查，请再问一遍",
    },
    closing={
        "route": "行程排好了：按{order}的顺序走，大交通和住宿人均约{cost}元。",
        "stay": "行程排好了：这几天都在{order}，大交通和住宿人均约{cost}元。",
        "spent": "加上餐费，计入预算的每人约{counted}元；门票和市内交通不计入预算，每人另约{extra}元。",
        "budget": "算上吃的，花费会超出预算的有{names}。",
        "over": "{user}（约{value}元，说好最多{cap}元）",
        "sights_a_day": "最满的一天有{value}个景点，比{names}说的多。",
        "hours_a_day": "最长的一天连玩带赶路要{value}个小时，比{names}说的长。",
        "rides": "大交通没能照顾到{names}的要求。",
        "all": "大家点名要去的地方都排进去了。",
        "disputed": "有人想去、有人不去，这次没有排的是{names}。",
        "unmet": "没能排进去的有{names}。",
        "missed": "点名要去的人里有没排上的：{names}。",
        "hungry": "一定要吃、这次没能排上的有{meals}。",
        "meals": "{city}的{items}",
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
    duration={"hours": "{hours}小时{minutes}分", "whole_hours": "{hours}小时", "minutes": "{minutes}分钟"},
    joiner="；",
    list_joiner="、",
    last_joiner="、",
    last_thing="和",
    route_joiner="—",
    stop="。",
    gap="",
    asking="？",
)
EN_PHRASES = Phrases(
    figures={
        "budget": (
            "how much can you personally spend on this trip at most, in yuan",
            "what is the upper limit of your own budget for the whole trip, in yuan",
            "how many yuan per person is the most you would spend",
        ),
        "intensity": (
            "how many sights a day and how many hours a day are the most you can take",
            "what is the most you can take in a day: how many sights, and how many hours out",
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
    things={
        "transport": ("round-trip transport", "the means of transport", "the journey there and back"),
        "hotels": ("hotels", "the type of hotel", "a place to stay"),
        "sights": ("sights", "places to visit", "places to see"),
        "categories": ("kinds of sights", "types of attractions", "sorts of places", "kinds of attractions"),
        "food": ("food", "eating", "meals", "dishes"),
    },
    asks=(
        "what are your wishes for {things}",
        "what would you like or dislike when it comes to {things}",
        "how do you feel about {things}",
        "what are your likes and dislikes in {things}",
        "as to {things}, what suits you and what does not",
        "what are your preferences for {things}",
        "what do you have in mind for {things}",
        "when it comes to {things}, what is a yes and what is a no for you",
        "what do you look for in {things}",
    ),
    asks_rest=(
        "besides what you said, what are your wishes for {things}",
        "when it comes to {things}, what else would you like or dislike",
        "what else matters to you in {things}",
        "as to {things}, what else suits you or does not",
        "what else do you have in mind for {things}",
        "is there anything else to know about {things}",
        "what other preferences do you have for {things}",
    ),
    city_headings=("for {city}, ", "about {city}, ", "once in {city}, ", "for the days in {city}, "),
    first_links=("", "may I ask, ", "a question: ", ""),
    more_links=("Also, ", "And ", "One more thing: ", "Next, "),
    openings=(
        "I have read what everyone wrote; now I will ask each of you for what is still missing.",
        "Hello all, your first messages are noted, and I have a few details to clear up.",
        "Thanks, I will first go through what has not been said yet and then work out the days.",
    ),
    thanks=(
        "Good, noted.",
        "Understood.",
        "Thank you.",
        "All right.",
        "That makes it clear.",
        "Good to know.",
        "I have that down.",
        "Thanks, that helps.",
        "Got it.",
    ),
    yield_thanks={
        "agreed": ("Thank you for being so understanding.", "Good, settled then.", "Thanks for giving way."),
        "refused": ("All right, I will not press you.", "Understood, that stays as it is."),
        "unclear": ("All right.",),
    },
    echo=("Good, {wishes}, I will remember that.", "Noted for {user}: {wishes}.", "Clear: {wishes}."),
    echoes={
        "must_visit": "a visit to {item}",
        "reject_visit": "no visit to {item}",
        "must_eat": "{item} for at least one meal",
        "reject_eat": "no {item}",
        "must": "{item} for the way there and back",
        "reject": "no {item}",
    },
    requests={
        "accept": (
            "{others} {want} {item}, but {user} {refusal}.",
            "About {item}: {others} {want} it, and {user} {refusal}.",
        ),
        "fare": (
            "By the fares I found, the cheapest way there and back costs {floor} yuan, so the {budget} yuan of {user} will not do.",
        ),
        "budget": (
            "By what you all wish for, the trip comes to about {value} yuan for {user}, more than the {budget} yuan they set.",
            "My first draft costs {user} about {value} yuan, and the budget was {budget}.",
        ),
        "sights_a_day": (
            "By what you all wish for, the fullest day holds {value} sights, and {user} said {budget} at most.",
            "So many sights were asked for that one day needs {value} of them, more than the {budget} that {user} set.",
        ),
        "hours_a_day": (
            "By what you all wish for, the longest day takes {value} hours, more than the {budget} that {user} set.",
            "In my first draft the longest day takes {value} hours, and {user} said {budget} at most.",
            "One day covers long distances and takes {value} hours, more than the {budget} that {user} set.",
        ),
    },
    pleas={
        "sights": (
            "Would you accept one visit to “{item}”{place}",
            "Would one visit to “{item}”{place} be acceptable",
        ),
        "categories": (
            "Would you accept one sight of the type “{item}”{place}",
            "Would one sight of the type “{item}”{place} be acceptable",
        ),
        "food": (
            "Would you accept one meal of “{item}”{place}",
            "Would one meal of “{item}”{place} be acceptable",
        ),
        "venues": (
            "Would you accept a stop at “{item}”{place}",
            "Would a stop at “{item}”{place} be acceptable",
        ),
        "transport": ("Would you accept “{item}” for this trip",),
        "hotels": ("Would you accept staying in “{item}”",),
        "budget": (
            "Could you accept raising your budget to {value} yuan per person",
            "Would a higher budget of {value} yuan per person be acceptable",
        ),
        "sights_a_day": (
            "Could you accept raising your limit to {value} sights a day",
            "Would it be all right to raise your limit to {value} sights a day",
        ),
        "hours_a_day": (
            "Could you accept raising your limit to {value} hours a day",
            "Would it be all right to raise your limit to {value} hours a day",
        ),
    },
    wants={
        "sights": "would like to see",
        "categories": "would like to see",
        "food": "would like to eat",
        "transport": "would like",
        "hotels": "would like to stay in",
    },
    refusals={
        "sights": "does not want to go there",
        "categories": "would rather not",
        "food": "does not want to eat it",
        "transport": "does not want it",
        "hotels": "would rather not",
    },
    sides=dict.fromkeys(
        ("sights", "categories", "food", "transport", "hotels"),
        (" against", " against", " for it", " for it"),
    ),
    progress={
        "known": ("A short summary: {facts}.", "Where we stand: {facts}.", "So far, {facts}."),
        "conflict": (
            "Opinions differ on {conflicts}.",
            "You do not agree yet about {conflicts}.",
            "Still to be reconciled: {conflicts}.",
        ),
        "policy": ("Where both cannot be had, I go by who feels more strongly, or we split up for a while.",),
        "budget": ("the tightest budget is {value} yuan per person ({user})",),
        "same_budget": ("all of you have the same budget, {value} yuan per person",),
        "must": ("newly noted as a must: {items}",),
        "item": ("{item} ({users})",),
        "clash": ("{item}{place} ({fans}, {foes})",),
        "plain": (
            "We are getting on well, only some details are missing.",
            "Nearly everything is clear, just a few questions more.",
            "Most of it is settled.",
        ),
    },
    place=" in {city}",
    bracket=" (",
    skies={
        "少雨": "mostly dry",
        "台风": "at risk of typhoons",
        "晴": "sunny",
        "多云": "cloudy",
        "阴": "overcast",
        "雷": "thundery",
        "雷雨": "thundery",
        "雷阵雨": "thundery",
        "闷热": "muggy",
        "雨": "rainy",
        "雪": "snowy",
        "雾": "foggy",
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
        "~": " to ",
        "、": ", ",
        "；": "; ",
    },
    verdicts={
        "cold": (
            (1, "that is very cold, take a down coat"),
            (6, "that is cold, a down or thick coat is of use"),
            (12, "mornings and evenings are rather cold, take a warm jacket"),
            (18, "that is not too cold, a jacket for the evening will do"),
            (INF, "that is not cold, light clothes will do"),
        ),
        "hot": (
            (24, "that is not hot"),
            (29, "that is warm, a little hot around noon"),
            (34, "that is hot, mind the sun"),
            (INF, "that is very hot, better to stay inside around noon"),
        ),
        "rain": (
            (0.2, "rain is not likely, you can do without an umbrella"),
            (0.5, "it may rain, an umbrella is a good idea"),
            (INF, "it will probably rain, take an umbrella"),
        ),
        "snow": ((0.5, "nothing points to snow"), (INF, "it may snow")),
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
        "weather": "it will be {text} {date}, {low} to {high} °C{rain}",
        "usual": "it is usually {text} {date}, {low} to {high} °C{rain}",
        "usual_bare": "it is usually {low} to {high} °C {date}{rain}",
        "weather_rest": "there is no forecast yet for after {date}",
        "season": "there is no forecast yet for {city}; in most years, in month {month}: {text}",
        "season_search": "{city}{month}月天气 气候",
        "where": "in {city}, ",
        "on": "on {day}",
        "dates": "from {first} to {last}",
        "month": "in {name}",
        "rain": ", chance of rain {chance}",
        "span": "{low} to {high}",
        "date": "{name} {day}",
        "no_weather": "I found no forecast for {city} on {date}",
        "services": "from {origin} to {destination} on {date} there are {count} {mode}, at {span} yuan, the first at {first}, the fastest in {hours}",
        "no_services": "I found no {mode} from {origin} to {destination} on {date}",
        "route": "from {origin} to {destination} it is about {distance} km, roughly {minutes} minutes {mode}",
        "drive": "driving from {origin} to {destination} is about {distance} km and takes roughly {hours}",
        "drive_cost": "{drive}, with fuel and tolls of about {cost} yuan per car",
        "web": "{text}",
        "unknown": "I found nothing reliable about {subject}",
        "put_off": "these were more questions than I answer at once, so {users}, please ask the rest again",
    },
    closing={
        "route": "The plan is ready: we go {order} in this order; transport and hotels come to about {cost} yuan per person.",
        "stay": "The plan is ready: we stay in {order} throughout; transport and hotels come to about {cost} yuan per person.",
        "spent": "With meals, about {counted} yuan each count against your budgets; tickets and local transport come to about {extra} yuan more each.",
        "budget": "Meals included, this is over budget for {names}.",
        "over": "{user} (about {value} yuan, {cap} at most)",
        "sights_a_day": "The fullest day holds {value} sights, more than {names} wanted.",
        "hours_a_day": "The longest day, travel included, takes {value} hours, longer than {names} wanted.",
        "rides": "The way between the cities is not what {names} asked for.",
        "all": "Every place that was asked for by name is in it.",
        "disputed": "Left out, with some of you for it and some against: {names}.",
        "unmet": "I could not fit in {names}.",
        "missed": "Not everybody who asked for a place is taken there: it is left out for {names}.",
        "hungry": "Of what you insist on eating or drinking, I could not fit in {meals}.",
        "meals": "{items} in {city}",
        "unknown": "I could not find {names}, so that is not planned; please check the name if you want to go.",
        "driven": "I found no train or flight {legs}, so that way is planned by car for now; please check it.",
        "leg": "from {origin} to {destination}",
    },
    modes={
        "flights": "flights",
        "high_speed": "high-speed trains",
        "slow": "slow trains",
        "trains": "trains",
        "driving": "by car",
    },
    duration={"hours": "{hours} h {minutes} min", "whole_hours": "{hours} h", "minutes": "{minutes} min"},
    joiner="; ",
    list_joiner=", ",
    last_joiner=" and ",
    last_thing=" and ",
    route_joiner=" – ",
    stop=".",
    gap=" ",
    asking="?",
)
PHRASES = {"zh": ZH_PHRASES, "en": EN_PHRASES}


def is_venue(item: str) -> bool:
    """Whether a name of food is a place: one goes there, and does not eat it."""
    return bool(_VENUE.search(item))


def manner(subject: str, item: str) -> str:
    """The subject in whose words an item is wanted or refused."""
    return "sights" if subject == "food" and is_venue(item) else subject


def phrases(language: str) -> Phrases:
    """The phrases of a language; Chinese where there are none yet."""
    return PHRASES.get(language, ZH_PHRASES)
