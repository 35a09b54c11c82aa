# ruff: noqa: E501 - Chinese characters count double
"""What travellers ask for: words by intent, and words of a question that name nothing."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Intent = Literal[
    "weather", "services", "ticket", "hours", "meal", "hotel", "route", "drive", "address", "web"
]


@dataclass(frozen=True)
class Asks:
    """intents: patterns, the first that matches counts. verdicts: what of the weather is asked in a word. month, months:
    where a month is named, and the numbers of its names. filling: what is cut out before a name is looked for.

    back: words that reverse the direction of travel. modes: the mode a word stands for, by pattern.
    """

    intents: Mapping[Intent, str]
    verdicts: Mapping[str, str]
    month: str
    months: Mapping[str, int]
    filling: str
    back: str
    flights: str
    trains: str
    high_speed: str
    slow: str
    route_ends: str
    searches: Mapping[Intent, str]


ZH_ASKS = Asks(
    intents={
        "weather": r"天气|下雨|气温|温度|冷不冷|热不热|[冷热][吗么]|[很太挺会多更][冷热]|[冷热]得?(?:很|厉害)|晒|带伞|下雪|穿什么|穿多少|羽绒|厚外套",
        "route": r"(?:从|由).{1,15}(?:到|去).{1,15}(?:多远|多久|距离|公里|时间)|离.{1,15}(?:远|多远|多久)|怎么走",
        "drive": r"(?=.*(?:自驾|开车|驾车))(?=.*(?:多久|多长|多少|几点|几个?小时|钱|多远|公里))",
        "services": r"(?:高铁|火车|动车|飞机|航班|机票|车票|火车票|高铁票|车次|班次|直飞|列车)",
        "hours": r"开放|几点(?:开|关|闭|到|结束)|营业|开门|关门|闭馆|开馆|周[一二三四五六日天].{0,4}(?:开|闭)|什么时候(?:开|关)",
        "ticket": r"门票|票价|收费|免费|要钱|要不要票|入场|进去多少|票多少",
        "hotel": r"酒店|住宿|民宿|客栈|旅馆|一晚|房价|房费|住一",
        "meal": r"人均|餐厅|饭店|馆子|吃.{0,8}(?:多少|贵)|消费|一顿|好吃的.{0,4}多少|价位",
        "address": r"在哪|地址|位置|哪个区|怎么去",
        "web": r"",
    },
    verdicts={
        "cold": r"冷|保暖|羽绒|厚(?:衣|外套)|穿什么|穿多少",
        "hot": r"热|晒|防晒",
        "rain": r"雨|伞",
        "snow": r"雪",
    },
    month=r"(?<!\d)(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s*月(?!\s*\d)",
    months={str(number): number for number in range(1, 13)}
    | {
        name: number
        for number, name in enumerate(
            ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], 1
        )
    },
    filling=r"@\w+|请问|帮[我忙]{0,2}|麻烦|查一?下|查查|查询|看一?下|想问|问一?下|知道|门票|票价|价格|多少钱|大概|大约|是多少|多少|开放时间|营业时间|开放|营业|几点|什么时候|时间|开门|关门|闭馆|贵不贵|免费|收费|要钱|要预约|预约|人均|消费|地址|位置|在哪里|在哪儿|在哪|怎么样|怎么去|远不远|吗|呢|[?？]|的|一下|那边|那里|那家|一般|现在|目前|附近|有没有|有哪些|当天|周[一二三四五六日天]|到时候|我们|我想|这个|一张|一个人|一晚",
    back=r"返程|回程|回来|回去|返回",
    flights=r"飞机|航班|机票|直飞|飞",
    trains=r"高铁|火车|动车|列车|车票|车次",
    high_speed=r"高铁|动车",
    slow=r"火车|普速|普快|绿皮",
    route_ends=r"(?:从|由)(?P<a>.{1,15}?)(?:到|去)(?P<b>.{1,15}?)(?:有?多远|要?多久|距离|要|有|怎么走|大概|，|？|\?|的)",
    searches={"hotel": "酒店", "meal": "餐厅"},
)
EN_ASKS = Asks(
    intents={
        "weather": r"(?i)\b(?:weather|rain(?:y|ing)?|temperatures?|forecast|cold|hot|warm|sunny|umbrella|snow\w*|chilly|freez\w+|coats?|jackets?|wet|what (?:to|should (?:i|we)) wear)\b",
        "route": r"(?i)\bfrom\b.{1,40}\bto\b.{1,40}\b(?:far|long|distance|km|walk|taxi|drive|get)\b|\bhow (?:far|long)\b.{1,20}\bfrom\b.{1,40}\bto\b|\bdistance\b",
        "drive": r"(?i)(?=.*(?:自驾|\b(?:drive|driving|by car)\b))(?=.*\b(?:how (?:much|long|many|far)|costs?|price|hours|when)\b)",
        "services": r"(?i)高铁|火车|飞机|\b(?:high-?speed|rail|trains?|flights?|fly|flying|planes?|departures?|timetable|one way|bullet)\b",
        "hours": r"(?i)\b(?:open(?:s|ing)?|clos(?:e|es|ed|ing)|hours|what time|shut)\b",
        "ticket": r"(?i)\b(?:tickets?|admission|entry|entrance|get in(?:to)?|free|fee|cost to (?:enter|visit))\b",
        "hotel": r"(?i)酒店|民宿|客栈|旅馆|\b(?:hotels?|homestays?|hostels?|inns?|rooms?|a night|per night|nightly|apartments?|guest ?houses?|accommodation)\b",
        "meal": r"(?i)\b(?:restaurants?|meals?|eat(?:ing)?|dinner|lunch|breakfast|dish(?:es)?|food|cuisine|per person|a head)\b",
        "address": r"(?i)\b(?:where(?: is|['’]s| are)|address|located|location|how do (?:i|we) get to|district)\b",
        "web": r"",
    },
    verdicts={
        "cold": r"(?i)\b(?:cold|chilly|freez\w+|coats?|jackets?|warm clothes|wear)\b",
        "hot": r"(?i)\b(?:hot|heat|sunscreen|sunburn\w*)\b",
        "rain": r"(?i)\b(?:rain\w*|umbrellas?|wet)\b",
        "snow": r"(?i)\bsnow\w*\b",
    },
    month=r"(?i)\b(?P<month>january|february|march|april|may(?!\s+(?:i|we|you)\b)|june|july|august|september|october|november"
    r"|december)\b(?!\s*\d)",
    months={name.lower(): number for number, name in enumerate(month_name) if name},
    filling=r"(?i)@\w+|\b(?:what|when|where|how|which|is|are|do|does|will|would|can|could|the|a|an|of|for|to|in|at|by|with|on|that|those|there|it|be|go|get|into|much|many|long|far|about|roughly|please|you|me|us|we|i|tell|ticket|tickets|price|cost|costs|admission|open|opens|opening|close|closes|closing|hours|time|entry|weather|night|person|day|days|earliest|departure|one|way|trip|take|around|and|check|know|like|need)\b|[?.,!]",
    back=r"(?i)\b(?:way back|back home|return(?:ing)?|going home|come back)\b",
    flights=r"(?i)飞机|\b(?:flights?|fly|flying|planes?|air)\b",
    trains=r"(?i)高铁|火车|\b(?:trains?|rail|high-?speed|bullet|railway)\b",
    high_speed=r"(?i)高铁|\b(?:high-?speed|bullet|hsr)\b",
    slow=r"(?i)火车|\b(?:regular|ordinary|conventional|slow) (?:trains?|rail)\b",
    route_ends=r"(?i)\bfrom\s+(?P<a>.{1,40}?)\s+to\s+(?P<b>.{1,40}?)(?:\s+(?:by|take|far|and|on|is|it)\b|[?,.]|$)",
    searches={"hotel": "酒店", "meal": "餐厅"},
)
ASKS = {"zh": ZH_ASKS, "en": EN_ASKS}


def asks(language: str) -> Asks:
    """The words of questions; Chinese where there are none yet."""
    return ASKS.get(language, ZH_ASKS)
