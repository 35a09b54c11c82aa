"""The proofs of a task: a plan after each node, and for each wish that can't be met what rules it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmark import worded_sets
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.tasks.task import Instruction, Task


def files_beside(out: Path) -> dict[str, Path]:
    """Where the report and the proofs of a set go."""
    report = worded_sets.files_beside(out)
    return {**report, "proofs": out.with_name(f"{out.name.removesuffix('.jsonl')}.proofs.jsonl")}


def prove_task(task: Task, prover: Prover) -> dict[str, Any]:
    """By node: the ids that were issued by then, a strict plan, and what can't be met and was taken back at once."""
    issued, nodes = list[str](), list[dict[str, Any]]()
    for node in task.nodes:
        refuted = list[dict[str, Any]]()
        for one in node.instructions:
            issued.append(one.id)
            if one.fallback is not None:
                refuted.append(_refute(one, task, issued, prover))
                issued.append(one.fallback.id)
        plan = prover.find_plan(task.demand_after(issued))
        nodes.append({"issued": [*issued], "infeasible": refuted, "plan": plan})
    return {"id": task.id, "nodes": nodes}


def _refute(one: Instruction, task: Task, issued: list[str], prover: Prover) -> dict[str, Any]:
    """constraints: which no plan meets at once; nodes: how many choices the exhausted search looked at."""
    outcome = prover.try_plans(task.demand_after(issued))
    told = {"id": one.id, "state": outcome.state}
    if outcome.proof is None:
        return told
    proof = outcome.proof
    return {**told, "constraints": [*proof.constraints], "reason": proof.reason, "nodes": proof.nodes}
