"""How answers are drawn where it is chosen for a run."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from benchmark.models import ChatRequest, ModelSetup
from benchmark.models.dialects import parameters
from benchmark.models.sampling import NO_SAMPLING, Sampling

PARAMETERS = ("temperature", "top_p", "seed", "max_tokens", "extra_body")


def setup(**changes: Any) -> ModelSetup:
    return ModelSetup(**{"name": "n", "base_url": "http://localhost:1/v1", "model": "m", **changes})


def sent_parameters(sampling: Sampling, **changes: Any) -> dict[str, Any]:
    given = parameters(sampling.of(setup(**changes)), ChatRequest((), temperature=0.7))
    return {name: given[name] for name in PARAMETERS if name in given}


def test_what_is_chosen_goes_before_the_endpoint_and_the_rest_stays() -> None:
    assert sent_parameters(NO_SAMPLING, temperature=0.2) == {"temperature": 0.2, "max_tokens": 8192}
    chosen = Sampling(temperature=0.0, top_p=0.9, max_tokens=50, seed=0, thinking="off")
    assert sent_parameters(chosen, temperature=0.2) == {
        "temperature": 0.0,
        "top_p": 0.9,
        "seed": 0,
        "max_tokens": 50,
        "extra_body": {"enable_thinking": False},
    }
    assert sent_parameters(Sampling(top_p=0.5)) == {"temperature": 0.7, "top_p": 0.5, "max_tokens": 8192}
    assert sent_parameters(Sampling(top_p=0.5), temperature=0.2)["temperature"] == 0.2


def test_the_seed_counts_up_with_the_trials() -> None:
    assert Sampling(seed=5, top_p=0.5).later(2) == Sampling(seed=7, top_p=0.5)
    assert Sampling(top_p=0.5).later(2) == Sampling(top_p=0.5)


def test_setups_of_before_read_and_write_as_they_did() -> None:
    old = setup().model_dump(mode="json")
    assert not {"top_p", "seed"} & old.keys() and not {"top_p", "seed"} & setup().answer_settings.keys()
    assert ModelSetup.model_validate(old) == setup()
    chosen = Sampling(seed=3).of(setup())
    assert ModelSetup.model_validate(chosen.model_dump(mode="json")) == chosen


@pytest.mark.parametrize(
    ("sampling", "changes", "field"),
    [
        (Sampling(temperature=0.5), {"dialect": "reasoning_effort"}, "temperature"),
        (Sampling(top_p=0.5), {"dialect": "thinking_type", "thinking": "on"}, "top_p"),
        (Sampling(max_tokens=4096), {"context_limit": 4096, "max_tokens": 100}, "max_tokens"),
    ],
)
def test_what_would_not_do_what_it_says_is_refused(
    sampling: Sampling, changes: dict[str, Any], field: str
) -> None:
    refused = sampling.refusal(setup(**changes))
    assert refused is not None and refused[0] == field and "“n”" in str(refused[1])


def test_what_would_is_not() -> None:
    off = Sampling(temperature=0.5, thinking="off")
    assert off.refusal(setup(dialect="reasoning_effort")) is None
    assert Sampling(max_tokens=100).refusal(setup(context_limit=4096)) is None


@pytest.mark.parametrize(
    "bad",
    [{"temperature": 2.1}, {"temperature": float("nan")}, {"top_p": 0}, {"seed": -1}, {"max_tokens": 0}],
)
def test_values_that_can_not_be(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Sampling(**bad)
