"""Pairs of a preferred and a rejected answer, with the columns that TRL documents.

https://huggingface.co/docs/trl/dataset_formats#preference: an explicit prompt, and either texts (standard) or lists
of messages (conversational). `score_chosen` and `score_rejected` are the votes that either answer has; `strength` is
`slight` where the preferred one is slightly better.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.labelling.files.exports import ItemExport, strength_of

Message = Mapping[str, Any]
Side = str | Sequence[Message]
PREFERENCES = ("left", "right")
KINDS = ("standard", "conversational")


@dataclass
class DropCounts:
    """Items that make no pair. undecided: without a majority or a decision. even: neither, or both alike.

    no_plan: a side has no answer, be it a plan or words.
    """

    undecided: int = 0
    even: int = 0
    no_plan: int = 0
    written: int = 0

    @property
    def count(self) -> int:
        return self.undecided + self.even + self.no_plan

    def takes(self, item: ItemExport, answers: Container[str]) -> bool:
        """Whether an item makes a pair; counts it. answers: the sessions that have one."""
        if not item.final:
            self.undecided += 1
        elif item.final not in PREFERENCES:
            self.even += 1
        elif item.left not in answers or item.right not in answers:
            self.no_plan += 1
        else:
            self.written += 1
            return True
        return False


def preference(
    item: ItemExport, prompt: Sequence[Message], sides: Mapping[str, Side], *, conversational: bool = False
) -> dict[str, Any]:
    """One row. prompt: what an agent was told of the task, as messages with `role` and `content`.

    sides: the answer on the left and the one on the right, as messages in the conversational form.
    """
    votes = {side: float(sum(label.choice == side for label in item.main_labels())) for side in sides}
    rejected = "right" if item.final == "left" else "left"
    told = [{"role": str(message["role"]), "content": str(message["content"])} for message in prompt]
    row: dict[str, Any] = {
        "prompt": told if conversational else "\n\n".join(message["content"] for message in told),
        "chosen": sides[item.final],
        "rejected": sides[rejected],
        "score_chosen": votes[item.final],
        "score_rejected": votes[rejected],
        "strength": strength_of(item.slight),
        "item": item.number,
        "task": item.task,
    }
    return row
