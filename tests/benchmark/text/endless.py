"""Texts of a model that is stuck, and everything that reads what participants write; run as a module, it reads all.

Before and after each reader its name is told, so that whoever waits knows where it hangs.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from benchmark.agents.react import ReactAgent
from benchmark.core.view import AGENT, Message
from benchmark.models import Reply
from benchmark.models.text_tools import calls_in
from benchmark.models.thoughts import ThoughtSplitter, split
from benchmark.plans.finding import first_object
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.agent.dialogue.questions import addressee, topics_asked
from benchmark.suites.grouptravel.agent.dialogue.requests import (
    counter_offer,
    read_answer,
    read_request,
)
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.briefing import BRIEFING, mending
from benchmark.suites.grouptravel.briefing.review import days_asked
from benchmark.suites.grouptravel.conversation.markers import (
    find_marker,
    read_value,
    rightmost_mention,
    without_trailing_pass,
)
from benchmark.suites.grouptravel.itineraries import last_plan, plan_in_message
from benchmark.suites.grouptravel.travellers.llm.contract import faults, normalise
from benchmark.suites.grouptravel.travellers.llm.trimming import trim
from benchmark.suites.grouptravel.travellers.scripted.traveller import ScriptedUser
from benchmark.suites.grouptravel.view import GroupTurn, GroupView, Traveller
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE
from tests.benchmark.agents.cast import ScriptedModel
from tests.benchmark.suites.grouptravel.travellers.llm import cast as llm_cast
from tests.benchmark.suites.grouptravel.travellers.scripted import cast

LENGTH = 2_000
"""Characters of a text, a quarter of what is read of a message."""
MATCH_LIMIT_S = guarded.LIMIT_S * (LENGTH / LONGEST_MESSAGE) ** 2
"""Of the processor for one match: what takes longer, and grows with the square of a text or faster, would be stopped
over a message that is read whole.
"""
LIMIT_S = 60
"""Of the processor for all together, six times what they take, however crowded the machine is."""
CITIES = ("杭州市", "苏州市")
GROUP = ("User1", "User2")
_REPEATED_PIECES = (
    "想", "@a", "一", "one ", "1", "(", "[", "[a:", "[must:1]", "{", '{"a":', '("', "```", '"', "“", "1,", "111,",
    "。", "我", "不", "的", "西湖", "西湖、", "@User1", "User2: ", "<tool_call>", "<think>", "预算多少？",
    "我想去西湖，", "I love West Lake, ", " ", "\n",
)  # fmt: skip


def _texts() -> Mapping[str, str]:
    chance = Random(5)
    repeated = {unit: (unit * LENGTH)[:LENGTH] for unit in _REPEATED_PIECES}
    return repeated | {
        "digits": "".join(chance.choices("0123456789", k=LENGTH)),
        "numerals": "".join(chance.choices("零一二两三四五六七八九十百千万半", k=LENGTH)),
        "anything": "".join(chance.choices("".join(_REPEATED_PIECES), k=LENGTH)),
    }


def _agent(text: str, language: str, **turn: Any) -> GroupView:
    """What the agent knows when a traveller has written `text`, in the request too."""
    return GroupView(
        me=AGENT,
        language=language,
        seed=1,
        query="杭州市、苏州市，三天两夜，2人的旅行计划" + text,
        time="2025-10-01",
        context="出发城市：上海市",
        travellers=tuple(Traveller(name, "朋友") for name in GROUP),
        companions=(),
        max_turn=15,
        convergence_interval=3,
        round=1,
        messages=(Message(1, AGENT, "@User1 预算多少？"), Message(2, "User1", text)),
        turn=GroupTurn("convergence", **{"tools_allowed": False, **turn}),
    )


def _react(text: str) -> Any:
    return ReactAgent(BRIEFING, ScriptedModel([Reply(text)])).act(_agent("", "zh"))


def _splitter(text: str) -> None:
    splitter = ThoughtSplitter()
    for start in range(0, len(text), 100):
        splitter.take(text[start : start + 100])
    splitter.end()


def _of_tongue(language: str) -> Mapping[str, Callable[[str], Any]]:
    words = tongue(language)
    told: dict[str, Callable[[str], Any]] = {
        "the reference agent": lambda text: ReferenceAgent().act(_agent(text, language)),
        "a mentioned traveller": lambda text: ScriptedUser().act(
            replace(cast.view(f"@User1 {text}"), language=language)
        ),
        "a polled traveller": lambda text: ScriptedUser().act(
            replace(cast.view(text, kind="polled"), language=language)
        ),
        "answers": lambda text: read_answer(text, language),
        "offers": lambda text: counter_offer(text, language),
        "requests": lambda text: read_request(text, "User1", CITIES, language),
        "topics": lambda text: topics_asked(text, CITIES, language),
        "names": words.names,
        "sentences": lambda text: [words.asks(sentence) for sentence in words.sentences(text)],
        "numbers": words.number,
    }
    return {f"{name}, {language}": read for name, read in told.items()}


READERS: Mapping[str, Callable[[str], Any]] = {
    **_of_tongue("zh"),
    **_of_tongue("en"),
    "addressed": lambda text: addressee(text, GROUP),
    "mentions": lambda text: rightmost_mention(text, GROUP),
    "marker": find_marker,
    "marker's value": read_value,
    "trailing pass": without_trailing_pass,
    "last plan": lambda text: last_plan([f'{text} "days" city_segments {text}']),
    "plan in a message": plan_in_message,
    "object in a message": first_object,
    "calls in text": calls_in,
    "thoughts": split,
    "thoughts in pieces": _splitter,
    "mended plan": lambda text: mending.mend(f'{{"days": [{{"city_segments": [{text}'),
    "mended after words": lambda text: mending.mend(f'{text}{{"days": [{{"city_segments": ['),
    "plan anywhere": mending.plan_anywhere,
    "days asked": days_asked,
    "react": _react,
    "a traveller's faults": lambda text: faults(normalise(text), llm_cast.bounds(items=("西湖",))),
    "a traveller's words": lambda text: trim(text, llm_cast.bounds(compromisable=False)),
}


def main() -> None:
    """Every reader reads every text; an error is no answer either."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
    guarded.LIMIT_S = MATCH_LIMIT_S
    texts = _texts()
    for name, read in READERS.items():
        for unit, text in texts.items():
            print(f"{name} reads {unit!r}", flush=True)
            read(text)
        print(f"{name} is done", flush=True)


if __name__ == "__main__":
    sys.exit(main())
