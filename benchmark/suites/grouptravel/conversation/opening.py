"""How a session over a task begins."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.core.engine import Step
from benchmark.core.events import Contract, MessagePosted, ParticipantJoined, Protocol, contract_of
from benchmark.suites.grouptravel.events import CardDealt, Member, SessionOpened
from benchmark.suites.grouptravel.tasks import Task
from sandbox.toolbox import SandboxSetup


def opening_step(
    task: Task,
    *,
    seed: int = 0,
    protocol: Protocol = "published",
    contract: Contract | None = None,
    world: str = "",
    pack_hash: str = "",
    sandbox: SandboxSetup | None = None,
    joined: Iterable[ParticipantJoined] = (),
) -> Step:
    """The first events of a session: the task as everyone knows it, the seats, each card, the opening messages.

    contract: None for the protocol's own.
    """
    max_turn, interval = task.limits
    opened = SessionOpened(
        task_id=task.task_id,
        query=task.query,
        time=task.time,
        context=task.context,
        language=task.language,
        travellers=tuple(Member(name=user, role=card.role) for user, card in task.user_preferences.items()),
        companions=tuple(Member(name=child.user, role=child.role) for child in task.metadata.child_members),
        max_turn=max_turn,
        convergence_interval=interval,
        protocol=protocol,
        contract=contract or contract_of(protocol),
        seed=seed,
        world=world,
        pack_hash=pack_hash,
        sandbox=sandbox or SandboxSetup(),
    )
    cards = (CardDealt(user=user, card=card) for user, card in task.cards().items())
    said = (MessagePosted(role=m.role, content=m.content, opening=True) for m in task.initial_messages)
    return Step("system", (opened, *joined, *cards, *said))
