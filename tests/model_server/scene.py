"""What a request is about. All knowledge of how prompts look is here, and it goes by several signs of the protocol.

Signs (GroupTravelBench, appendix D): travellers' names are User1, User2 …; the chat is told as «name: words» or as
messages of the assistant role; a preference table has the published field names; a plan has `days` and
`city_segments`; a traveller may answer `[pass]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal

from tests.model_server.request import Message, ModelRequest, text_of

AGENT = "Agent"
Seat = Literal["agent", "traveller", "other"]
Task = Literal["summary", "final", "reflect", "speak"]
Form = Literal["native", "react", "fenced", "none"]

_NAME = r"(?:User\d+|Agent)"
_LINE = re.compile(rf"^[\s\-*\[【(（]*({_NAME})[\]】)）]*\s*(?:[（(][^）)\n]{{0,20}}[）)])?\s*[:：]\s?(.*)$")
_HEADING = re.compile(r"^\s*(?:【[^】]+】|\[[A-Z][^\]:]*\]|#{1,6} |-{3,}|={3,}|<[/\w])")
_MENTION = re.compile(rf"@({_NAME})(?![A-Za-z0-9_])")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DEPARTS = re.compile(
    r"(?:出发日期|出行日期|departure date|travel dates?|departs?)\D{0,20}(\d{4}-\d{2}-\d{2})", re.I
)
_CITY = r"[\u4e00-\u9fff]{1,8}?(?:市|自治州|地区|盟)"
_NUMBER = r"\d{1,2}|[一二两三四五六七八九十]{1,3}"
_WORDS = {w: n for n, w in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight"), 1)}
_QUERY = re.compile(rf"({_CITY}(?:\s*[、，,和与及/]\s*{_CITY})*)[，,；;\s]*({_NUMBER})\s*[天日]")
_ENGLISH_DAYS = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})[- ]days?\b", re.I)
_HOME = re.compile(
    r"(?:出发城市|出发地|出发点|departure city|departing from|departs? from|leaving from|starting from)"
    r"\W{0,4}([\u4e00-\u9fff]{2,8}|[A-Z][A-Za-z' ]+)",
    re.I,
)
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_PLAYED_TRAVELLER = re.compile(
    r"(?:你是|扮演|名叫|名为|you are|play(?:ing)?|named|called)[^\n]{0,40}?(User\d+)", re.I
)
_MEMBER = re.compile(r"^\s*[-*•]\s*(User\d+)(?=\s*[（(:：])([^\n]*)", re.M)
_CHILD = re.compile(r"幼儿|孩子|child", re.I)
_OBJECT = re.compile(r"JSON\s*(?:object|对象)", re.I)
_REFLECT = re.compile(r"先不要写|not write a plan", re.I)
_TOOLS_CLOSED = re.compile(
    r"tools can(?:not| no longer) be called|(?:不能|无法|不得|禁止|不可以?)(?:再)?(?:调用|使用)(?:任何)?工具"
    r"|工具(?:现在|已经?)?(?:不能|无法|不可)|不能再调用",
    re.I,
)
_ACTION = re.compile(r"^Action:\s*(\S+)\s*^Action Input:\s*(.*)", re.M)
_OBSERVATION = re.compile(r"^(?:Observation|观察)[:：]\s*(.*(?:\n.+)*)", re.M)
_BLOCK = re.compile(r"^`{3,}(call|result) ?(\S*)\n(.*?)\n`{3,}$", re.M | re.S)
_QUOTE_MARK = re.compile(r"^> ", re.M)
_BEGINNING = 400
_WILLING = re.compile(
    r"(?<!不)愿意(?:妥协|让步)|倾向于?(?:答应|同意)"
    r"|tend to (?:agree|accept)|willing to (?:compromise|yield|give)|inclined to (?:agree|say yes|yield)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Line:
    """Words in the group's chat."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """A tool call of the agent with what came back: the parsed JSON, or the text where it is none."""

    name: str
    arguments: str
    answer: Any

    @property
    def failed(self) -> bool:
        """Whether the tool reported an error."""
        return isinstance(self.answer, dict) and "error" in self.answer


@dataclass(frozen=True)
class Scene:
    """A request, read."""

    request: ModelRequest

    @cached_property
    def seat(self) -> Seat:
        """Whose turn it is; `other` for whoever is neither agent nor traveller, such as a test of the endpoint."""
        system, everything = self.request.system, " ".join(map(text_of, self.request.messages))
        if "[pass]" in system and "city_segments" not in system:
            return "traveller"
        return "agent" if re.search(r"User\d", everything) else "other"

    @cached_property
    def task(self) -> Task:
        """What the agent is asked for: a table of preferences, the plan, thoughts about one, or its next words."""
        last = self.instruction
        fields = sum(word in last for word in ("must_visit", "avg_budget", "city_specific_preferences"))
        if fields >= 2 and _OBJECT.search(last) and "city_segments" not in last:
            return "summary"
        if _REFLECT.search(last):
            return "reflect"
        drafted = any(
            "city_segments" in text_of(m) for m in self.request.messages if m["role"] == "assistant"
        )
        return "final" if drafted or "JSON" in last or "city_segments" in last else "speak"

    @cached_property
    def instruction(self) -> str:
        """What the model is told to do: the end of what came after its own last words that were no call."""
        heard: list[str] = []
        for message in reversed(self.request.messages[self._opening :]):
            text = text_of(message)
            if message["role"] == "assistant" and not message.get("tool_calls") and not _written_calls(text):
                break
            if message["role"] not in ("assistant", "tool"):
                heard.append(_without_results(text))
        return _tail("\n\n".join(reversed(heard)))

    @property
    def _opening(self) -> int:
        """Where the messages begin that are no system prompt."""
        return int(self.request.messages[0]["role"] in ("system", "developer"))

    @cached_property
    def english(self) -> bool:
        """Whether the prompt begins in English: names and definitions of tools come after."""
        text = (self.request.system or self.request.last)[:_BEGINNING]
        return len(re.findall(r"[A-Za-z]{2,}", text)) > len(re.findall(r"[\u4e00-\u9fff]", text))

    @cached_property
    def me(self) -> str:
        """The traveller whose part is played."""
        found = _PLAYED_TRAVELLER.search(self._head)
        return found[1] if found else (self.travellers or ("User1",))[0]

    @cached_property
    def travellers(self) -> tuple[str, ...]:
        """The names in the group, as they are first told."""
        members = [name for name, rest in _MEMBER.findall(self._head) if not _CHILD.search(rest)]
        return tuple(dict.fromkeys(members or re.findall(r"User\d+", self._head)))

    @cached_property
    def _head(self) -> str:
        return self.request.system or text_of(self.request.messages[0])

    @cached_property
    def cities(self) -> tuple[str, ...]:
        """Destinations, in the order of the request."""
        if found := _QUERY.search(self._head):
            return tuple(dict.fromkeys(re.findall(_CITY, found[1])))
        line = next((each for each in self._head.splitlines() if _ENGLISH_DAYS.search(each)), "")
        named = re.findall(r"[\u4e00-\u9fff]{2,8}", line) or re.findall(r"\b[A-Z][a-z]+(?:'an)?\b", line)
        return tuple(city for city in dict.fromkeys(named) if city != self.home) or ("",)

    @cached_property
    def days(self) -> int:
        """Days of the trip."""
        if found := _QUERY.search(self._head):
            return _number(found[2])
        english = _ENGLISH_DAYS.search(self._head)
        return max(1, _number(english[1])) if english else 1

    @cached_property
    def home(self) -> str:
        """Where the trip starts, "" where it is not told."""
        found = _HOME.search(self._head)
        return found[1].strip() if found else ""

    @cached_property
    def start(self) -> date:
        """The day of departure."""
        found = _DEPARTS.search(self._head)
        written = found[1] if found else (_DATE.findall(self._head) or ["2026-01-01"])[0]
        return date.fromisoformat(written)

    @cached_property
    def chat(self) -> tuple[Line, ...]:
        """The visible chat, oldest first."""
        own = AGENT if self.seat == "agent" else self.me
        return tuple(line for message in self.request.messages for line in _lines(message, own))

    @cached_property
    def agent_texts(self) -> tuple[str, ...]:
        """What the agent has said so far."""
        return tuple(line.text for line in self.chat if line.speaker == AGENT)

    @cached_property
    def addressee(self) -> str:
        """Whom the last line mentions, when it is another's; the last mention counts."""
        found = _MENTION.findall(self.chat[-1].text) if self.chat else []
        return found[-1] if found else ""

    @cached_property
    def question(self) -> str:
        """What the agent has just asked this traveller, "" where it has not."""
        if not self.chat or self.chat[-1].speaker != AGENT or self.addressee != self.me:
            return ""
        return self.chat[-1].text.rpartition(f"@{self.me}")[2]

    @cached_property
    def table(self) -> dict[str, Any]:
        """The traveller's own preference table, as the system message gives it."""
        return next((value for value in _objects(self._head) if "global_constraints" in value), {})

    @cached_property
    def willing(self) -> bool:
        """Whether this traveller may yield."""
        return bool(_WILLING.search(self._head))

    @cached_property
    def form(self) -> Form:
        """How tools are called: natively, in writing as the system message explains, or not at all."""
        if self.request.tools:
            return "native"
        if "Action Input" in self._head:
            return "react"
        return "fenced" if "```call" in self._head else "none"

    @cached_property
    def may_call(self) -> bool:
        """Whether tools may be called now."""
        if self.form == "native":
            return self.request.may_call
        return self.form != "none" and not _TOOLS_CLOSED.search(self.request.system + self.instruction)

    @cached_property
    def functions(self) -> tuple[Mapping[str, Any], ...]:
        """The tools that are offered, natively or in the system message: name and JSON Schema of the parameters."""
        if self.request.tools:
            return tuple(tool["function"] for tool in self.request.tools)
        return tuple(found for found in _objects(self._head) if "parameters" in found and "name" in found)

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """The names of the tools that are offered."""
        return frozenset(function["name"] for function in self.functions)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The tool calls that the request shows, with their answers, in order."""
        answers = {m.get("tool_call_id"): text_of(m) for m in self.request.messages if m["role"] == "tool"}
        calls = [call for m in self.request.messages for call in m.get("tool_calls") or ()]
        native = (
            Result(call["function"]["name"], call["function"]["arguments"], _parse_json(answers[call["id"]]))
            for call in calls
            if call["id"] in answers
        )
        return (*native, *_written_results(self.request.messages))

    def shows(self, words: str) -> bool:
        """Whether words stand anywhere outside the system message, such as a reply that was refused."""
        return any(
            words in text_of(m) for m in self.request.messages if m["role"] not in ("system", "developer")
        )


def _tail(text: str) -> str:
    """The part of a last message that tells what to do: what follows the last line of chat in it."""
    lines = text.splitlines()
    last = max((at for at, line in enumerate(lines) if _LINE.match(line)), default=-1)
    return "\n".join(lines[last + 1 :]).strip()


def _without_results(text: str) -> str:
    """A text without the answers of tools that are written in it."""
    return _OBSERVATION.sub("", _BLOCK.sub("", text)).strip()


def _written_calls(text: str) -> list[tuple[str, str]]:
    """Name and arguments of the calls that a message makes in writing."""
    return [(name, body.strip()) for kind, name, body in _BLOCK.findall(text) if kind == "call"] + [
        (name, arguments.strip()) for name, arguments in _ACTION.findall(text)
    ]


def _written_results(messages: tuple[Message, ...]) -> Iterator[Result]:
    """Calls in writing with the answers that follow them, in the same order."""
    waiting: list[tuple[str, str]] = []
    for message in messages:
        text = text_of(message)
        if message["role"] == "assistant":
            waiting = _written_calls(text) or waiting
        elif message["role"] == "user":
            answers = [
                body for kind, _, body in _BLOCK.findall(text) if kind == "result"
            ] + _OBSERVATION.findall(text)
            for (name, arguments), answer in zip(waiting, answers, strict=False):
                yield Result(name, arguments, _parse_json(answer.strip()))
            waiting = waiting[len(answers) :]


def _lines(message: Message, own: str) -> Iterator[Line]:
    text = text_of(message)
    if message["role"] == "assistant":
        if text.strip() and not message.get("tool_calls") and not _written_calls(text):
            yield Line(own, text)
    elif message["role"] == "user":
        yield from _chat_lines(_without_results(text))


def _chat_lines(text: str) -> Iterator[Line]:
    """Lines of the form «name: words»; what follows up to the next one, a heading or a blank line belongs to it."""
    speaker, words = "", [""]
    for line in text.splitlines():
        found = _LINE.match(line)
        if found or _HEADING.match(line) or not line.strip():
            if speaker:
                yield Line(speaker, "\n".join(words).strip())
            speaker, words = (found[1], [found[2]]) if found else ("", [])
        else:
            words.append(line)
    if speaker:
        yield Line(speaker, "\n".join(words).strip())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, whole ones before what stands inside them."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    tens, ten, ones = word.rpartition("十")
    return (10 * _DIGITS.get(tens, 1) if ten else 0) + _DIGITS.get(ones, 0)
