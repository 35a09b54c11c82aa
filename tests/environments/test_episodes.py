"""Stepping through episodes in process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.cassettes import first_difference, read_cassette
from benchmark.cassettes.soundness import check_log
from benchmark.core.events import MessagePosted, ModelCalled, ToolReturned
from benchmark.core.setting import Setting
from benchmark.suites.tripbench.scoring import turns
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.scoring.verdict import judge_plan
from environments import Environment, Episode, EpisodeOver
from environments.environment import NoEnvironment
from sandbox.worlds import open_world
from tests import ROOT
from tests.environments.conftest import SUITES
from tests.properties import examples

EnvironmentOf = Callable[[str], Environment]


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"function": {"name": name, "arguments": json.dumps(arguments)}}]}


def play(episode: Episode, actions: list[Any]) -> list[float]:
    """The rewards of actions, as far as the episode takes them."""
    rewards = []
    for action in actions:
        if episode.is_over:
            break
        rewards.append(episode.step(action).reward)
    return rewards


def words(observation: Mapping[str, Any]) -> str:
    return json.dumps(observation, ensure_ascii=False)


BAD: dict[str, tuple[Any, str]] = {
    "cut off": ('{"tool_calls": [', "not valid JSON"),
    "too long": ("x" * 5_000_000, "longer than 1,000,000 bytes"),
    "too long, in an object": ({"content": "x" * 5_000_000}, "longer than 1,000,000 bytes"),
    "a number": (7, "give a text, or a message"),
    "nothing": (None, "give a text, or a message"),
    "an empty message": ({"content": ""}, "neither content nor tool_calls"),
    "a number as words": ({"content": 5}, "content: this is no text"),
    "words as calls": ({"tool_calls": "find a hotel"}, "tool_calls: give a list"),
    "no JSON inside": ({"content": "x", "metadata": object()}, "no JSON"),
    "too many calls": ({"tool_calls": [{"name": "a"}] * 1001}, "1000 are the most"),
}


@pytest.mark.parametrize("suite", SUITES)
def test_a_bad_action_is_told_and_may_be_done_better(environment_of: EnvironmentOf, suite: str) -> None:
    episode = environment_of(suite).reset(seed=1)
    asked = episode.observation.messages
    for action, why in BAD.values():
        result = episode.step(action)
        assert why in result.observation.error
        assert (result.reward, result.is_over, result.observation.messages) == (0.0, False, asked)
    better = episode.step("Where do you want to go?")
    assert better.observation.error == ""
    failures = [event.body for event in episode.log if isinstance(event.body, ModelCalled)]
    assert [failure.outcome for failure in failures[:3]] == ["malformed", "oversized", "oversized"]
    assert failures[-1].answered and failures[-1].attempt == len(BAD) + 1


def test_what_the_sandbox_refuses_is_an_observation(environment_of: EnvironmentOf) -> None:
    episode = environment_of("tripbench").reset(seed=1)
    for action in (
        call("fly_to_the_moon"),
        {"tool_calls": [{"name": "get_city_center_coords", "arguments": "{"}]},
    ):
        result = episode.step(action)
        assert result.observation.error == "" and not result.is_over
    errors = [event.body.error for event in episode.log if isinstance(event.body, ToolReturned)]
    assert errors == [True, True]
    *_, answered = result.observation.messages
    assert answered["role"] == "tool"


def test_an_agent_that_stays_silent_ends_its_session(environment_of: EnvironmentOf) -> None:
    episode = environment_of("tripbench").reset(seed=1)
    results = [episode.step("") for _ in range(4)]
    assert [result.is_over for result in results] == [False, False, False, True]
    assert "empty answer" in results[-1].observation.error
    assert results[-1].info["reason"] == "runtime_error"
    with pytest.raises(EpisodeOver):
        episode.step("Hello?")


def test_an_episode_is_cut_off_after_so_many_actions(environment_of: EnvironmentOf) -> None:
    environment = environment_of("tripbench")
    episode = Environment.reset(environment, seed=2)
    episode._most_steps = 2
    first, second = episode.step(7), episode.step(7)
    assert (first.truncated, second.truncated, second.terminated) == (False, True, False)
    assert episode.log[-1].body.type == "session_finished"


def test_the_reward_of_a_turn_is_that_of_its_plan(environment_of: EnvironmentOf) -> None:
    """A proven plan gets the share that its scores tell, turn by turn; words get 0."""
    environment = environment_of("tripbench")
    task = environment.tasks[next(iter(environment.tasks))].task
    episode = environment.reset(task.task_id, seed=5)
    assert episode.step("I shall see.").reward == 0.0
    witness = task.witness
    assert witness is not None
    result = episode.step(json.dumps(witness, ensure_ascii=False))
    setting: Setting[Any, Any] = episode.setting
    turn = score_session(episode.log, setting)[PUBLISHED].evidence["turns"][-1]
    flags = [*turn["soundness"].values(), *turn["user"].values()]
    expected = sum(flag is True for flag in flags) / len(flags) if turn["F_feas"] == 0 else 0.0
    assert result.reward == pytest.approx(expected)
    assert result.info["figures"]["F_feas"] == turn["F_feas"]
    scored = result.info["turn_scores"]
    assert scored["is_feasible"] is (turn["F_feas"] == 0)
    assert [*scored["scores"].values()] == [float(flag is True) for flag in flags]


def test_a_reply_is_judged_once(environment_of: EnvironmentOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its user hears of its faults, and its policy is rewarded, by one verdict."""
    judged: list[object] = []

    def judge(*asked: Any) -> Any:
        judged.append(asked)
        return judge_plan(*asked)

    monkeypatch.setattr(turns, "judge_plan", judge)
    environment = environment_of("tripbench")
    task = next(iter(environment.tasks.values())).task
    episode = environment.reset(task.task_id, seed=5)
    plan = json.dumps(task.witness, ensure_ascii=False)
    results = [episode.step(words) for words in ("I shall see.", plan, plan)]
    assert [result.info["figures"]["F_feas"] > 0 for result in results] == [True, False, False]
    assert len(judged) == 3


def test_a_plan_is_rewarded_once(environment_of: EnvironmentOf) -> None:
    episode = environment_of("tripscore").reset(seed=0)
    assert episode.observation.tools == ()
    result = episode.step("There is no such plan.")
    assert (result.reward, result.terminated, result.info["reason"]) == (-3, True, "no_plan")


def test_a_group_is_asked_and_hears_the_agent(environment_of: EnvironmentOf) -> None:
    episode = environment_of("grouptravel").reset(seed=0)
    assert {message["role"] for message in episode.observation.messages} == {"system", "user"}
    play(episode, ["Hello, where do you all want to go?"] * 4)
    speakers = {event.body.role for event in episode.log if isinstance(event.body, MessagePosted)}
    assert "Agent" in speakers and len(speakers) > 1


ACTIONS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        [call("get_city_center_coords", city_name="杭州"), call("search_hotels"), 7, None, '{"content": ']
    ),
    st.builds(lambda content: {"content": content}, st.text(max_size=20)),
    st.recursive(st.none() | st.booleans() | st.text(max_size=5), st.lists, max_leaves=5).map(
        lambda value: {"tool_calls": value}
    ),
)


@pytest.mark.parametrize("suite", SUITES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_the_same_seed_and_actions_give_the_same_sound_log(
    environment_of: EnvironmentOf, suite: str, data: st.DataObject
) -> None:
    environment = environment_of(suite)
    seed = data.draw(st.integers(0, 2**31 - 1))
    actions = data.draw(st.lists(ACTIONS, max_size=8))
    one, other = environment.reset(seed=seed), environment.reset(seed=seed)
    assert play(one, actions) == play(other, actions)
    assert one.observation == other.observation
    assert first_difference(one.log, other.log) is None
    assert [event.seq for event in one.log] == [*range(1, len(one.log) + 1)]
    check_log(one.log, environment.suite)


def test_episodes_side_by_side_do_not_touch_each_other(environment_of: EnvironmentOf) -> None:
    environment, actions = (
        environment_of("tripbench"),
        ["Hello.", call("get_city_center_coords", city_name="杭州"), "Well."],
    )
    alone = environment.reset(seed=4)
    play(alone, actions)
    several = [environment.reset(seed=seed) for seed in (3, 4, 5)]
    for action in actions:
        for episode in several:
            episode.step(action)
    assert first_difference(alone.log, several[1].log) is None


def test_what_can_not_be_played_is_refused_with_the_remedy(environment_of: EnvironmentOf) -> None:
    environment = environment_of("tripscore")
    for wrong in ({"task": "nowhere"}, {"seed": -1}, {"seed": 2**31}, {"seed": True}, {"seed": "1"}):
        with pytest.raises(NoEnvironment, match=r"name one|give a whole"):
            environment.reset(**wrong)
    with pytest.raises(NoEnvironment, match="no seat for a policy"):
        Environment("travelbench", environment.world)
    with pytest.raises(NoEnvironment, match="there is no option"):
        Environment("tripbench", environment.world, options={"colour": "blue"})


_CRASH = """
import sys
from pathlib import Path
from environments import Environment
from sandbox.worlds import open_world
environment = Environment("{suite}", open_world(Path(sys.argv[1])), [Path(sys.argv[2])], logs=Path(sys.argv[3]))
episode = environment.reset(seed=1)
while True:
    call = {{"name": "get_city_center_coords", "arguments": {{"city_name": str(episode.steps)}}}}
    episode.step({{"tool_calls": [call]}})
    print(episode.steps, flush=True)
"""


def test_a_killed_process_leaves_cassettes_that_can_be_read(
    starter_pack: Path, task_file: Callable[[str], Path], tmp_path: Path
) -> None:
    code = _CRASH.format(suite="tripbench")
    command = [sys.executable, "-c", code, str(starter_pack), str(task_file("tripbench")), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        steps = [process.stdout.readline() for _ in range(3)]
        process.kill()
    assert steps[-1] == b"3\n"
    (path,) = tmp_path.iterdir()
    cassette = read_cassette(path)
    assert len(cassette.exchanges) >= 3 and cassette.log[0].body.type == "session_opened"
    with path.open("ab") as file:
        file.write(b'{"kind":"event","seq":')
    assert read_cassette(path).log == cassette.log


@pytest.mark.parametrize("suite", SUITES)
def test_the_cassette_of_an_episode_holds_its_log(
    starter_pack: Path, task_file: Callable[[str], Path], suite: str, tmp_path: Path
) -> None:
    environment = Environment(suite, open_world(starter_pack), [task_file(suite)], logs=tmp_path)
    episode = environment.reset(seed=1)
    play(episode, ["Hello.", 7, call("get_city_center_coords", city_name="杭州"), "", "", "", "", ""])
    assert episode.is_over
    cassette = read_cassette(tmp_path / f"{episode.id}.jsonl")
    assert cassette.log == episode.log
    assert len(cassette.exchanges) == episode.conversation.state.model_calls
