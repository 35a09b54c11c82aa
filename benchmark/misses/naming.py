"""What a model is asked that names groups of misses, and what of its answer counts. It is an option: causes, shares
and groups are found by rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.plans.finding import decode_object, outermost_braces
from benchmark.remarks import gettext_noop as _
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts")
MOST_GROUPS: Final = 20
"""Of a run that are named: those that lost most."""
MOST_EXAMPLES: Final = 8
LONGEST_QUOTE: Final = 300
"""Letters of what was missed, and of what an agent said, that a model is shown."""
LONGEST_NAME: Final = 60
LONGEST_SENTENCE: Final = 300
TRIES: Final = 2
LONGEST_ANSWER: Final = 4000
"""Letters of an answer that are kept."""


class GroupName(NamedTuple):
    """What a model calls a group."""

    name: str
    sentence: str


class Example(NamedTuple):
    """A miss of a group. item: what was missed. words: of the agent, which show it."""

    item: str
    words: str


class GroupEvidence(NamedTuple):
    """What a model is shown of a group, in words. share: of what the figure lost, 0 to 1."""

    figure: str
    cause: str
    meaning: str
    kind: str
    share: float
    misses: int
    sessions: int
    examples: Sequence[Example]


class Naming(NamedTuple):
    """What came of asking about a group. name: None where no answer could be used. problem: why the last one could
    not, "" else. answers: all that the model said.
    """

    name: GroupName | None
    problem: str
    answers: tuple[str, ...]


class UnusableName(ValueError):
    """An answer that names nothing; the message says why."""


def name_group(evidence: GroupEvidence, language: Language, ask: Callable[[ChatRequest, int], str]) -> Naming:
    """Ask a model for a name, once more where the first answer can't be used. ask: gives the answer to a try, from 1.

    Raises whatever `ask` raises.
    """
    messages = _first_messages(evidence, language)
    answers: list[str] = []
    problem = ""
    for number in range(1, TRIES + 1):
        answer = ask(ChatRequest(messages=tuple(messages), json_object=True), number)
        answers.append(storable(answer)[:LONGEST_ANSWER])
        try:
            return Naming(read_name(answer), "", tuple(answers))
        except UnusableName as unusable:
            problem = str(unusable)
        again = PROMPTS.fill(language, "again", problem=problem)
        messages += [{"role": "assistant", "content": answers[-1]}, {"role": "user", "content": again}]
    return Naming(None, problem, tuple(answers))


def _first_messages(evidence: GroupEvidence, language: Language) -> list[dict[str, Any]]:
    told = evidence._asdict() | {
        "share": round(evidence.share, 3),
        "examples": [
            {key: words[:LONGEST_QUOTE] for key, words in example._asdict().items()}
            for example in evidence.examples[:MOST_EXAMPLES]
        ],
    }
    data = json.dumps(told, ensure_ascii=False, indent=1).replace("<", "＜")
    system = PROMPTS.fill(
        language, "naming", name_length=str(LONGEST_NAME), sentence_length=str(LONGEST_SENTENCE)
    )
    asked = PROMPTS.fill(language, "group", group=data)
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


NO_OBJECT: Final = _("it holds no JSON object")
NO_TEXT: Final = _("name or sentence is no text, or blank")
TOO_LONG: Final = _("name or sentence is too long")
UNREADABLE: Final = _("name or sentence holds control characters")
PROBLEMS: Final = (NO_OBJECT, NO_TEXT, TOO_LONG, UNREADABLE)
"""Why answers can't be used, English message ids."""


def read_name(answer: str) -> GroupName:
    """What an answer calls a group. Raises UnusableName, with one of `PROBLEMS`."""
    found = decode_object(outermost_braces(answer))
    if found is None:
        raise UnusableName(NO_OBJECT)
    texts = [found.get("name"), found.get("sentence")]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise UnusableName(NO_TEXT)
    name, sentence = (" ".join(storable(str(text)).split()) for text in texts)
    if len(name) > LONGEST_NAME or len(sentence) > LONGEST_SENTENCE:
        raise UnusableName(TOO_LONG)
    if not (name + sentence).isprintable():
        raise UnusableName(UNREADABLE)
    return GroupName(name, sentence)
