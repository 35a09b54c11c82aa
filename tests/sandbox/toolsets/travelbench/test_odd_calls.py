"""Whatever a model writes into a call, an agent gets a text: an answer, the honest sentence, or what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.backends import WorldBackend
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets import TOOLSETS
from sandbox.toolsets.base import Strictness
from sandbox.toolsets.travelbench.rules import CHECKS_BY_TOOL
from sandbox.worlds import World
from tests.properties import examples

TRAVELBENCH = TOOLSETS["travelbench"]
LAKE = "30.2478,120.1446"
USUAL: dict[str, Any] = {
    **dict.fromkeys(("center", "origin", "destination"), LAKE),
    "query": "景点",
    "origins": [LAKE, LAKE],
    "region": "杭州市",
    "location": "杭州市",
    "date": "2025-10-23",
    "modes": ["driving"],
    "intermediates": [LAKE],
    "days": 1,
    "limit": 3,
    "radius": 3000,
    "min_rating": 1,
}
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 15, 0.5, 1e18, 1e300, 10**40, float("nan"), float("inf")]),
    st.sampled_from(
        ["", " ", "１", "朝阳区", "nan,nan", "1e400,1", "999,-999", "９0,１80", "2025-02-30", "x" * 9_000]
    ),
    st.sampled_from(
        ["9999-12-31", "２０２５-10-23", "0001-01-01", "\ud800", "\x00", LAKE.replace(",", "，")]
    ),
    st.sampled_from([[], {}, [None], [[LAKE]], [LAKE] * 300, {"a": {"b": []}}, ["walking", "walking"]]),
)


@pytest.mark.parametrize("strictness", ["lenient", "strict"])
@pytest.mark.parametrize("name", CHECKS_BY_TOOL)
def test_any_call_is_answered(tiny_world: World, strictness: Strictness, name: str) -> None:
    answers = WorldAnswers(WorldBackend(tiny_world, TRAVELBENCH))
    tools = Toolbox(
        answers, "zh", toolset=TRAVELBENCH, strictness=strictness, given={"time": "2025-10-22 10:00"}
    )
    own = [*CHECKS_BY_TOOL[name].required_names, *CHECKS_BY_TOOL[name].optional]
    usual = {argument: USUAL[argument] for argument in own if argument in USUAL}

    @settings(max_examples=examples(40), deadline=None, suppress_health_check=[*HealthCheck])
    @given(st.dictionaries(st.sampled_from(own), ODD, max_size=3), st.booleans())
    def check_answer(odd: dict[str, Any], as_text: bool) -> None:
        arguments = usual | odd
        outcome = tools.call(name, json.dumps(arguments) if as_text else arguments)
        assert isinstance(outcome.result, str) and outcome.result
        assert outcome.error_kind in ("", "arguments")

    check_answer()


@pytest.mark.parametrize("strictness", ["lenient", "strict"])
@pytest.mark.parametrize("written", ["", "null", "[]", '"x"', "1", "{", '{"query": "x"} 好的', "[" * 100_000])
def test_what_is_no_object_is_an_error_and_keeps_its_text(
    tiny_world: World, strictness: Strictness, written: str
) -> None:
    answers = WorldAnswers(WorldBackend(tiny_world, TRAVELBENCH))
    tools = Toolbox(answers, "zh", toolset=TRAVELBENCH, strictness=strictness, given={})
    outcome = tools.call("web_search", written)
    assert outcome.error_kind == "arguments" and outcome.source == "none"
