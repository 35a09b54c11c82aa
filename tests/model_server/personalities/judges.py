"""Judges and meta-judges. They tell which they are, and how they are to answer, from what they are asked for."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.model_server.personalities import comparers, namers, word_judges
from tests.model_server.request import Refusal
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

DIMENSIONS = (
    *("hallucination", "tool_use_reasoning", "interaction_quality"),
    *("conflict_coordination", "plan_humanization"),
)
_TURN = re.compile(r"^\[(\d+)\] (.*)$", re.M)
_NAME = re.compile(r'"(\w+)": *\{(?: *"(?:score|rationale)"|…)')
"""What a prompt asks to be rated, in its example of an answer."""
_LIST = re.compile(r'"(\w+)": *\["')
"""What it asks to be listed beside a rating."""
_MIDDLING = 3
_NO_SUCH_EVENT = 999_999


def good_judge(scene: Scene) -> Answer:
    """Rates by what it counts in the transcript, cites turns that are there, and as meta-judge finds 4 in order.

    What it has no rule for it gives a 3, if the system message names it as `"NAME": {"score"`, and lists
    a thing where it shows a list of texts. It compares plans, and names groups of failures.
    """
    if comparers.is_asked(scene):
        return comparers.good(scene)
    if namers.is_asked(scene):
        return namers.good(scene)
    if word_judges.is_asked(scene):
        return word_judges.good(scene)
    return _json_answer(_calibration(scene) if _is_meta(scene) else _ratings(scene))


def broken_judge(scene: Scene) -> Answer:
    """Writes an essay without a number; as meta-judge too."""
    return Answer("The agent did rather well on the whole, though {one thing or another} could be better.")


def seven_judge(scene: Scene) -> Answer:
    """Gives a 7 for hallucination, or for the first of what it is asked for in words; as meta-judge too."""
    if word_judges.is_asked(scene):
        return word_judges.without_a_word(scene)
    if _is_meta(scene):
        return _json_answer({**_calibration(scene), "score": 7})
    found = _ratings(scene)
    next(iter(found.values()))["score"] = 7
    return _json_answer(found)


def invents_citations(scene: Scene) -> Answer:
    """Cites a turn that nobody took beside those that are there."""
    if _is_meta(scene) or word_judges.is_asked(scene):
        return good_judge(scene)
    found = _ratings(scene)
    first = next(iter(found.values()))
    first["rationale"] += f" It is plain from [{_NO_SUCH_EVENT}]."
    first["turns"] += [_NO_SUCH_EVENT]
    return _json_answer(found)


def sloppy_judge(scene: Scene) -> Answer:
    """Good ratings in prose and a fence, with a comma too many; words in XML that is broken."""
    if word_judges.is_asked(scene):
        return word_judges.sloppy(scene)
    text = good_judge(scene).text
    return Answer(f"Here is what I think:\n```json\n{text[:-1]},}}\n```\nI hope it helps.")


def stops_halfway(scene: Scene) -> Answer:
    """The good judge of every session but those whose task names the city `without`; there it answers 503."""
    if scene.request.name.options.get("without", "-") in scene.request.last.split("\n\n")[0]:
        raise Refusal(503, "The model is overloaded.", "overloaded")
    return good_judge(scene)


def _is_meta(scene: Scene) -> bool:
    return '"reasoning"' in scene.request.system


def _turns(scene: Scene) -> list[tuple[int, str]]:
    return [(int(number), text) for number, text in _TURN.findall(scene.request.last)]


def _ratings(scene: Scene) -> dict[str, Any]:
    turns = _turns(scene)
    spoken = [number for number, text in turns if text.startswith("Agent:")]
    spoken = spoken or [number for number, _text in turns[:1]]
    asked = dict.fromkeys(_NAME.findall(scene.request.system))
    if not asked.keys() <= {*DIMENSIONS}:
        listed = {key: [f"one thing of {key}"] for key in _LIST.findall(scene.request.system)}
        return {name: {**_rating(name, _MIDDLING, spoken[:2]), **listed} for name in asked}
    calls = [number for number, text in turns if re.match(r"Agent (?:calls|调用) ", text)] or spoken
    cited = dict(
        zip(DIMENSIONS, (calls[:2], calls[:3], spoken[:2], spoken[1:3] or spoken, spoken[-1:]), strict=True)
    )
    scores = (5, min(5, 1 + len(calls)), 4, min(5, 2 + len(spoken)), 3)
    return {name: _rating(name, score, cited[name]) for name, score in zip(DIMENSIONS, scores, strict=True)}


def _rating(name: str, score: int, turns: list[int]) -> dict[str, Any]:
    listed = ", ".join(map(str, turns))
    return {"score": score, "rationale": f"As to {name}, see [{listed}].", "turns": list(turns)}


def _calibration(scene: Scene) -> dict[str, Any]:
    turns = [number for number, _text in _turns(scene)[:1]]
    return {"reasoning": f"The ratings follow from turns such as {turns or 'none'}.", "score": 4}


def _json_answer(answer: dict[str, Any]) -> Answer:
    return Answer(json.dumps(answer, ensure_ascii=False))
