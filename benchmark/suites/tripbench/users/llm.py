"""The user over a model: it is shown what it may say in a turn, and says some of it in its own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

from benchmark.core.actions import Action, Say
from benchmark.models import ChatRequest, Model
from benchmark.suites.tripbench.events import Block, Item, UserBriefed
from benchmark.suites.tripbench.itineraries import find_plan, prose_around
from benchmark.suites.tripbench.users.telling import tell_plan
from benchmark.suites.tripbench.users.words import PROMPTS, say
from benchmark.suites.tripbench.views import TripView
from benchmark.text.lengths import bound_text

TEMPERATURE: Final = 0.7
"""Of the user (section 4 of the paper)."""


@dataclass(frozen=True, slots=True)
class LlmUser:
    """Says what its model writes; the rules ask again where that does not keep to the brief."""

    model: Model

    def act(self, view: TripView) -> Action:
        """One request.

        Raises:
            ModelFailure: the model gave no answer.
        """
        reply = self.model.ask(request_of(view))
        return Say(reply.text.strip(), thought=reply.reasoning)


def request_of(view: TripView) -> ChatRequest:
    """The rules, the chat with plans in prose, what may be said now, and what was wrong with answers to that."""
    return ChatRequest(tuple(_messages(view)), temperature=TEMPERATURE)


def _messages(view: TripView) -> Iterator[dict[str, str]]:
    assert view.brief is not None
    language = view.language
    style = say(language, f"talk_{view.brief.style or 'plain'}")
    yield {"role": "system", "content": PROMPTS.fill(language, "rules", style=style, most=view.brief.most)}
    yield {"role": "user", "content": _now(view, view.brief)}
    for draft in view.turn.drafts:
        yield {"role": "assistant", "content": draft.content}
        yield {"role": "user", "content": say(language, draft.why, ids=draft.note, most=view.brief.most)}


def _chat(view: TripView) -> str:
    """What was said so far; nothing of tools."""
    said = [
        say(
            view.language,
            "own" if message.role == view.me else "heard",
            words=bound_text(_prose(message.content, view.language), view.language),
        )
        for message in view.messages
    ]
    return "\n\n".join(said) or "–"


def _prose(reply: str, language: str) -> str:
    plan = find_plan(reply)
    return reply if plan is None else "\n\n".join((prose_around(reply), tell_plan(plan, language)))


def _now(view: TripView, brief: UserBriefed) -> str:
    """The chat, and what may be said in this turn."""
    language = view.language
    blocks = {
        block: "\n".join(_line(item, language) for item in brief.items if item.block == block) or "–"
        for block in get_args(Block)
    }
    turn = say(language, "turn_first" if brief.turn == 1 else "turn_later")
    needed = say(language, "needed", ids=", ".join(brief.needed_ids)) if brief.needed_ids else ""
    return PROMPTS.fill(
        language,
        "now",
        chat=_chat(view),
        trip=brief.trip,
        turn=" ".join(filter(None, (turn, needed))),
        **blocks,
    )


def _line(item: Item, language: str) -> str:
    words = say(language, "vague_mark", words=item.words) if item.is_vague else item.words
    return say(language, f"block_{item.block}", id=item.id, words=words, replaces=", ".join(item.replaces))
