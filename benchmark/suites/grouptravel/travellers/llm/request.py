"""What the model is asked: the traveller's own secret, the visible chat, and the turn (GroupTravelBench, A.5, D.8).

The messages alternate strictly, as some chat templates demand: what others said between two own messages is one user
message, every utterance after its speaker's name, and the turn's instruction ends the last one. So the request of the
next turn begins with everything of this one but that instruction, and a server's prefix cache serves it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from benchmark.core.view import Message
from benchmark.models import ChatRequest
from benchmark.suites.grouptravel.travellers.llm.bounds import bounds_of
from benchmark.suites.grouptravel.view import Card, GroupView
from benchmark.text.lengths import bound_text
from benchmark.text.prompts import Prompts, prompt_language
from sandbox.tools.language import Language

PROMPTS = Prompts(Path(__file__).parent / "prompts", equals=": ", mark="\0")
TEMPERATURE = 0.0
LONGEST_QUOTE = 600
"""Characters of a withdrawn draft that are shown again."""


def request_of(view: GroupView, card: Card) -> ChatRequest:
    """The one request of a turn; it holds nothing that this traveller may not know."""
    language = prompt_language(view.language)
    chat = [*_chat(view, language)]
    instruction = _instruction(view, card, language)
    if chat[-1]["role"] == "user":
        chat[-1] = _as("user", f"{chat[-1]['content']}\n\n{instruction}")
    else:
        chat.append(_as("user", instruction))
    return ChatRequest((_as("system", _system(view, card, language)), *chat), temperature=TEMPERATURE)


def _as(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _system(view: GroupView, card: Card, language: Language) -> str:
    """The rules, which are the same for every traveller of every session, before what is this one's own."""
    return f"{PROMPTS.fill(language, 'rules')}\n\n{_self(view, card, language)}"


def _self(view: GroupView, card: Card, language: Language) -> str:
    return PROMPTS.fill(
        language,
        "self",
        name=view.me,
        role=_role(card.role, language),
        group=_group(view, language),
        query=view.query,
        time=view.time,
        context=view.context,
        table=json.dumps(card.effective, ensure_ascii=False, indent=1),
        attitude=PROMPTS.fill(language, _attitude(card), left=card.compromises_left),
    )


def _attitude(card: Card) -> str:
    if not card.compromisable:
        return "attitude_firm"
    return "attitude_yields" if card.compromises_left > 0 else "attitude_spent"


def _role(role: str, language: Language) -> str:
    return role or PROMPTS.line(language, "chat", "no_role")


def _group(view: GroupView, language: Language) -> str:
    """A line for everyone in the group, the agent last."""
    mine, silent = PROMPTS.line(language, "chat", "you"), PROMPTS.line(language, "chat", "companion")
    marks = [(member, mine if member.name == view.me else "") for member in view.travellers]
    marks += [(member, silent) for member in view.companions]
    members = (
        PROMPTS.line(language, "chat", "member", name=member.name, role=_role(member.role, language)) + mark
        for member, mark in marks
    )
    return "\n".join((*members, PROMPTS.line(language, "chat", "agent")))


def _chat(view: GroupView, language: Language) -> Iterator[dict[str, str]]:
    """The visible chat, beginning with a user message whoever spoke first."""
    opening = PROMPTS.line(language, "chat", "beginning")
    for mine, messages in groupby(view.messages, key=lambda message: message.role == view.me):
        if mine and opening:
            yield _as("user", opening)
        said = "\n\n".join(
            bound_text(message.content, language) if mine else _chat_line(message, language)
            for message in messages
        )
        yield _as("assistant", said) if mine else _as("user", "\n\n".join(filter(None, (opening, said))))
        opening = ""
    if opening:
        yield _as("user", opening)


def _chat_line(message: Message, language: Language) -> str:
    return PROMPTS.line(
        language, "chat", "said", name=message.role, content=bound_text(message.content, language)
    )


def _instruction(view: GroupView, card: Card, language: Language) -> str:
    """Why the traveller is asked, what is open to it, and what was wrong with its former tries."""
    turn = view.turn
    may_mark = bounds_of(view, card).may_mark
    keys = (
        "heading",
        "mentioned" if turn.kind == "mentioned" else "polled",
        "solicited" if may_mark else "unmarked",
    )
    parts = [PROMPTS.line(language, "turn", key) for key in keys]
    if PROMPTS.has_line(language, "turn", turn.problem):
        for words in turn.refused[-1:]:
            parts += [PROMPTS.line(language, "turn", "refused"), _quote_block(words)]
        parts += [PROMPTS.line(language, "turn", "reason") + PROMPTS.line(language, "turn", turn.problem)]
    for draft in turn.drafts:
        reason = PROMPTS.line(language, "turn", "reason") + draft.note
        parts += [PROMPTS.line(language, "turn", "draft"), _quote_block(draft.content), reason]
    if turn.problem or turn.drafts:
        parts.append(PROMPTS.line(language, "turn", "again"))
    return "\n".join(parts)


def _quote_block(words: str) -> str:
    """A quotation block, which no line of the quoted words can leave."""
    shown = words if len(words) <= LONGEST_QUOTE else words[:LONGEST_QUOTE] + "…"
    return "\n".join(f"> {each}" for each in shown.splitlines() or [""])
