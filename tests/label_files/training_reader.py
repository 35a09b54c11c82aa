"""Run by the Python of TRL and verl: reads sets of training and prints what they take them for, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import torch  # type: ignore[import-not-found]
from datasets import load_dataset  # type: ignore[import-not-found]
from omegaconf import OmegaConf  # type: ignore[import-not-found]
from trl.data_utils import is_conversational  # type: ignore[import-not-found]
from trl.trainer.utils import nanstd, pad  # type: ignore[import-not-found]
from verl import DataProto  # type: ignore[import-not-found]
from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage  # type: ignore[import-not-found]
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # type: ignore[import-not-found]
from verl.utils.torch_functional import masked_mean  # type: ignore[import-not-found]

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


def read_tokens(path: str) -> dict[str, Any] | None:
    """The tokens of rollouts as a batch of verl, padded by TRL, with the objective of the policy that wrote them.

    None for a set without tokens. Its ratios are 1, so its objective is the mean advantage of the tokens that count.
    """
    kind = "parquet" if path.endswith(".parquet") else "json"
    rows = load_dataset(kind, data_files=path, split="train", cache_dir=f"{path}.cache")
    if "token_logprob" not in rows.column_names:
        return None
    names = {
        "rollout_log_probs": "token_logprob",
        "response_mask": "token_mask",
        "advantages": "token_advantage",
    }
    columns = {name: [row[column] for row in rows] for name, column in names.items()}
    for row, mask in enumerate(columns["response_mask"]):
        parts = zip(*(column[row] for column in columns.values()), strict=True)
        columns["response_mask"][row] = [
            own * (None not in part) for own, part in zip(mask, parts, strict=True)
        ]
    batch = DataProto.from_single_dict({name: _pad_rows(column) for name, column in columns.items()}).batch
    ratio = torch.exp(batch["rollout_log_probs"] - batch["rollout_log_probs"].detach())
    objective = masked_mean(ratio * batch["advantages"], batch["response_mask"])
    return {
        "shape": [*batch["response_mask"].shape],
        "counted": int(batch["response_mask"].sum()),
        "logprobs": float((batch["rollout_log_probs"] * batch["response_mask"]).sum()),
        "objective": float(objective),
    }


def _pad_rows(rows: list[list[float | None]]) -> Any:
    tensors = [torch.tensor([value or 0.0 for value in row], dtype=torch.float64) for row in rows]
    return pad(tensors, padding_value=0.0, padding_side="right")


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
        "tokens": {path: read_tokens(path) for path in paths if ".rollouts." in path},
        "advantages": advantages_of(json.loads(rewards)),
    }
    print(json.dumps(told, ensure_ascii=False))


main(*sys.argv[1:])
