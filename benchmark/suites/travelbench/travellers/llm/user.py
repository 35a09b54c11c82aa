"""The user simulator: it knows what was meant and who it is, and tells what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.core.actions import Action
from benchmark.models import ChatRequest, Model
from benchmark.suites.travelbench.conversation.answers import Answer, fallback
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.modes import END_MARK
from benchmark.text.lengths import bound_text
from benchmark.text.prompts import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts", equals=": ", mark="\0")
TEMPERATURE = 0.0


@dataclass(frozen=True, slots=True)
class LlmUser:
    """Says what its model writes; a stock sentence where that is nothing."""

    model: Model

    def act(self, view: RequestView) -> Action:
        """One request.

        Raises:
            ModelFailure: the model gave no answer.
        """
        reply = self.model.ask(request_of(view))
        words = reply.text.strip()
        return Answer(words, thought=reply.reasoning) if words else fallback(view.round)


def request_of(view: RequestView) -> ChatRequest:
    """The one request of a turn: the rules and what the user knows, then the chat, which holds no tool texts.

    The messages alternate, as some chat templates demand, and the first one is not the user's own.
    """
    return ChatRequest(tuple(_messages(view)), temperature=TEMPERATURE)


def _messages(view: RequestView) -> Iterator[dict[str, str]]:
    yield {"role": "system", "content": _system(view)}
    yield {"role": "user", "content": PROMPTS.fill(view.language, "begin")}
    for message in view.messages:
        words = bound_text(message.content, view.language)
        if message.role == view.me:
            yield {"role": "assistant", "content": words}
        else:
            yield {"role": "user", "content": PROMPTS.fill(view.language, "heard", words=words, tag=END_MARK)}


def _system(view: RequestView) -> str:
    return PROMPTS.fill(
        view.language,
        "rules",
        tag=END_MARK,
        time=view.time,
        context=view.context,
        intent=view.intent or "",
        profile=view.profile or "",
    )
