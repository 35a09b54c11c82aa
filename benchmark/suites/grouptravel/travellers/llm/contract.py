"""The behaviour contract as far as code can check it (GroupTravelBench, A.5 and D.8): pure functions, with evidence.

What needs judgement (a repeated preference, advice, small talk, a wrong tone) is left to the prompt. A `[pass]` of a
traveller who is mentioned is left to the engine, which asks three times and then spends the mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmark.core.actions import PASS
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.markers import FIELD_NAMES
from benchmark.suites.grouptravel.travellers.llm.bounds import Bounds, Fault
from benchmark.suites.grouptravel.travellers.llm.markers import marker_faults, marking
from benchmark.text import guarded

PASSING = guarded.compile(r"[\[［【]\s*pass\s*[\]］】]", guarded.IGNORECASE)
_SILENCE = guarded.compile(
    r"[\W_]*pass[\W_]*"
    r"|[\[［【（(<*]+\s*(?:不发言|不说话|跳过|(?:保持)?沉默|(?:stays? )?silent|says? nothing)\s*[\]］】）)>*]+[。.]?",
    guarded.IGNORECASE,
)
REASONING = guarded.compile(r"</?(?:think|thinking|thought|thoughts|reasoning|analysis)>", guarded.IGNORECASE)
_FENCED_PASS = guarded.compile(r"(`+)(?:\w*\n)?\s*\[pass\]\s*\1")
_FRONT, _BACK, _COLON = r"[*【\[]*", r"[*】\]]*\s*", "[:：]"
_EVERYBODY = ("all", "everyone", "everybody", "所有人", "大家", "全体")
_SNAKES = "|".join(name.replace("_", r"\\?_") for name in FIELD_NAMES if "_" in name)
_FIELD = guarded.compile(
    rf"(?<![A-Za-z0-9_])(?i:{_SNAKES})(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9_])(?:transport|hotel|food|attractions|intensity)\.(?:must|prefer|avoid|reject)(?![A-Za-z0-9])"
    r"|[\"'“](?:must|prefer|avoid|reject|positive|negative|transport|intensity|attractions|food)[\"'”]\s*[:：]"
    r"|(?:我(?:自己|个人)?的?|根据|按照?)偏好表(?![现示达明])"
    r"|(?:\A|(?<=[\s，。；,.;]))偏好表[里中上](?:没|未|只?写|只?有)"
    r"|\b[Mm]y preferences? table\b"
)
_TIERS = ("must", "prefer", "avoid", "reject")
_HAN = guarded.compile(r"[\u4e00-\u9fff]")
_WORD = guarded.compile(r"[A-Za-z]+")
_CHINESE = "我的是要了就吧级属"
"""Signs that a Chinese sentence has and the names of places hardly ever."""
_MACHINE = (
    r"(?:AI|人工智能|大?语言模型|大?模型|聊天机器人|机器人|程序|(?:用户|旅行者)?模拟器|虚拟(?:用户|旅行者|助手)|模拟用户)"
    r"(?:助手|模型|语言模型|系统|程序)?"
)
_END = r"(?=\s*(?:$|[,，。.!！;；、])|\s+(?:and|so|that|but|without|I)\b)"
_ROLE_BREAK = guarded.compile(
    rf"我(?:只|就|其实|毕竟|不过)?是(?:一个|一名|一款|一种|个)?{_MACHINE}{_END}"
    rf"|作为(?:一个|一名|一款|一种)?{_MACHINE}(?:{_END}|(?=我(?!们)))"
    r"|用户模拟器|系统提示词|\buser simulator\b|\bsystem prompt\b"
    r"|\bas an? (?:AI|artificial intelligence|(?:AI |large )?language model|chatbot|simulat(?:or|ed user))"
    rf"(?: (?:model|assistant|language model|system))?{_END}"
    r"|\bI(?: am|['’]m) (?:just |only |actually )?an? "
    r"(?:AI|artificial intelligence|(?:AI |large )?language model|chatbot|simulat(?:or|ed (?:user|travell?er)))"
    rf"(?: (?:model|assistant|language model|system))?{_END}",
    guarded.IGNORECASE | guarded.MULTILINE,
)


def normalise(reply: str) -> str:
    """The reply without surrounding blank space; a lone `[pass]` also without a code fence around it."""
    text = reply.strip()
    return PASS if _FENCED_PASS.fullmatch(text) else text


def faults(text: str, bounds: Bounds) -> list[Fault]:
    """Every fault of a normalised reply, none for `[pass]`. The first one names the draft."""
    if text == PASS:
        return []
    markers = marking(text)
    words = _without_items(markers.words, bounds.items)
    said = [fault for check in _CHECKS for fault in check(words, bounds)]
    empty = [] if markers.words.strip() else [Fault("empty")]
    return [*marker_faults(markers, bounds), *said, *empty]


def mention_pattern(bounds: Bounds) -> guarded.Pattern:
    """`@` with a name that is not the agent's: another's or the own name, a UserN, a role, or everybody.

    The sign may be a full-width one, the case may be wrong, and a chat name may have a blank before it or its number.
    """
    names, others = _chat_names((*bounds.others, bounds.me)), _either((*bounds.roles, *_EVERYBODY))
    return guarded.compile(
        rf"(?<![A-Za-z0-9])[@＠](?:\s?(?:{names}|user\s?\d+)|{others})(?![A-Za-z0-9_]|-[A-Za-z])",
        guarded.IGNORECASE,
    )


def own_name(bounds: Bounds) -> guarded.Pattern:
    """The own name in front of the message, as a script has it."""
    return guarded.compile(
        rf"\A(?:{_FRONT}{_chat_names([bounds.me])}{_BACK}{_COLON}\s*)+", guarded.IGNORECASE
    )


def addressing(bounds: Bounds) -> guarded.Pattern:
    """Another's `name` with a `colon` in front of the message: their line in a script, or words to them.

    A role in front of the message counts with the first person after it: what follows may be about that person.
    """
    speaking = rf"{_chat_names(bounds.roles)}(?={_BACK}{_COLON}\s*(?:我(?!们)|I\b))"
    name = rf"(?P<name>{_chat_names(bounds.others)}|{speaking})"
    return guarded.compile(rf"\A{_FRONT}{name}{_BACK}(?P<colon>{_COLON})", guarded.IGNORECASE)


AGENT_MENTION = guarded.compile(rf"[@＠]\s?{AGENT}(?![A-Za-z0-9_])", guarded.IGNORECASE)


def _without_items(words: str, items: Iterable[str]) -> str:
    """The table's own wording may be quoted whatever it holds."""
    for item in items:
        words = words.replace(item, "□" * len(item))
    return words


def _reasoning(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := REASONING.search(words):
        yield Fault("reasoning", match.group())


def _pass_in_text(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := PASSING.search(words) or _SILENCE.fullmatch(words.strip()):
        yield Fault("pass_in_text", match.group())


def _field_name(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := _FIELD.search(words):
        yield Fault("field_name", match.group())
    elif tier := _bare_tier(words):
        yield Fault("field_name", tier)


def _bare_tier(words: str) -> str:
    """A tier's name alone among Chinese: `我的 must 是高铁`. In an English clause the same word has company."""
    latin = [word for word in _WORD.findall(words) if word not in (AGENT, "User")]
    if len(_HAN.findall(words)) <= 2 * len(latin) or not any(sign in words for sign in _CHINESE):
        return ""
    alone = (_WORD.findall(between) for between in _HAN.split(words))
    return next(
        (latin_words[0] for latin_words in alone if len(latin_words) == 1 and latin_words[0] in _TIERS), ""
    )


def _mentions(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := mention_pattern(bounds).search(words):
        yield Fault("mentions_user", match.group())
    if len(AGENT_MENTION.findall(words)) > 1:
        yield Fault("agent_twice", f"@{AGENT}")


def _speakers(words: str, bounds: Bounds) -> Iterable[Fault]:
    """Lines of a script. `Agent:` in front of the whole message may be a way to address the agent."""
    if match := own_name(bounds).match(words):
        yield Fault("names_itself", match.group().strip())
    names = "|".join((_chat_names((*bounds.others, bounds.me, AGENT)), *map(guarded.escape, bounds.roles)))
    script = guarded.compile(rf"\n[^\S\n]*{_FRONT}(?:{names}){_BACK}{_COLON}", guarded.IGNORECASE)
    if match := addressing(bounds).search(words) or script.search(words):
        yield Fault("speaks_for_other", match.group().strip())


def _role_break(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := _ROLE_BREAK.search(words):
        yield Fault("breaks_role", match.group().strip())


def _chat_names(names: Iterable[str]) -> str:
    """Any of them, a blank before its number."""
    return "(?:" + guarded.sub(r"(?<=[A-Za-z])(?=\d)", r"\\s?", _either(names) or "(?!)") + ")"


def _either(names: Iterable[str]) -> str:
    return "|".join(guarded.escape(name) for name in sorted(names, key=len, reverse=True))


_CHECKS: tuple[Callable[[str, Bounds], Iterable[Fault]], ...] = (
    _reasoning,
    _pass_in_text,
    _field_name,
    _mentions,
    _speakers,
    _role_break,
)
