"""What a question may be about, and which parts of the user's knowledge answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmark.text import guarded


@dataclass(frozen=True, slots=True)
class Topic:
    """question_words: what a question about it says. answer_words: what its answer says. habit: who the user is may
    tell it.
    """

    name: str
    question_words: guarded.Pattern
    answer_words: guarded.Pattern
    habit: bool = True


def _topic(name: str, asked: str, told: str, *, habit: bool = True) -> Topic:
    patterns = [guarded.compile(words, guarded.IGNORECASE) for words in (asked, told)]
    return Topic(name, patterns[0], patterns[1], habit=habit)


TOPICS = (
    _topic(
        "when",
        r"什么时候|几点|哪天|哪一天|日期|时间|出发时|何时|\bwhen\b|what (?:time|day|date)|which (?:day|date)",
        r"\d+月|\d+日|\d+号|周[一二三四五六日天末]|今[天晚]|明[天早晚]|后天|上午|下午|晚上|早上"
        r"|\b(?:today|tonight|tomorrow|morning|noon|afternoon|evening|weekend|\d+ (?:jan|feb|mar|apr|may|june?|july?"
        r"|aug|sep|oct|nov|dec)\w*)\b",
        habit=False,
    ),
    _topic(
        "where",
        r"哪里|哪儿|哪一?[带片块]|哪个(?:城市|地方|区域|地点)|从哪|去哪|到哪|目的地|出发地|起点|终点|地点|位置|区域"
        r"|\bwhere\b|which (?:city|place|area|part)|destination|starting point",
        r"从|去|到|在.+(?:附近|一带|周边)|附近|\b(?:from|to|in|near|around|not far)\b",
        habit=False,
    ),
    _topic(
        "money",
        r"预算|价位|人均|多少钱|价格|花费|\bbudget\b|\bprice|\bspend|how much|expensive",
        r"元|预算|价格|价位|便宜|\bCNY\b|\byuan\b|budget|inexpensive|cheap",
    ),
    _topic(
        "food",
        r"口味|菜系|忌口|吃什么|想吃|辣|cuisine|\bfood\b|\beat\b|\btaste|\bdiet",
        r"菜|餐|口味|吃|茶|辣|\bfood\b|dishes|cuisine|lunch|dinner|cantonese|\bmeat\b|hot pot",
    ),
    _topic(
        "way",
        r"怎么去|交通|开车|自驾|打车|地铁|高铁|飞机|公共交通|出行方式|transport|\bdriv|\bmode\b|\bmetro\b|\btrain|\bfly\b",
        r"自驾|驾车|开车|地铁|高铁|飞机|公共交通|公交|步行|骑|metro|train|\bcar\b|on foot|walk|public transport",
    ),
    _topic(
        "lodging",
        r"酒店|住宿|住哪|住在|房型|hotel|\bstay\b|lodging",
        r"酒店|住宿|民宿|旅舍|住|hotel|hostel",
    ),
    _topic(
        "company",
        r"几个人|几位|多少人|和谁|同行|孩子|老人|how many (?:people|of you)|\bwho\b|children|companions",
        r"一家|两个人|父母|爸妈|孩子|朋友|家庭|妻子|丈夫|[一二三四五六七八九十\d]+[口个]?人"
        r"|couple|family|children|for (?:two|three|four|\d+)",
    ),
    _topic(
        "likes",
        r"偏好|喜欢|兴趣|类型|想看|想玩|景点|风格|找什么|想要什么|做什么|prefer|\blike\b|interest|what kind|what sort"
        r"|sights|looking for|what do you (?:want|need)",
        r"喜欢|想看|爱|偏好|景|园|博物馆|安静|不去|菜|清淡|\blike|temple|museum|sights|relaxed|quiet|cantonese|cuisine|\bmeat\b",
    ),
)


def asked_about(question: str) -> Iterator[Topic]:
    """The topics of a question, in the order of `TOPICS`."""
    return (topic for topic in TOPICS if topic.question_words.search(question))
