"""Whole conversations of many made tasks: what holds of each, whatever the agent says."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from benchmark.core.events import DraftWithdrawn
from benchmark.suites.tripbench.events import InstructionsIssued, UserBriefed
from benchmark.suites.tripbench.modes import MODE
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.tasks import Task
from tests.benchmark.suites.tripbench.talks import EMPTY_SCHEDULE, GOOD, talk, task_of
from tests.scale.tripbench import CONSTRAINTS

REPLIES = (
    GOOD,
    EMPTY_SCHEDULE,
    f"I can't find such a hotel. {GOOD}",
    "Which hotel do you like?",
    "无法满足。",
    "",
)
COUNT = 60


def make_task(random: Random) -> Task:
    """Nodes that add, change and end constraints, some vague, some that can't be met."""
    nodes, held = list[list[dict[str, Any]]](), list[str]()
    for number in range(random.randint(1, 8)):
        node = []
        for nth in range(random.randint(min(number, 1), 3)):  # only the first may have none
            id_, chosen = f"i{number}-{nth}", random.choice(CONSTRAINTS)
            own: dict[str, Any] = {"id": id_, "rubric": chosen["rubric"], "args": chosen["args"]}
            if held and random.random() < 0.3:
                own |= {"behaviour": "modify", "drops": [held.pop(random.randrange(len(held)))]}
            if random.random() < 0.2:
                own["fallback"] = {"id": f"{id_}-back", "behaviour": "rollback", "drops": [id_]}
            else:
                own["is_vague"] = random.random() < 0.2
                held.append(id_)
            node.append(own)
        nodes.append(node)
    tier = random.choice(["easy", "mid", "hard"])
    return task_of(*nodes, tier=tier, subset=tier, language=random.choice(["en", "zh"]))


def test_a_session_says_all_or_comes_to_its_last_turn_and_leaves_nothing_that_can_not_be_met() -> None:
    for seed in range(COUNT):
        random = Random(seed)
        task, mode = make_task(random), random.choice([*MODE.values])
        conversation, setting = talk(task, *(random.choice(REPLIES) for _ in range(13)), seed=seed, mode=mode)
        state, bodies = conversation.state, [event.body for event in conversation.events]
        assert not any(isinstance(body, DraftWithdrawn) for body in bodies)
        said = [body.ids for body in bodies if isinstance(body, InstructionsIssued)]
        most = [body.most for body in bodies if isinstance(body, UserBriefed)]
        assert all(len(ids) <= limit for ids, limit in zip(said, most, strict=True))
        assert all(limit == 4 for limit in most[1:])
        own = [one.id for node in task.nodes for one in node.instructions]
        assert state.final_event is not None
        if state.final_event.reason == "all_said":
            assert {*own} <= {*state.issued_ids}
        held = task.demand_after(state.issued_ids).constraints.values()
        assert not [one.id for one in held if one.fallback]
        sheet = score_session(conversation.events, setting)[PUBLISHED]
        assert len(sheet.turns) == state.round and json.dumps(sheet.as_json(), allow_nan=False)
