"""TRL's GRPO over episodes: `Rollouts` is a `rollout_func`, `GTPOTrainer` weighs each turn by itself.

TRL and torch are extras that this module alone needs (`pip install trl`). Episodes are of this process or of a
server; with a server nothing else of Caravan's libraries is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import torch
from accelerate.utils import gather_object
from trl import GRPOTrainer
from trl.chat_template_utils import parse_response

from benchmark.advantages.gtpo import Normalisation, RolloutTurn, turn_advantages
from environments.client import Client
from environments.observation import Message, Observation, StepResult

Tokens = list[int]
NO_TURN: Final = -1
"""The turn of tokens that are not the policy's."""
MOST_TOKENS: Final = 32_768
"""Of an episode (Table 6); a turn in which they run out is incomplete."""


class AnyEpisode(Protocol):
    """An episode of this process or of a server."""

    @property
    def observation(self) -> Observation:
        """What the policy is asked now."""

    @property
    def is_over(self) -> bool:
        """Whether no further action is taken."""

    def step(self, action: object) -> StepResult:
        """Take an action."""


class RemoteEpisode:
    """One of `environments.server`."""

    def __init__(self, url: str, token: str, task: str, seed: int) -> None:
        """Raises ServerRefusal, OSError, as `step` does."""
        self._client = Client(url, token)
        told = self._client.reset(task, seed)
        self.observation, self.is_over = _read_observation(told), bool(told["done"])

    def step(self, action: object) -> StepResult:
        """Take an action."""
        told = self._client.step(action)  # type: ignore[arg-type]
        self.observation, self.is_over = _read_observation(told), bool(told["done"])
        info = told["observation"]["metadata"]
        cut_off = bool(info["truncated"])
        return StepResult(self.observation, told["reward"], self.is_over and not cut_off, cut_off, info)


def _read_observation(told: Mapping[str, Any]) -> Observation:
    seen = told["observation"]
    return Observation(tuple(seen["messages"]), tuple(seen["tools"]), seen["error"])


class Chat:
    """How a tokenizer writes a chat, whatever its template."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._stop: int = tokenizer.eos_token_id
        self._before: list[Message] = [
            {"role": "user", "content": "-"},
            {"role": "assistant", "content": "-"},
        ]
        self._prefix = self._write(self._before, ())

    def prompt(self, observation: Observation) -> Tokens:
        """All that the policy is asked."""
        return self._write(observation.messages, observation.tools, asks=True)

    def continuation(self, said: Tokens, messages: Sequence[Message]) -> Tokens:
        """What follows on what the policy said: the end of its message where it has none, and the messages."""
        after = self._write([*self._before, *messages], (), asks=True)
        if after[: len(self._prefix)] != self._prefix:
            raise ValueError(
                "the chat template writes earlier messages anew; give the tokenizer one that does not"
            )
        last = len(self._prefix) - 1 - self._prefix[::-1].index(self._stop)
        ending = self._prefix[last + 1 :] if said[-1:] == [self._stop] else self._prefix[last:]
        return [*ending, *after[len(self._prefix) :]]

    def read(self, prompt: Tokens, said: Tokens) -> Message:
        """What the policy said, as a message."""
        if getattr(self._tokenizer, "response_schema", None) or getattr(
            self._tokenizer, "response_template", None
        ):
            message: Message = parse_response(self._tokenizer, said, prefix=prompt)
            return message
        return {"role": "assistant", "content": self._tokenizer.decode(said, skip_special_tokens=True)}

    def _write(self, messages: Sequence[Message], tools: Sequence[Message], *, asks: bool = False) -> Tokens:
        written: Tokens = self._tokenizer.apply_chat_template(
            [dict(each) for each in messages],
            tools=[*tools] or None,
            add_generation_prompt=asks,
            tokenize=True,
            return_dict=False,
        )
        return written


@dataclass
class Track:
    """An episode as one line of tokens.

    owners: of each token of the completion the turn, `NO_TURN` of others'. logprobs: None of others' tokens. turns:
    for GTPO, where the benchmark has such. rewards: of the turns that have ended.
    """

    episode: AnyEpisode
    chat: Chat
    most_tokens: int
    prompt: Tokens = field(init=False)
    completion: Tokens = field(default_factory=list)
    owners: Tokens = field(default_factory=list)
    logprobs: list[float | None] = field(default_factory=list)
    turns: list[RolloutTurn] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    is_open: bool = True

    def __post_init__(self) -> None:
        self.prompt = self.chat.prompt(self.episode.observation)
        self.is_open = not self.episode.is_over

    @property
    def tokens(self) -> Tokens:
        """All so far."""
        return [*self.prompt, *self.completion]

    def take(self, said: Tokens, logprobs: Sequence[float | None]) -> None:
        """Act with what the policy said."""
        asked = self.episode.observation.messages
        message = self.chat.read(self.tokens, said)
        self._add(said, len(self.rewards), logprobs)
        result = self.episode.step(message)
        if result.is_over or result.info["turn"] > len(self.rewards):
            self.rewards.append(result.reward)
        if (turn := result.info.get("turn_scores")) is not None:
            self.turns.append(RolloutTurn(turn["is_feasible"], True, turn["scores"]))
        if result.is_over:
            self.is_open = False
            return
        new = _messages_after(asked, result.observation.messages)
        following = self.chat.continuation(said, new)
        if len(self.tokens) + len(following) >= self.most_tokens:
            self.is_open = False
        else:
            self._add(following, NO_TURN, [None] * len(following))

    def _add(self, tokens: Tokens, owner: int, logprobs: Sequence[float | None]) -> None:
        self.completion += tokens
        self.owners += [owner] * len(tokens)
        self.logprobs += logprobs


def _messages_after(asked: Sequence[Message], now: Sequence[Message]) -> Sequence[Message]:
    """What has come after the policy's own message.

    Agents leave out of earlier messages what they remind of in the last one. Here it stays, as it was said: the
    tokens that the policy continues are those that it is trained on.

    Raises ValueError where the chat does not go on from the one before.
    """
    new = now[len(asked) :]
    if [each.get("role") for each in now[: len(asked)]] != [each.get("role") for each in asked]:
        raise ValueError("this agent asks anew at each turn; train one whose requests go on from each other")
    return new[1:] if new and new[0].get("role") == "assistant" else new


@dataclass
class Rollouts:
    """TRL's `rollout_func`. The prompts of its data set are the ids of tasks; a group's episodes share a seed.

    reset: a new episode of a task, by its id and a seed.
    """

    reset: Callable[[str, int], AnyEpisode]
    most_tokens: int = MOST_TOKENS

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """Play an episode a prompt, all of them side by side: tokens, `env_mask`, turns and owners of tokens."""
        chat, seed = Chat(trainer.processing_class), int(trainer.state.global_step)
        tracks = [Track(self.reset(_task_of(prompt), seed), chat, self.most_tokens) for prompt in prompts]
        has_logprobs = True
        while running := [track for track in tracks if track.is_open]:
            said, logprobs = trainer._generate_single_turn([track.tokens for track in running], None, {}, 1)
            has_logprobs = has_logprobs and logprobs is not None
            for at, track in enumerate(running):
                own = [None] * len(said[at]) if logprobs is None else logprobs[at]
                track.take([*said[at]], own)
        return {
            "prompt_ids": [track.prompt for track in tracks],
            "completion_ids": [track.completion for track in tracks],
            "logprobs": [track.logprobs for track in tracks] if has_logprobs else None,
            "env_mask": [[int(owner != NO_TURN) for owner in track.owners] for track in tracks],
            "turns": [track.turns for track in tracks],
            "turn_rewards": [track.rewards for track in tracks],
            "owners": [track.owners for track in tracks],
        }


def _task_of(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else str(prompt[-1]["content"])


def last_turn_reward(turn_rewards: Sequence[Sequence[float]], **_: object) -> list[float]:
    """A reward function for TRL: that of the last turn that has ended, 0 without any (GRPO over several turns)."""
    return [own[-1] if own else 0.0 for own in turn_rewards]


class GTPOTrainer(GRPOTrainer):  # type: ignore[misc]
    """GRPO of TRL with an advantage for each turn in place of one for the rollout; give it `Rollouts`."""

    def __init__(self, *args: Any, parts: Normalisation | None = None, **kwargs: Any) -> None:
        """parts: which of GTPO's are on; all of them by default."""
        super().__init__(*args, **kwargs)
        self.parts = parts or Normalisation()

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        size = self.num_generations if self.model.training else self.num_generations_eval
        every: list[list[RolloutTurn]] = gather_object([each["turns"] for each in inputs])
        weighed = [
            own
            for at in range(0, len(every), size)
            for own in turn_advantages(every[at : at + size], self.parts)["advantages"]
        ]
        first = self.accelerator.process_index * len(inputs)
        advantages = torch.zeros_like(output["completion_ids"], dtype=torch.float32)
        for row, each in enumerate(inputs):
            own = weighed[first + row]
            for at, owner in enumerate(each["owners"]):
                # a turn that has not ended, or that too few of the group have reached, is left out
                value = own[owner] if NO_TURN < owner < len(own) else None
                advantages[row, at] = value or 0.0
                output["tool_mask"][row, at] = int(value is not None)
        output["advantages"] = advantages
        return output
