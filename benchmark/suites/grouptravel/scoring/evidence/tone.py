# ruff: noqa: E501 - Chinese characters count double, and word lists read best as running text
"""Whether a clause wants something or would rather be without it, and how firmly it says so."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from benchmark.text import guarded


class Tone(NamedTuple):
    """wanted: None where a clause says neither, or both. firm: None where it does not say how firmly."""

    wanted: bool | None
    firm: bool | None


_FIRM = (
    r"一定|必须|必需|务必|肯定|绝对|坚决|打死|说什么也|无论如何|死活|非[^，,。]{1,24}不|必[去吃看逛坐住到玩尝]|只认|认准|底线|拒绝|从不|"
    r"\bmust\b|\bha(?:ve|s) to\b|\babsolutely\b|\bdefinitely\b|\bcertainly\b|\binsist|\bnever\b|\brefus|\bessential\b|"
    r"\bnon-?negotiable\b|\bonly by\b|\bhate|\ballergic\b|\b(?:won['’]?t|will not|cannot|can['’]?t)\b|\bno way\b"
)
_MILD = (
    r"最好|尽量|如果可以|可以的话|可能的话|比较|更(?:想|喜欢|倾向|舒服)|倾向|偏(?:好|向|爱)|希望|不太|能避|算了|挺|有点|优先|"
    r"\bprefer|\bideally\b|\bif possible\b|\brather\b|\bquite\b|\bwould like\b|['’]d (?:quite |really )?like\b|\btry to\b|"
    r"\bbit better\b|\bmore drawn\b|\bnot (?:too|very|so)\b|\bwould be (?:nice|good|great|lovely)\b|\bif we can help it\b"
)
_WANT = (
    r"想|喜欢|(?<![可亲])爱(?=[吃去逛看坐住玩喝]|好)|偏爱|一定|必须|必需|务必|肯定|必(?=[去吃看逛坐住到玩尝打])|(?<!需)要(?!求|是|不|紧|么)|需要|"
    r"希望|最好|倾向|偏好|中意|感兴趣|期待|尝尝|得(?=[去吃看逛坐住有安])|只认|认准|首选|优先|盼|向往|舒服|"
    r"\bwant|\blik(?:e|es|ed|ing)\b|\blov(?:e|es|ed)\b|\bprefer(?! not)|\bmust\b|\bhop(?:e|ing)\b|\bkeen\b|\benjoy|"
    r"\bneed|\bha(?:ve|s) to\b|\bplease\b|\binclude\b|\bfond\b|\binterest(?:ed|ing)\b|\bfavou?rite|\blook(?:ing)? forward\b|"
    r"\binsist|\bdrawn to\b|\bsuits?\b|\bdying to\b|\bcraving\b|\bideally\b|\bessential\b|\bhappy (?:to|with)\b|\bonly by\b"
)
_AVERSION = (
    r"不(?!过|仅|但|只|论|管|如|知|多|少|错|介意|反对|可思议)|没(?:有)?(?:什么)?(?:兴趣|意思|感觉)|(?<![特分区告性级])别(?![的墅人处致样])|避(?=开|免|着|之|就)|"
    r"回避|拒绝|讨厌|反感|算了|免了|忌(?:口|讳)?|过敏|受不了|腻|除外|排除|跳过|放弃|勿|"
    r"\bnot\b(?! only)|n['’]t\b|\bnever\b|\bno(?! more| later| less)\b|\bnor\b|\bavoid|\bskip|\bhat(?:e|es|ed)\b|\bdislik|\brefus|"
    r"\breject|\ballergic\b|\bwithout\b|\bdetest|\bloathe|\b(?:sick|tired) of\b|\bleave out\b|\brule out\b|"
    r"\bout of the question\b|\boff the (?:list|table|menu)\b|\bsteer clear\b|\bstay away\b|\binstead of\b|\bto a minimum\b|\brather than\b"
)
_WANTED_ALL_THE_SAME = (
    r"非[^，,。]{1,24}不(?:可|行)|非[^，,。]{1,24}莫属|不(?:可|能|容|想|要|愿)?(?:错过|少|缺|落下|漏掉)|少不了|必不可少|不可或缺|不能没有|不得不|不虚此行|"
    r"不是不|没有?[^，,。]{1,16}不(?:行|可)|少了[^，,。]{1,16}不(?:行|可)|不去[^，,。]{0,8}(?:后悔|可惜|遗憾|白来)|不介意|不反对|没问题|不错|"
    r"(?:n['’]t|\bnot|\bnever|\bcannot)\s+(?:want to |wish to |afford to |like to )?(?:be )?(?:miss(?:ed)?|skip(?:ped)?|mind|leave out|go without|do without|wait)\b|"
    r"\bno matter what\b|\b(?:wouldn['’]t|not) say no\b|\bno problem\b|\bwithout fail\b|\b(?:not|n['’]t) (?:leaving|going|coming)(?: home)? without\b|\bcould do with\b"
)
_OPEN = r"(?P<twice>[能要是想好行去吃])不(?P=twice)|可不可以|要不(?!是|得|了)|\bwhy not\b"
_FILLER = r"[我咱是都也还就可能会再去大家你们的多\s]{0,4}"
_AFTER = r"(?:[太大怎么很再是会能可特别那]{0,3}(?:想|喜欢|爱|要|愿意|希望|感兴趣)|\s+(?:really |very |too |so |that |all that )?(?:want|like|love|prefer|need|have to|keen|fond|interested|interesting|enjoy|include|please)\w*)?"
_WANTS = f"(?:(?:{_WANT}){_FILLER})"
_SIGNS = guarded.compile(
    rf"(?P<open>{_OPEN})|(?P<same>{_WANTED_ALL_THE_SAME})|(?P<no>{_WANTS}*(?:{_AVERSION}){_AFTER})|(?P<yes>{_WANTS}+)",
    guarded.IGNORECASE,
)
"""A run of wants is one sign: if each were one, what follows would be read again behind each."""
_EXCEPT = guarded.compile(r"除了|除开|\b(?:except|apart from|besides)\b", guarded.IGNORECASE)
_IS_FIRM, _IS_MILD = guarded.compile(_FIRM, guarded.IGNORECASE), guarded.compile(_MILD, guarded.IGNORECASE)


@lru_cache(maxsize=4096)
def tone_of(clause: str) -> Tone:
    """The tone of a clause from which the names of what it speaks of were taken out."""
    signs = {match.lastgroup != "no" for match in _SIGNS.finditer(clause) if match.lastgroup != "open"}
    wanted = signs.pop() if len(signs) == 1 and not _EXCEPT.search(clause) else None
    if _IS_MILD.search(clause):
        return Tone(wanted, firm=False)
    return Tone(wanted, firm=True if _IS_FIRM.search(clause) else None)
