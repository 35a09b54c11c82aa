"""In which order a user comes to ask: first wishes, new ones, stricter ones, and one that is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from benchmark.suites.tripbench.making.chains import Chain
from benchmark.suites.tripbench.making.tiers import Shape
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.tasks.task import Instruction, Node

SECOND_P: Final = 0.2
"""How often a turn of LIT has two instructions."""
TAKE_BACK_P: Final = 0.5


class Line:
    """A chain as instructions: its first form is new, each other one replaces the one before."""

    def __init__(self, name: str, chain: Chain, *, is_vague: bool = False) -> None:
        self.chain = chain
        ids = [name if not n else f"{name}-{n + 1}" for n in range(len(chain.forms))]
        self.instructions = [
            _instruction(id_, form, ids[n - 1] if n else "", is_vague=is_vague and not n)
            for n, (id_, form) in enumerate(zip(ids, chain.forms, strict=True))
        ]

    @property
    def ids(self) -> list[str]:
        """Of its instructions."""
        return [one.id for one in self.instructions]

    def take_back(self) -> Instruction:
        """The return to the form before the last; the deletion of a single one."""
        *before, last = self.ids
        if before:
            return Instruction(id=f"{last}-back", behaviour="rollback", drops=(last,), restores=(before[-1],))
        return Instruction(id=f"{last}-gone", behaviour="delete", drops=(last,))


def _instruction(id_: str, form: Rubric, before: str, *, is_vague: bool) -> Instruction:
    behaviour = "modify" if before else "append"
    drops = (before,) if before else ()
    return Instruction.model_validate(
        {"id": id_, "behaviour": behaviour, "rubric": form.key, "args": form.arguments, "drops": drops}
        | {"is_vague": is_vague}
    )


def shorten_chains(random: Random, chains: Sequence[Chain], room: int) -> list[Chain]:
    """Without first forms of the longer ones, so that all forms but the last are at most so many."""
    told = [*chains]
    while sum(len(chain.forms) - 1 for chain in told) > room:
        long = [n for n, chain in enumerate(told) if len(chain.forms) > 1]
        n = random.choice(long)
        told[n] = Chain(told[n].forms[1:])
    return told


def tell_story(
    random: Random, lines: Sequence[Sequence[Instruction]], first: int, shape: Shape, *, slow: bool = False
) -> list[Node]:
    """Nodes that say all lines, each in its order. first: lines whose beginning the first node says. slow: LIT."""
    queues = [[*line] for line in lines]
    nodes = [Node(instructions=tuple(queue.pop(0) for queue in queues[:first]))]
    left = shape.turns - 2
    while waiting := [queue for queue in queues if queue]:
        count = (1 + (random.random() < SECOND_P)) if slow else random.randint(1, shape.most)
        count = min(max(count, -(-sum(map(len, waiting)) // max(left, 1))), shape.most)
        random.shuffle(waiting)
        waiting.sort(key=lambda queue: len(queue) < left)
        nodes.append(Node(instructions=tuple(queue.pop(0) for queue in waiting[:count])))
        left -= 1
    return nodes
