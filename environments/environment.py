"""The tasks of a benchmark that a policy is trained on, in a world."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benchmark.cassettes import GrowingCassette
from benchmark.core.engine import Conversation
from benchmark.core.events import ParticipantJoined, SessionStart
from benchmark.core.participant import INBOX, BuiltIn, OverModel
from benchmark.core.setting import Setting
from benchmark.core.taskfiles import ReadTask, TaskFileError
from benchmark.core.view import AGENT
from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite, Options, read_options
from environments.episode import MOST_STEPS, POLICY, Episode, Keep, Seating
from sandbox.toolbox import SandboxSetup, world_tools
from sandbox.toolsets import toolset_named
from sandbox.worlds import World

_LETTERS, _ID_LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 12
NOTHING: Mapping[str, object] = MappingProxyType({})


class NoEnvironment(ValueError):
    """A benchmark, a task or an option of which no episode can be made; the message says what to do."""


class Environment:
    """Makes episodes. The world and all that is made of it are shared by them; it belongs to one thread."""

    def __init__(
        self,
        suite: str,
        world: World,
        tasks: Sequence[Path] = (),
        options: Mapping[str, object] = NOTHING,
        *,
        most_steps: int = MOST_STEPS,
        logs: Path | None = None,
    ) -> None:
        """tasks: files; by default those that come with Caravan. options: what is chosen for the sessions, by key.

        logs: a folder where each episode is written as a cassette, step by step, None for nowhere.

        Raises NoEnvironment, OSError.
        """
        self.suite: AnySuite = suite_named(suite)
        if self.suite.policy_seat is None:
            raise NoEnvironment(f"{self.suite.title} has no seat for a policy; name another benchmark")
        self.world, self.most_steps, self.logs = world, most_steps, logs
        if logs is not None:
            logs.mkdir(parents=True, exist_ok=True)
        self.tasks = read_tasks(self.suite, tasks or self.suite.tasks.starter)
        try:
            self.options: Options = read_options(self.suite.options, options)
        except ValueError as error:
            raise NoEnvironment(str(error)) from error
        self._seat = self.suite.policy_seat()
        self._for_scores = self.suite.scoring.world(world)

    def reset(self, task: str = "", seed: int = 0) -> Episode:
        """A new episode, up to the policy's first turn.

        task: its id; "" for the one that the seed chooses. seed: 0 to 2³¹ − 1; it settles all chance.

        Raises NoEnvironment.
        """
        if type(seed) is not int or not 0 <= seed < 2**31:
            raise NoEnvironment(f"seed: give a whole number from 0 to {2**31 - 1}")
        read = self.tasks.get(task or [*self.tasks][seed % len(self.tasks)])
        if read is None:
            raise NoEnvironment(f"task: there is no {task[:80]!r}; name one of the tasks of this environment")
        return self._begin(read, seed)

    def _begin(self, read: ReadTask[Any], seed: int) -> Episode:
        play, task, cast = self.suite.play, read.task, self.suite.play.cast()
        agent, users = cast.agents[self._seat.agent], cast.users.get(self._seat.users)
        assert isinstance(agent, OverModel)
        joined = [
            ParticipantJoined(
                seat=AGENT, kind=self._seat.agent, prompts=agent.prompts(task.language), model=POLICY
            ),
            *(ParticipantJoined(seat=user, kind=self._seat.users) for user in task.users),
        ]
        start = SessionStart(
            seed=seed,
            options=self.options,
            world=self.world.name,
            pack_hash=self.world.pack_hash,
            sandbox=SandboxSetup(toolset=play.toolset),
            seats=joined,
        )
        conversation = Conversation(play.rules)
        conversation.append(play.opening(task, start))
        opened = conversation.state.opening
        assert opened is not None
        setting = Setting(
            read_task=lambda: task,
            definition=read.raw,
            world=self._for_scores,
            open_pack=lambda: self.world,
            users=opened.users,
            options=self.options,
            seed=seed,
            language=task.language,
        )
        toolset = toolset_named(opened.sandbox.toolset)
        speakers = {}
        for user in task.users:
            assert isinstance(users, BuiltIn)
            speakers[user] = users.make(play.seat_context(setting, user, toolset))
        seating = Seating(
            agent=lambda model: agent.make(play.seat_context(setting, AGENT, toolset), model),
            users=speakers,
            tools=world_tools(self.world, task.language, toolset),
            reward=self._seat.reward,
            check=play.check(setting),
        )
        id_ = "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))
        return Episode(
            conversation, setting, seating, id_=id_, most_steps=self.most_steps, keep=self._keeper(id_)
        )

    def _keeper(self, id_: str) -> Keep | None:
        if self.logs is None:
            return None
        users = self._seat.users if self._seat.users in self.suite.play.cast().users else INBOX
        return GrowingCassette(self.logs / f"{id_}.jsonl", id_, self._seat.agent, users).keep


def read_tasks(suite: AnySuite, paths: Sequence[Path]) -> Mapping[str, ReadTask[Any]]:
    """Tasks by their ids. Raises NoEnvironment, OSError."""
    tasks: dict[str, ReadTask[Any]] = {}
    for path in paths:
        try:
            read = suite.tasks.files.whole(path)
        except TaskFileError as error:
            raise NoEnvironment(f"{path}: {error}") from error
        for one in read:
            if tasks.setdefault(one.task.task_id, one) is not one:
                raise NoEnvironment(f"task {one.task.task_id} is there twice; keep one of them")
    if not tasks:
        raise NoEnvironment("the files hold no task; name one with tasks")
    return tasks
