"""Judges and meta-judges that are asked for XML with a word a dimension (TravelBench)."""

from __future__ import annotations

import re

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

WORDS = ("极差", "较差", "一般", "较好", "优秀")
_FORM = re.compile(r"<response>\n(.*?)\n</response>", re.S)
_ASKED_IN = re.compile(r"^<(\w+)><reasoning>", re.M)
_CALL = re.compile(r"^assistant tool_calls: ", re.M)
_AGENT_TURN = re.compile(r"^assistant: ", re.M)
_CALIBRATION = "<meta_evaluation>"


def is_asked(scene: Scene) -> bool:
    """Whether the request is one for words in XML."""
    return _CALIBRATION in scene.request.system or _FORM.search(scene.request.last) is not None


def good(scene: Scene) -> Answer:
    """Rates what the form asks for, the better the more calls there are; as meta-judge finds all in order."""
    if _CALIBRATION in scene.request.system:
        return Answer(
            "<meta_evaluation><reasoning>The reasons hold.</reasoning><rating>优秀</rating></meta_evaluation>"
        )
    return Answer(_xml_answer({name: _word(scene) for name in dimensions(scene)}))


def sloppy(scene: Scene) -> Answer:
    """The same in a fence, without the last closing tags; as meta-judge with nothing wrong."""
    text = good(scene).text
    if _CALIBRATION in scene.request.system:
        return Answer(text)
    last = dimensions(scene)[-1]
    return Answer(f"```xml\n{text.removesuffix(f'</rating></{last}></response>')}```")


def without_a_word(scene: Scene) -> Answer:
    """A number in place of the first dimension's word; as meta-judge in place of the word."""
    good_word = "优秀" if _CALIBRATION in scene.request.system else _word(scene)
    return Answer(good(scene).text.replace(f"<rating>{good_word}</rating>", "<rating>7</rating>", 1))


def dimensions(scene: Scene) -> list[str]:
    """What the form of the answer names, in its order."""
    form = _FORM.findall(scene.request.last)[-1]
    return _ASKED_IN.findall(form)


def _word(scene: Scene) -> str:
    calls, said = (len(pattern.findall(scene.request.last)) for pattern in (_CALL, _AGENT_TURN))
    return WORDS[min(4, 2 + calls)] if said else WORDS[0]


def _xml_answer(words: dict[str, str]) -> str:
    told = "".join(
        f"<{name}><reasoning>As to {name}.</reasoning><rating>{word}</rating></{name}>"
        for name, word in words.items()
    )
    return f"<response>{told}</response>"
