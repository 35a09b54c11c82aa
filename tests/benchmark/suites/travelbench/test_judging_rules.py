"""How judgements are asked for, read and counted: the sentences of the rules, and a second reading of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.travelbench.modes import DIMENSIONS
from benchmark.suites.travelbench.scoring.aggregate import (
    exact_overall,
    rounded_overall,
    statistics_of,
)
from benchmark.suites.travelbench.scoring.answers import read_judgement, read_meta, repair_tags
from benchmark.suites.travelbench.scoring.asking import (
    AskedInVain,
    Judgement,
    NoConnection,
    ask_judge,
    meta_judged,
)
from benchmark.suites.travelbench.scoring.scores import error_rate, run_scores
from benchmark.suites.travelbench.scoring.unsolved_verdict import first_message, first_response

SINGLE = DIMENSIONS["single_turn"]
WORDS = ["极差", "较差", "一般", "较好", "优秀"]


def judge_answer(*words: str, root: str = "response") -> str:
    parts = [
        f"<{name}><reasoning>r</reasoning><rating>{word}</rating></{name}>"
        for name, word in zip(SINGLE, words, strict=False)
    ]
    return f"<{root}>{''.join(parts)}</{root}>"


GOOD = judge_answer("优秀", "一般", "极差")


class Model:
    """Gives replies in order, the last again and again; a class of error is raised."""

    def __init__(self, *replies: str | type[Exception]) -> None:
        self.replies, self.temperatures = replies, list[float]()

    def __call__(self, temperature: float) -> str:
        reply = self.replies[min(len(self.temperatures), len(self.replies) - 1)]
        self.temperatures.append(temperature)
        if isinstance(reply, str):
            return reply
        raise reply


def ratings(text: str) -> list[str] | None:
    read = read_judgement(text, SINGLE)
    return None if read is None else [one["rating"] for one in read.values()]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  ```xml\n{GOOD}\n```  ",
        f"```\n{GOOD}\n```",
        f"先分析。{GOOD}完。<response>{judge_answer('一般')}</response>",
        judge_answer("优秀", "一般", "极差", root="result"),
        GOOD.replace("<rating>优秀<", "<rating> \n优秀 <"),
        GOOD.replace("</response>", f"<{SINGLE[0]}><rating>极差</rating></{SINGLE[0]}></response>"),
        GOOD.removesuffix("</response>"),
        GOOD.removesuffix("</rating></presentation></response>"),
    ],
)
def test_a_judgement_is_found_in_what_surrounds_it(text: str) -> None:
    assert ratings(text) == ["优秀", "一般", "极差"]


@pytest.mark.parametrize(
    "text",
    [
        "", "无法评价。", '{"reasoning_planning": "优秀"}', GOOD.replace("</presentation>", ""),
        GOOD.replace("优秀</rating>", "优秀"), GOOD.replace("r<", "a & b<"), GOOD.replace("r<", "a < b<"),
        "<!DOCTYPE a [<!ENTITY b 'c'>]>" + GOOD.replace("<response>", "").replace("</response>", ""),
    ],
)  # fmt: skip
def test_what_one_repair_does_not_mend_is_no_judgement(text: str) -> None:
    assert ratings(text) is None


@pytest.mark.parametrize("word", ["優秀", "优秀。", "5", "较好/优秀", "", "excellent"])
def test_a_word_that_is_none_of_the_five_rates_nothing(word: str) -> None:
    found = ask_judge(Model(judge_answer(word, "较好", "一般")), SINGLE)
    assert found is not None
    assert found.ratings == {SINGLE[0]: None, SINGLE[1]: 4, SINGLE[2]: 3} and found.mean == 3.5


def test_under_paper_a_dimension_without_a_word_makes_the_answer_unreadable() -> None:
    model = Model(judge_answer("優秀", "较好", "一般"), GOOD)
    found = ask_judge(model, SINGLE, complete=True)
    assert found is not None and (found.mean, len(model.temperatures)) == (3.0, 2)


def test_a_judge_is_asked_for_ten_answers_the_last_three_warmer() -> None:
    model = Model("nothing")
    assert ask_judge(model, SINGLE) is None
    assert model.temperatures == [0.0] * 7 + [0.7] * 3


def test_each_answer_of_a_judge_has_ten_tries() -> None:
    model = Model(AskedInVain)
    assert ask_judge(model, SINGLE) is None and len(model.temperatures) == 100
    model = Model(*[AskedInVain] * 12, "", GOOD)
    assert ask_judge(model, SINGLE) is not None and len(model.temperatures) == 14


def test_without_a_connection_nobody_is_asked_again() -> None:
    for ask, loop in ((Model("x", NoConnection), ask_judge), (Model("x", NoConnection), None)):
        assert (loop(ask, SINGLE) if loop else meta_judged(ask)) is None
        assert len(ask.temperatures) == 2


def test_a_meta_judge_has_ten_requests_and_no_repair() -> None:
    good = "审核：<meta_evaluation><reasoning>r</reasoning><rating>较差</rating></meta_evaluation>"
    assert read_meta(good.removesuffix("</meta_evaluation>")) is None
    model = Model(AskedInVain, "", "x", good.replace("较差", "四"), good)
    assert meta_judged(model) == 2 and len(model.temperatures) == 5
    model = Model(AskedInVain)
    assert meta_judged(model) is None and model.temperatures == [0.0] * 10


# The repair, read a second time: insertions by place, made from the end.


def second_reading(text: str, dimensions: Sequence[str]) -> str:
    tags = [(m.group(), m.start()) for m in re.finditer(r"</?[^>]+>", text)]
    opens: list[int] = []
    inserts: list[tuple[int, str]] = []
    for i, (tag, at) in enumerate(tags):
        if tag[1] != "/":
            opens.append(i)
            continue
        matching = [j for j in opens if tags[j][0][1:] == tag[2:]]
        if not matching:
            continue
        if matching[-1] != opens[-1]:
            while opens[-1] != matching[-1]:
                inserts.append((at, "</" + tags[opens.pop()][0][1:]))
            inserts.append((at, "</" + tags[opens.pop()][0][1:]))
            continue
        begin = opens.pop()
        if tag[2:-1] in dimensions:
            within = {inner for inner, _ in tags[begin + 1 : i]}
            needed = ["</reasoning>"] if "<reasoning>" in within else []
            if within & {"<reasoning>", "</reasoning>"}:
                needed += ["<rating>", "</rating>"]
            inserts += [(at, each) for each in needed if each not in within]
    inserts += [(len(text), "</" + tags[j][0][1:]) for j in reversed(opens)]
    for at, tag in reversed(inserts):
        text = text[:at] + tag + text[at:]
    return text


PIECES = ["<response>", "</response>", "<reasoning>", "</reasoning>", "<rating>", "</rating>", "优秀", "<x/>",
          "<!-- c -->", "a < b", "&", *(f"<{n}>" for n in SINGLE), *(f"</{n}>" for n in SINGLE)]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_repair_is_the_same_read_twice(text: str) -> None:
    assert repair_tags(text, SINGLE) == second_reading(text, SINGLE)


# Figures.


def judgement_of(words: Sequence[int | None]) -> Judgement:
    return Judgement({}, dict(zip(SINGLE, words, strict=True)))


def test_the_figures_of_a_run_by_hand() -> None:
    told = run_scores(judgement_of([5, 3, None]), 0.25, 4)
    assert told["scores"] == {
        "reasoning_planning_score": 5,
        "summarization_extraction_score": 3,
        "presentation_score": None,
        "average_score": 4.0,
    }
    assert list(told["normalized_scores"].values()) == [100, 50, None, 75]
    assert list(told["penalized_scores"].values()) == [75, 37.5, None, 56.25]
    assert list(told["final_scores"].values()) == pytest.approx([60, 30, None, 45])
    assert run_scores(judgement_of([5, 3, 1]), 2.0, None)["final_scores"]["reasoning_planning_score"] == -100


@pytest.mark.parametrize(
    ("record", "rate"),
    [({}, 0), ({"tool_errors": 3}, 0), ({"tool_calls_count": 4, "tool_errors": 1}, 0.25),
     ({"tool_calls_count": 1, "tool_errors": 2}, 2.0)],
)  # fmt: skip
def test_without_calls_there_is_no_penalty(record: dict[str, int], rate: float) -> None:
    assert error_rate(record) == rate


RUNS = st.lists(
    st.tuples(
        st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=3, max_size=3).filter(any),
        st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5]),
        st.one_of(st.none(), st.integers(1, 5)),
    ),
    min_size=1,
    max_size=8,
)


@given(RUNS)
def test_statistics_are_the_same_read_twice(runs: Any) -> None:
    items = [
        {"evaluation": run_scores(judgement_of(words), rate, meta), "cache_hits": 2, "cache_misses": 1}
        for words, rate, meta in runs
    ]
    told = statistics_of("single_turn", [*items, {"evaluation": None}])
    assert (told["total_trajectories"], told["valid_evaluations"]) == (len(runs) + 1, len(runs))
    finals = []
    for place, name in enumerate(SINGLE):
        seen = [(words[place], rate, meta) for words, rate, meta in runs if words[place] is not None]
        assert told["average_scores"][name] == pytest.approx(mean(one[0] for one in seen) if seen else 0)
        finals.append(
            mean((word - 1) * 25 * (1 - rate) * (meta or 5) / 5 for word, rate, meta in seen) if seen else 0
        )
        assert told["final_average_scores_100"][name] == pytest.approx(finals[-1])
        assert sum(told["rating_distribution"][name].values()) == len(seen)
    assert told["final_average_scores_100"]["overall_average"] == pytest.approx(mean(finals))
    averages = [mean(word for word in words if word) for words, _, _ in runs]
    assert told["average_scores"]["overall_average"] == pytest.approx(mean(averages))
    bins = told["tool_error_statistics"]["error_rate_distribution"]
    assert sum(bins.values()) == sum(rate <= 1 for _, rate, _ in runs)
    assert told["cache_statistics"]["cache_hit_rate_percentage"] == pytest.approx(200 / 3)
    assert told["meta_judge_statistics"]["enabled"] == any(meta for _, _, meta in runs)


def test_nothing_judged_has_no_figures() -> None:
    told = statistics_of("multi_turn", [])
    assert (told["mode"], told["valid_evaluations"], told["average_scores"]) == ("unknown", 0, {})


def test_the_published_overall_averages_what_is_rounded_already() -> None:
    subsets = (10.004, 10.004, 10.004)
    assert rounded_overall(subsets) == 10.0 and exact_overall(subsets) == pytest.approx(10.004)


# [Unsolved].


def message(content: str | None, calls: int = 0, role: str = "assistant") -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": [{}] * calls}


@pytest.mark.parametrize(
    ("messages", "published", "paper"),
    [
        (None, 0, 0),
        ([], 0, 0),
        ([message("[Unsolved]", role="user")], 0, 0),
        ([message("抱歉 [Unsolved] 。")], 1, 1),
        ([message("[unsolved]")], 0, 0),
        ([message("【Unsolved】")], 0, 0),
        ([message(None, 1), message("[Unsolved]")], 0, 1),
        ([message("[Unsolved]", 1), message("完成")], 1, 0),
        ([message("您指哪里？"), message("[Unsolved]")], 0, 0),
    ],
)
def test_where_the_tag_counts(messages: Any, published: int, paper: int) -> None:
    assert (first_message(messages).score, first_response(messages).score) == (published, paper)
