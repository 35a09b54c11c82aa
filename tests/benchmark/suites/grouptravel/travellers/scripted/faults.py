"""What makes scripted travellers sound like machines, counted in the messages of a session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.language import language
from tests.benchmark.suites.grouptravel.travellers.scripted.sessions import Line

PROPOSING = re.compile(
    r"建议|提议|方案|打算|决定|统一(?!意见)|那就|不如|定为|改为|我们(?:坐|去|住|吃)"
    r"|(?i:\b(?:let['’]s|i (?:suggest|propose|recommend)|we (?:will|take|go|fly|visit|skip)|we['’]ll|day 1)\b)"
)
"""What a person would take for a proposal; it is not how travellers hear one."""
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Fault:
    """One fault: what kind, the message, and the message that it answers or repeats."""

    kind: str
    speaker: str
    text: str
    other_text: str


def faults(lines: Iterable[Line], code: str) -> list[Fault]:
    """All faults of a session in the language `code`, in order."""
    spoken = list(lines)
    return [*_objections(spoken, code), *_openings(spoken), *_repetitions(spoken)]


def _objections(lines: list[Line], code: str) -> Iterator[Fault]:
    """Objections to a message of the agent that proposes nothing."""
    leads = tuple(language(code).speech["object"]["lead"])
    heard = ""
    for line in lines:
        if line.speaker == AGENT:
            heard = line.text
        unasked = line.kind == "polled" and f"@{AGENT}" not in line.text
        if (
            (unasked or line.text.startswith(leads))
            and line.kind != "opening"
            and not PROPOSING.search(heard)
        ):
            yield Fault("objection", line.speaker, line.text, heard)


def _openings(lines: list[Line]) -> Iterator[Fault]:
    """Messages that open with the words of the speaker's last one: two words or two characters, or a clause."""
    last: dict[str, str] = {}
    for line in lines:
        if line.speaker != AGENT:
            before = last.get(line.speaker, "")
            if before and (_start(before) == _start(line.text) or _clause(before) == _clause(line.text)):
                yield Fault("opening", line.speaker, line.text, before)
            last[line.speaker] = line.text


def _start(text: str) -> str:
    plain = re.sub(rf"@{AGENT}", " ", text).strip()
    if _HAN.match(plain):
        return re.sub(r"\W", "", plain)[:2]
    return " ".join(re.findall(r"[\w'’-]+", plain.lower())[:2])


def _clause(text: str) -> str:
    plain = re.sub(rf"@{AGENT}", " ", text).strip()
    return re.split(r"[,，.。!！?？;；:：]", plain)[0].strip().lower()


def _repetitions(lines: list[Line]) -> Iterator[Fault]:
    """Sentences that one speaker says twice."""
    said: dict[tuple[str, str], str] = {}
    for line in lines:
        if line.speaker == AGENT:
            continue
        for part in re.split(r"[。！!？?；;\n]|\.(?=\s|$)", line.text.replace(f"@{AGENT}", "")):
            sentence = part.strip(" ，,").lower()
            if sentence:
                if (line.speaker, sentence) in said:
                    yield Fault("repetition", line.speaker, sentence, said[line.speaker, sentence])
                said[line.speaker, sentence] = line.text
