"""Pairs and sessions that are chosen for labelling."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling.sampling import Candidate, choose_pairs, choose_sessions, count_pairs

AGENTS = ("a", "b", "c")


def candidates(tasks: int = 12, agents: tuple[str, ...] = AGENTS, trials: int = 1) -> list[Candidate]:
    """One session or more of each agent on each task; every third task is hard."""
    return [
        Candidate(f"{agent}{task}-{trial}", f"t{task}", agent, "hard" if task % 3 == 0 else "easy")
        for task, agent, trial in product(range(tasks), agents, range(trials))
    ]


def test_a_pair_is_of_one_task_and_of_different_agents() -> None:
    pairs = choose_pairs(candidates(trials=2))
    assert len(pairs) == 12 * 3 * 4
    assert all(pair.left.task == pair.right.task and pair.left.agent != pair.right.agent for pair in pairs)


def test_the_same_seed_gives_the_same_pairs_in_whatever_order_sessions_come() -> None:
    sessions = candidates()
    mixed = sessions.copy()
    random.Random(5).shuffle(mixed)
    assert choose_pairs(sessions, size=10, seed=3) == choose_pairs(mixed, size=10, seed=3)
    assert choose_pairs(sessions, size=10, seed=3) != choose_pairs(sessions, size=10, seed=4)


def test_pairs_of_agents_get_equal_shares() -> None:
    pairs = choose_pairs(candidates(), size=20)
    assert sorted(count_pairs(pairs).values()) == [6, 7, 7]


def test_what_a_pair_of_agents_lacks_goes_to_the_others() -> None:
    few = [one for one in candidates() if one.agent != "c" or one.task in ("t0", "t1")]
    pairs = choose_pairs(few, size=14)
    assert count_pairs(pairs) == {("a", "b"): 10, ("a", "c"): 2, ("b", "c"): 2}


def test_no_pair_of_agents_gets_more_than_it_may() -> None:
    assert set(count_pairs(choose_pairs(candidates(), most_per_agents=4)).values()) == {4}


def test_strata_take_turns_while_they_last() -> None:
    pairs = choose_pairs(candidates(), size=12)
    assert Counter(pair.stratum for pair in pairs) == {"hard": 6, "easy": 6}


def test_no_task_comes_again_before_the_others_of_its_stratum_came() -> None:
    easy = [one for one in candidates(tasks=6, agents=("a", "b"), trials=3) if one.stratum == "easy"]
    pairs = choose_pairs(easy, size=4)
    assert len({pair.left.task for pair in pairs}) == 4


def test_either_agent_stands_on_the_left_as_often() -> None:
    pairs = choose_pairs(candidates(tasks=30))
    for first, second in count_pairs(pairs):
        left = Counter(pair.left.agent for pair in pairs if pair.agents == (first, second))
        assert abs(left[first] - left[second]) <= 1


def test_pairs_that_do_not_differ_are_passed_over_and_made_up_for() -> None:
    asked = []

    def differ(first: Candidate, second: Candidate) -> bool:
        asked.append((first.id, second.id))
        return first.task not in ("t0", "t1")

    pairs = choose_pairs(candidates(agents=("a", "b")), size=10, differ=differ)
    assert len(pairs) == 10
    assert not {"t0", "t1"} & {pair.left.task for pair in pairs}
    assert len(asked) <= 12


def test_nothing_comes_of_one_agent_or_of_no_session() -> None:
    assert choose_pairs(candidates(agents=("a",))) == []
    assert choose_pairs([]) == []


@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abcd"), st.sampled_from("xy")), max_size=40),
    st.integers(0, 30),
    st.integers(0, 5),
)
def test_shares_differ_by_more_than_one_only_where_pairs_run_out(
    told: list[tuple[int, str, str]], size: int, seed: int
) -> None:
    sessions = [
        Candidate(str(n), f"t{task}", agent, str(task % 2)) for n, (task, agent, _) in enumerate(told)
    ]
    there = count_pairs(choose_pairs(sessions))
    pairs = choose_pairs(sessions, size=size, seed=seed)
    got = count_pairs(pairs)
    assert len(pairs) == min(size, sum(there.values()))
    assert len({(pair.left.id, pair.right.id) for pair in pairs}) == len(pairs)
    most = max(got.values(), default=0)
    assert all(got.get(agents, 0) >= min(count, most - 1) for agents, count in there.items())


def test_each_agent_gets_as_many_sessions() -> None:
    chosen = choose_sessions(candidates(), per_agent=5, seed=1)
    assert Counter(one.agent for one in chosen) == {"a": 5, "b": 5, "c": 5}
    assert chosen == choose_sessions(reversed(candidates()), per_agent=5, seed=1)


def test_sessions_are_spread_over_strata_and_tasks() -> None:
    chosen = choose_sessions(candidates(tasks=6, agents=("a",), trials=4), per_agent=4)
    assert Counter(one.stratum for one in chosen) == {"hard": 2, "easy": 2}
    assert len({one.task for one in chosen}) == 4


def test_a_size_cuts_all_agents_alike() -> None:
    assert Counter(one.agent for one in choose_sessions(candidates(), size=6)) == {"a": 2, "b": 2, "c": 2}
