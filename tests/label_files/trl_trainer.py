"""Run by the Python of TRL: trains a tiny model through TRIP-Bench's environment, and prints what came of it.

Arguments: a folder to work in; ids of tasks, separated by commas; then the pack of a world, or a server's address and
its token. `answers.json` in the folder holds texts that the model can say as one token each: a tiny model writes no
plan letter by letter, and without one all rewards are 0.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found]
from datasets import Dataset  # type: ignore[import-not-found]
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers  # type: ignore[import-not-found]
from transformers import (  # type: ignore[import-not-found]
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)
from trl import GRPOConfig  # type: ignore[import-not-found]

from benchmark.advantages.gtpo import Normalisation
from environments.trl_training import GTPOTrainer, RemoteEpisode, Rollouts, last_turn_reward

STEPS = {True: 1, False: 2}
"""By whether the environment is in this process."""
ACTIONS = 2
TEMPLATE = """{% if tools %}<|start|>tools
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|end|>
{% endif %}{% for message in messages %}<|start|>{{ message.role }}
{{ message.content or '' }}{% if message.tool_calls %}{{ message.tool_calls | tojson }}{% endif %}<|end|>
{% endfor %}{% if add_generation_prompt %}<|start|>assistant
{% endif %}"""


def make_tokenizer(texts: list[str], answers: list[str]) -> Any:
    """One that writes any text, what the environment says in few tokens, and each answer in one, the last ones."""
    own = Tokenizer(models.BPE())
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = decoders.ByteLevel()
    own.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=1500,
            special_tokens=["<|pad|>", "<|start|>", "<|end|>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=own, eos_token="<|end|>", pad_token="<|pad|>", chat_template=TEMPLATE
    )
    tokenizer.add_tokens([AddedToken(answer, normalized=False) for answer in answers])
    return tokenizer


def main(folder: str, ids: str, place: str, token: str = "") -> None:
    """Train, and print the log and how many of the model's tensors have changed."""
    torch.manual_seed(1)
    tasks, is_here = ids.split(","), not token
    if is_here:  # the rest needs none of Caravan's libraries
        from environments import Environment
        from sandbox.worlds import open_world

        environment = Environment("tripbench", open_world(Path(place)), most_steps=ACTIONS)
        reset: Any = environment.reset
    else:

        def reset(task: str, seed: int) -> RemoteEpisode:
            return RemoteEpisode(place, token, task, seed)

    texts = [str(message["content"]) for task in tasks for message in reset(task, 0).observation.messages]
    answers = json.loads((Path(folder) / "answers.json").read_text("utf-8"))
    tokenizer = make_tokenizer(texts, answers)
    sayable = range(len(tokenizer) - len(answers), len(tokenizer))
    small = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=65_536,
    )  # fmt: skip
    Qwen2ForCausalLM(small).save_pretrained(folder)  # the reference is read from there
    model = Qwen2ForCausalLM.from_pretrained(folder)
    before = [tensor.clone() for tensor in model.parameters()]
    trainer = GTPOTrainer(
        model=model,
        args=GRPOConfig(
            output_dir=f"{folder}/out", max_steps=STEPS[is_here], num_generations=4, max_completion_length=1,
            per_device_train_batch_size=4, beta=0.05, loss_type="grpo", learning_rate=1e-2, use_cpu=True,
            report_to=[], save_strategy="no", logging_steps=1,
            generation_kwargs={"suppress_tokens": [at for at in range(len(tokenizer)) if at not in sayable]},
        ),
        processing_class=tokenizer,
        train_dataset=Dataset.from_dict({"prompt": [[{"role": "user", "content": task}] for task in tasks]}),
        reward_funcs=[last_turn_reward],
        rollout_func=Rollouts(reset),
        parts=Normalisation(gin=False),  # two turns are too few to normalise a constraint over them
    )  # fmt: skip
    trainer.train()
    changed = sum(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))
    print(json.dumps({"log": trainer.state.log_history, "changed": changed, "tensors": len(before)}))


main(*sys.argv[1:])
