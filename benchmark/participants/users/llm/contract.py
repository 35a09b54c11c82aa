"""The behaviour contract as far as code can check it (GroupTravelBench, A.5 and D.8): pure functions, with evidence.

What needs judgement (a repeated preference, advice, small talk, a wrong tone) is left to the prompt. A `[pass]` of a
traveller who is mentioned is left to the engine, which asks three times and then spends the mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from benchmark.conversation.markers import FIELD_NAMES
from benchmark.participants.actions import PASS
from benchmark.participants.users.llm.bounds import Bounds
from benchmark.participants.users.llm.fault import Fault
from benchmark.participants.users.llm.markers import marker_faults, marking
from benchmark.participants.view import AGENT

PASSING = re.compile(r"[\[［【]\s*pass\s*[\]］】]", re.IGNORECASE)
REASONING = re.compile(r"</?(?:think|thinking|thought|thoughts|reasoning|analysis)>", re.IGNORECASE)
_FENCED_PASS = re.compile(r"(`+)(?:\w*\n)?\s*\[pass\]\s*\1")
_EVERYBODY = ("all", "everyone", "everybody", "所有人", "大家", "全体")
_SNAKES = "|".join(name.replace("_", r"\\?_") for name in FIELD_NAMES if "_" in name)
_FIELD = re.compile(
    rf"(?<![A-Za-z0-9_])(?i:{_SNAKES})(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9_])(?:transport|hotel|food|attractions|intensity)\.(?:must|prefer|avoid|reject)(?![A-Za-z0-9])"
    r"|[\"'“](?:must|prefer|avoid|reject|positive|negative|transport|intensity|attractions|food)[\"'”]\s*[:：]"
)
_MACHINE = r"(?:AI|人工智能|大?语言模型|大模型|聊天机器人|用户模拟器)(?:助手|模型|语言模型|系统|程序)?"
_END = r"(?=\s*(?:$|[,，。.!！;；、])|\s+(?:and|so|that|but|without)\b)"
_ROLE_BREAK = re.compile(
    rf"我(?:只|就|其实|毕竟)?是(?:一个|一名|一款|一种|个)?{_MACHINE}{_END}"
    rf"|作为(?:一个|一名|一款|一种)?{_MACHINE}{_END}"
    r"|用户模拟器|系统提示词|\buser simulator\b|\bsystem prompt\b"
    r"|\bas an? (?:AI|artificial intelligence|(?:AI |large )?language model|chatbot|simulat(?:or|ed user))"
    rf"(?: (?:model|assistant|language model|system))?{_END}"
    r"|\bI(?: am|['’]m) (?:just |only |actually )?an? "
    r"(?:AI|artificial intelligence|(?:AI |large )?language model|chatbot|simulat(?:or|ed (?:user|travell?er)))"
    rf"(?: (?:model|assistant|language model|system))?{_END}",
    re.IGNORECASE | re.MULTILINE,
)


def normalised(reply: str) -> str:
    """The reply without surrounding blank space; a lone `[pass]` also without a code fence around it."""
    text = reply.strip()
    return PASS if _FENCED_PASS.fullmatch(text) else text


def faults(text: str, bounds: Bounds) -> list[Fault]:
    """Every fault of a normalised reply, none for `[pass]`. The first one names the draft."""
    if text == PASS:
        return []
    found = marking(text)
    words = _without_items(found.words, bounds.items)
    said = [fault for check in _CHECKS for fault in check(words, bounds)]
    empty = [] if found.words.strip() else [Fault("empty")]
    return [*marker_faults(found, bounds), *said, *empty]


def mention_pattern(bounds: Bounds) -> re.Pattern[str]:
    """`@` with a name that is not the agent's: another's or the own name, a UserN, a role, or everybody.

    The sign may be a full-width one, a blank may follow it, and the case may be wrong.
    """
    names = _either((*bounds.others, bounds.me, *bounds.roles, *_EVERYBODY))
    return re.compile(rf"(?<![A-Za-z0-9])[@＠]\s?(?:{names}|user\d+)(?![A-Za-z0-9_])", re.IGNORECASE)


def own_name(bounds: Bounds) -> re.Pattern[str]:
    """The own name in front of the message, as a script has it."""
    return re.compile(rf"\A[*【\[]*{re.escape(bounds.me)}[*】\]]*\s*[:：]\s*")


AGENT_MENTION = re.compile(rf"[@＠]\s?{AGENT}(?![A-Za-z0-9_])", re.IGNORECASE)


def _without_items(words: str, items: Iterable[str]) -> str:
    """The table's own wording may be quoted whatever it holds."""
    for item in items:
        words = words.replace(item, "□" * len(item))
    return words


def _reasoning(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := REASONING.search(words):
        yield Fault("reasoning", match.group())


def _pass_in_text(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := PASSING.search(words):
        yield Fault("pass_in_text", match.group())


def _field_name(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := _FIELD.search(words):
        yield Fault("field_name", match.group())


def _mentions(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := mention_pattern(bounds).search(words):
        yield Fault("mentions_user", match.group())
    if len(AGENT_MENTION.findall(words)) > 1:
        yield Fault("agent_twice", f"@{AGENT}")


def _speakers(words: str, bounds: Bounds) -> Iterable[Fault]:
    """Lines of a script. `Agent:` in front of the whole message may be a way to address the agent."""
    if match := own_name(bounds).match(words):
        yield Fault("names_itself", match.group().strip())
    script = rf"^[*【\[]*(?:{_either(bounds.others)})[*】\]]*\s*[:：]" if bounds.others else r"(?!)"
    others = re.search(script, words, re.MULTILINE)
    if match := others or re.search(rf"\n[*【\[]*(?:{AGENT}|{re.escape(bounds.me)})[*】\]]*\s*[:：]", words):
        yield Fault("speaks_for_other", match.group().strip())


def _role_break(words: str, bounds: Bounds) -> Iterable[Fault]:
    if match := _ROLE_BREAK.search(words):
        yield Fault("breaks_role", match.group().strip())


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_CHECKS: tuple[Callable[[str, Bounds], Iterable[Fault]], ...] = (
    _reasoning,
    _pass_in_text,
    _field_name,
    _mentions,
    _speakers,
    _role_break,
)
