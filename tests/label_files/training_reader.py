"""Run by the Python of TRL and verl: reads sets of training and prints what they take them for, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import torch  # type: ignore[import-not-found]
from datasets import load_dataset  # type: ignore[import-not-found]
from omegaconf import OmegaConf  # type: ignore[import-not-found]
from trl.data_utils import is_conversational  # type: ignore[import-not-found]
from trl.trainer.utils import nanstd  # type: ignore[import-not-found]
from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage  # type: ignore[import-not-found]
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # type: ignore[import-not-found]

TRL_EPS = 1e-4
"""What TRL's trainer adds to the deviation."""


def read_with_trl(path: str) -> dict[str, Any]:
    """A set as `load_dataset` gives it to TRL's trainers."""
    kind = "parquet" if path.endswith(".parquet") else "json"
    rows = load_dataset(kind, data_files=path, split="train", cache_dir=f"{path}.cache")
    conversational = [is_conversational(row) for row in rows]
    return {"columns": rows.column_names, "rows": list(rows), "conversational": conversational}


def read_with_verl(path: str) -> dict[str, Any]:
    """Prompts as verl's loader and its batches give them; no prompt is measured, so no tokenizer is needed."""
    config = OmegaConf.create({"filter_overlong_prompts": False, "cache_dir": f"{path}.verl"})
    rows = RLHFDataset(path, tokenizer=None, config=config)
    batch = collate_fn([rows[at] for at in range(len(rows))])
    keys = ("raw_prompt", "data_source", "ability", "reward_model", "extra_info", "index")
    return {key: list(batch[key]) for key in keys}


def advantages_of(rewards: list[float]) -> dict[str, list[float]]:
    """What both make of the rewards of one group."""
    group = torch.tensor(rewards, dtype=torch.float64)
    trl = (group - group.mean()) / (nanstd(group.view(1, -1), dim=1) + TRL_EPS)
    verl, _ = compute_grpo_outcome_advantage(
        group.view(-1, 1).clone(), torch.ones(len(rewards), 1, dtype=torch.float64), ["g"] * len(rewards)
    )
    return {"trl": trl.tolist(), "verl": verl.view(-1).tolist()}


def main(rewards: str, *paths: str) -> None:
    """What is found, by file, under the name of the program."""
    told = {
        "trl": {path: read_with_trl(path) for path in paths},
        "verl": {path: read_with_verl(path) for path in paths if ".grpo." in path},
        "advantages": advantages_of(json.loads(rewards)),
    }
    print(json.dumps(told, ensure_ascii=False))


main(*sys.argv[1:])
