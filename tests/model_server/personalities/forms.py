"""Tool calls of models without native calls: written as the system message explains."""

from __future__ import annotations

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer


def in_form(scene: Scene, answer: Answer) -> Answer:
    """The answer as this request wants calls and words to be written; native calls stay what they are."""
    if scene.form == "react" and scene.task in ("speak", "final"):
        return _reacting(answer)
    if scene.form == "fenced" and answer.calls:
        return _fenced_calls(answer)
    return answer


def _reacting(answer: Answer) -> Answer:
    """One action at a time."""
    if not answer.calls:
        return Answer(f"Thought: enough is known.\nAnswer: {answer.text}", (), answer.reasoning)
    call = answer.calls[0]
    text = f"Thought: this has to be looked up.\nAction: {call.name}\nAction Input: {call.arguments}"
    return Answer(text, (), answer.reasoning)


def _fenced_calls(answer: Answer) -> Answer:
    blocks = [f"```call {call.name}\n{call.arguments}\n```" for call in answer.calls]
    return Answer("\n\n".join([answer.text, *blocks]).strip(), (), answer.reasoning)
