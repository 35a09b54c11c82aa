"""Takes out of a text what tells who wrote it: names of models and agents, introductions, signatures, dress.

What is left is plain text: without Markdown and without pictures, so that two texts look alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from benchmark.text import guarded

MASK = "[…]"
"""Stands where a name was."""
LONGEST_SIGNATURE = 60
"""Characters of a line at the end of a text that can be a signature."""
_LAST_LINES = 3
_LEAST = 3
"""Letters of a name that is masked; shorter ones are parts of too many words."""

_MODELS = (
    r"chat\s?gpt|gpt(?=[-_ ]?[\d.o])|claude|gemini|gemma|qwen|qwq|tongyi|deepseek|llama|mistral|mixtral"
    r"|ministral|codestral|grok|kimi|moonshot|doubao|ernie(?=\W?\s?bot|\W?\d)|hunyuan|chatglm|glm(?=[-_ ]?\d)"
    r"|minimax|internlm|vicuna|baichuan(?=[-_ ]?\d)|yi(?=-(?:\d+b|large|lightning))|phi(?=-\d)"
    r"|nova(?=-(?:pro|lite|micro))|command[- ]r|o[134](?=-(?:mini|pro|preview))|nemotron|granite(?=-\d)|jamba"
    r"|seed-oss|step(?=-\d)"
)
_MAKERS = r"openai|open ai|anthropic|google deepmind|deepmind|mistral ai|moonshot ai|alibaba cloud|xai|zhipu"
_CHINESE = (
    "通义千问|千问|通义|文心一言|文心大模型|混元大?模型|腾讯混元|讯飞星火|星火大模型|盘古大模型|百川大模型|智谱清言|智谱"
    "|月之暗面|深度求索|豆包(?=大?模型|助手|AI|团队)|(?<=我是)豆包|(?<=我叫)豆包|字节跳动|阿里云|阿里巴巴达摩院|面壁智能|商汤"
)
_VERSION = r"(?:[-_ ./:]?v?\d[\w.]*|[-_/:][a-z0-9.]+)*"
"""What follows the name of a model: `-4o`, ` 3.5`, `-72B-Instruct`, `:7b`."""
_START, _END = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_KNOWN_MODEL = (
    rf"{_START}(?:(?:{_MODELS}){_VERSION}|(?:{_MAKERS})){_END}|(?:{_CHINESE})(?:大?模型)?{_VERSION}"
)

_MADE_BY = (
    r"(?:\s+(?:that was\s+)?(?:developed|trained|created|made|built|provided)\s+by\s+[^,.;!?\n]{1,40})?"
)
_KIND = r"(?:(?:large|language|generative)[ -]){0,2}(?:ai|artificial intelligence|large language|language)"
_ROLE = r"(?:[ -](?:large|language))*(?:[ -](?:model|assistant|agent|chatbot|system))+"
_INTRODUCTION = guarded.compile(
    rf"{_START}(?:as|i am|i'm|i’m|this is)\s+(?:an?|your)\s+{_KIND}{_ROLE}{_MADE_BY}[ ,.;:!]*"
    r"|(?:作为|我是)(?:一个|一名|一款|一位|您的|你的)?(?:由[^，。！？\n]{1,20}(?:开发|训练|研发|推出|打造|提供)的)?"
    r"(?:AI|人工智能|大型语言|大语言|语言|大)(?:语言)?(?:大?模型|助手|助理|智能体)[^，。！？\n]{0,8}[，。！!,.]?[ ]*",
    guarded.IGNORECASE,
)
_SIGNATURE = guarded.compile(
    r"\s*(?:—|–|--|~)\s*\S.*"
    r"|\s*(?:best regards|kind regards|regards|sincerely|yours|best|cheers|signed)\b[ ,.!:]*.*"
    r"|.*\b(?:generated|powered|planned|written|prepared|created|made|provided|signed) (?:by|with)\b.*"
    r"|\s*(?:此致|敬礼|祝好|敬上|谨上).*|.*(?:敬上|谨上)\s*"
    r"|\s*[（(【]?\s*(?:本|以上|该)?(?:方案|行程|计划|内容)?由.{1,30}(?:生成|提供|规划|制作|撰写|整理).*",
    guarded.IGNORECASE,
)

_PICTURES = guarded.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u231a\u231b\u23e9-\u23fa\ufe0e\ufe0f\u200d\u20e3]+[ ]?"
)
_LINE_DRESS = (
    (guarded.compile(r"^[ \t]{0,3}(?:```|~~~).*$", guarded.MULTILINE), ""),
    (guarded.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", guarded.MULTILINE), r"\1"),
    (guarded.compile(r"^[ \t]{0,3}(?:[-*_][ \t]*){3,}$", guarded.MULTILINE), ""),
    (guarded.compile(r"^([ \t]*)(?:>[ \t]?)+", guarded.MULTILINE), r"\1"),
    (guarded.compile(r"^([ \t]*)[*+•·▪◦●○■□►▶➤–—][ \t]+", guarded.MULTILINE), r"\1- "),
)
_WORD_DRESS = (
    (guarded.compile(r"!?\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)"), r"\1"),
    (guarded.compile(r"(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1"), r"\2"),
    (guarded.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300})(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (guarded.compile(r"`([^`\n]{1,300})`"), r"\1"),
    (guarded.compile(r"[ \t]+$", guarded.MULTILINE), ""),
    (guarded.compile(r"\n{3,}"), "\n\n"),
)


_COMPATIBLE = (range(0x2070, 0x20A0), range(0x2460, 0x2500), range(0xFF01, 0xFF5F), range(0x1D400, 0x1D800))
"""Raised, circled, wide and mathematical letters and digits."""
_BEFORE_DIGIT = guarded.compile(r"[\u2014\u2015\ufe58](?=\d)")
"""Long dashes are a hyphen in `GPT—4o`, not between words."""


def _forms() -> Iterator[tuple[int, str | None]]:
    """The plain form, one for one, of characters of which a name may be made; None for those that take no room."""
    for code in range(0x10000):
        match unicodedata.category(chr(code)):
            case "Cf":
                yield code, None
            case "Zs":
                yield code, " "
            case "Pd" if not _BEFORE_DIGIT.match(f"{chr(code)}0"):
                yield code, "-"
    yield 0x2212, "-"
    for code in (code for codes in _COMPATIBLE for code in codes):
        form = unicodedata.normalize("NFKC", chr(code))
        if len(form) == 1 and form.isascii() and form.isalnum():
            yield code, form


@cache
def _invisible_characters() -> dict[int, None]:
    return {code: None for code, form in _forms() if form is None}


@cache
def _plain_forms() -> dict[int, str]:
    return {code: form for code, form in dict(_forms()).items() if form is not None}


def _fold_text(text: str) -> str:
    """The text in plain forms, character by character."""
    return _BEFORE_DIGIT.sub("-", text.translate(_plain_forms()))


def plain(text: str) -> str:
    """A text without Markdown and pictures: headings, lists and stress look alike whoever wrote them."""
    for pattern, by in (*_LINE_DRESS, (_PICTURES, ""), *_WORD_DRESS):
        text = pattern.sub(by, text)
    return text.strip()


class Blind:
    """Masks what tells the author in texts, for the names of one study.

    names: of agents, models, endpoints and providers. A name that is an ordinary word in one piece (`reference`) is
    masked only where it names an author: "I am reference", "the reference agent", "由 reference 规划".
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        known = {part for name in names for part in _parts(name)}
        marked = sorted((name for name in known if not _is_word(name)), key=len, reverse=True)
        words = sorted((name for name in known if _is_word(name)), key=len, reverse=True)
        exact = "".join(f"|{_name_pattern(name)}" for name in marked)
        self._names = guarded.compile(f"{_KNOWN_MODEL}{exact}", guarded.IGNORECASE)
        self._words = guarded.compile(_as_author(words), guarded.IGNORECASE) if words else None

    def find_names(self, text: str) -> list[str]:
        """The names in a text, each as it stands there but for characters that take no room."""
        text = text.translate(_invisible_characters())
        folded = _fold_text(text)
        spans = [match.span() for match in self._names.finditer(folded)]
        if self._words is not None:
            spans += [match.span("name") for match in self._words.finditer(folded)]
        return [text[start:end] for start, end in spans]

    def names_masked(self, text: str) -> str:
        """A text with a mask in place of each name."""
        text = text.translate(_invisible_characters())
        if self._words is not None:
            matches = self._words.finditer(_fold_text(text))
            text = _mask_spans(text, (match.span("name") for match in matches))
        return _mask_spans(text, (match.span() for match in self._names.finditer(_fold_text(text))))

    def words(self, text: str) -> str:
        """What somebody said, without its dress, introductions, signatures, and names."""
        text = _drop_signature(plain(text), self)
        return self.names_masked(_INTRODUCTION.sub("", text)).strip()

    def fields(self, value: Any) -> Any:
        """A JSON value of any shape with each of its texts as `words` gives it; keys stay."""
        match value:
            case str():
                return self.words(value) if any(map(str.isalpha, value)) else value
            case dict():
                return {key: self.fields(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self.fields(inner) for inner in value]
        return value


@lru_cache(maxsize=16)
def blind_for(names: frozenset[str]) -> Blind:
    """The masks for these names, compiled once."""
    return Blind(names)


def _parts(name: str) -> Iterable[str]:
    """A name, and what stands after the last slash of `maker/model`."""
    whole = name.strip()
    for part in (whole, whole.rpartition("/")[2], *(piece.strip() for piece in whole.split(" · "))):
        if len(part) >= _LEAST:
            yield part


def _is_word(name: str) -> bool:
    return name.isascii() and name.isalpha() and (name.islower() or name.istitle() or name.isupper())


def _name_pattern(name: str) -> str:
    """The name however its parts are put together: `my-model`, `my model`, `my_model`."""
    parts = [guarded.escape(part) for part in name.replace("_", " ").replace("-", " ").split()]
    if not parts:
        return guarded.escape(name)
    start = _START if parts[0][0].isascii() else ""
    end = _END if parts[-1][-1].isascii() else ""
    return start + r"[-_ ]?".join(parts) + end


def _as_author(words: Iterable[str]) -> str:
    names = "|".join(map(guarded.escape, words))
    before = (
        r"(?:i am|i'm|i’m|my name is|signed|by|as|agent|model|assistant|我是|我叫|由|来自)[ :：]*(?:the )?"
    )
    after = r"(?:'s)?[- ](?:agent|model|assistant|planner)\b|[ ]?(?:智能体|模型|助手)"
    return rf"{before}{_START}(?P<name>{names}){_END}|{_START}(?P<name>{names})(?={after})"


def _mask_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with a mask in place of each span, which come in order."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], MASK]
        at = end
    return "".join((*pieces, text[at:]))


def _drop_signature(text: str, blind: Blind) -> str:
    """Without the last lines that are a signature: marked as one, or nothing but a name."""
    lines = text.split("\n")
    for _ in range(_LAST_LINES):
        last = lines[-1].strip()
        signed = 0 < len(last) <= LONGEST_SIGNATURE and _SIGNATURE.fullmatch(last)
        if len(lines) < 2 or (last and not signed and blind.names_masked(last).strip("—–-~ .,") != MASK):
            break
        lines.pop()
    return "\n".join(lines).rstrip()
