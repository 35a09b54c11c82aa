"""What a repair needs of a stored session: its log, who judges it, and what its agent is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmark.core.events import Event, ParticipantJoined
from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from benchmark.models.chat import Message
from benchmark.repairing import JudgedReply, Repairable
from benchmark.suites import suite_named
from webapp.catalogue.packs import pack_for_scores
from webapp.labelling.files import prompts_of, talk_requests
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.setting import setting_of

SystemOf = Callable[[Session, Sequence[Event]], Sequence[Message]]
"""What stands before the conversation of a session."""


def system_messages(suite_name: str) -> SystemOf:
    """Of an agent that calls tools and talks its system prompt; of one that answers once the whole prompt."""
    training = suite_named(suite_name).training
    assert training is not None
    prompt, request = prompts_of(suite_name), talk_requests(suite_name)
    is_conversation = training().is_conversation

    def system(session: Session, events: Sequence[Event]) -> Sequence[Message]:
        if not is_conversation:
            return prompt(session.task.task_id, session.pk)
        asked = request(session.task.task_id, session.pk, events)
        return [message for message in asked.messages if message["role"] == "system"] if asked else []

    return system


def read_session(session: Session, system: SystemOf) -> Repairable:
    """A session as it is repaired."""
    suite = suite_named(session.suite)
    assert suite.training is not None
    judge_reply = suite.training().judge_reply
    assert judge_reply is not None
    events = list(read_log(session))
    world = pack_for_scores(session.suite, session.pack) if session.pack else None
    setting = setting_of(session, events[0].body, world)

    def judge(log: Sequence[Event], number: int) -> JudgedReply:
        return judge_reply(log, setting, number)

    return Repairable(events, suite.play.rules, judge, system(session, events), setting.language)


def is_persons(events: Sequence[Event]) -> bool:
    """Whether a person was the agent, whose words are not to be learned from."""
    return any(is_person(event.body) for event in events)


def is_person(body: Any) -> bool:
    """Whether a person takes the agent's seat with this event."""
    return isinstance(body, ParticipantJoined) and body.seat == AGENT and body.kind == PERSON
