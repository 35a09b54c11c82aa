"""The synthetic cache: the published proportions, and entries that the tools could have given."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from pathlib import Path

import pytest

from sandbox.cache import published_key
from sandbox.toolsets.grouptravel.tools import TOOLS
from tests.scale.cache import (
    MISSED_COUNT,
    MISSED_TOOLS,
    PUBLISHED_COUNTS,
    TOTAL,
    calls,
    calls_of,
    counts,
    write_published,
)

SAMPLE = 60


def test_the_published_total_has_the_published_counts() -> None:
    """GroupTravelBench appendix B.5."""
    assert sum(PUBLISHED_COUNTS.values()) == 253_533
    assert counts(253_533) == PUBLISHED_COUNTS
    assert set(PUBLISHED_COUNTS) == set(TOOLS)


@pytest.mark.parametrize("total", [1, 999, 20_011, TOTAL])
def test_the_counts_add_up_and_keep_the_proportions(total: int) -> None:
    """A few entries that rounding leaves go to the largest tool."""
    scaled = counts(total)
    assert sum(scaled.values()) == total
    for tool, count in PUBLISHED_COUNTS.items():
        assert scaled[tool] == pytest.approx(total * count / 253_533, abs=len(PUBLISHED_COUNTS))


@pytest.mark.parametrize("tool", PUBLISHED_COUNTS)
def test_calls_and_results_are_what_the_tool_takes_and_gives(tool: str) -> None:
    """The result text is byte for byte what the result's model would write."""
    for arguments, result in calls_of(tool, SAMPLE):
        TOOLS[tool].arguments.model_validate(arguments)
        assert TOOLS[tool].result.model_validate_json(result).model_dump_json() == result


@pytest.mark.parametrize("tool", PUBLISHED_COUNTS)
def test_no_call_of_a_tool_comes_twice(tool: str) -> None:
    """Their keys in the published layout differ."""
    keys = [published_key(arguments) for arguments, _ in calls_of(tool, 2_000)]
    assert len(set(keys)) == 2_000


def test_a_smaller_cache_is_the_beginning_of_a_larger_one() -> None:
    """Tool by tool, so that figures over two sizes speak of the same calls."""
    assert list(calls_of("search_poi", 50)) == list(islice(calls_of("search_poi", 500), 50))


def test_it_is_the_same_on_every_machine() -> None:
    """A digest made once; a change of the generator has to be meant."""
    digest = hashlib.sha256()
    for each in calls(2_000):
        digest.update(repr(each).encode())
    assert digest.hexdigest()[:16] == "9c4b5cb280a9f593"


def test_another_seed_asks_other_things() -> None:
    """Of 200 calls nearly all differ."""
    first = {published_key(arguments) for arguments, _ in calls_of("search_poi", 200, seed=0)}
    other = {published_key(arguments) for arguments, _ in calls_of("search_poi", 200, seed=1)}
    assert len(first & other) < 20


def test_many_calls_are_close_to_others() -> None:
    """As models write them: of the searches most share their city and keywords with another."""
    asked = [
        (a["city"].strip().removesuffix("市"), a["keywords"].strip())
        for a, _ in calls_of("search_poi", 2_000)
    ]
    assert sum(asked.count(each) > 1 for each in asked) > len(asked) / 2


def test_arguments_are_written_in_several_ways() -> None:
    """Full-width forms, null, and absent options are all there."""
    texts = [published_key(arguments) for arguments, _ in calls_of("search_poi", 2_000)]
    assert any(("（".encode() in text.encode() and "０" in text) or "，" in text for text in texts)
    assert any("null" in text for text in texts)
    assert any("radius_km" not in text for text in texts)


def test_a_full_page_of_places_has_a_realistic_size() -> None:
    """Ten places are three to five thousand bytes."""
    pages = [text for _, text in calls_of("search_poi", 500) if len(json.loads(text)["pois"]) == 10]
    assert all(2_500 < len(text.encode()) < 5_000 for text in pages)


def test_a_tool_that_runs_out_of_calls_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than searching for ever."""
    monkeypatch.setattr(
        "tests.scale.cache._TOOLS", {"web_search": lambda known, chance: iter([({}, {})] * 5_000)}
    )
    with pytest.raises(ValueError, match="web_search has no more than 1 different calls"):
        list(calls_of("web_search", 2))


def test_the_files_are_the_published_layout(tmp_path: Path) -> None:
    """One object from key to result text a tool, and two logs of misses that are not among the entries."""
    write_published(tmp_path, 2_000)
    caches = {
        path.name.removesuffix("_cache.json"): json.loads(path.read_text())
        for path in tmp_path.glob("*_cache.json")
    }
    assert {tool: len(entries) for tool, entries in caches.items()} == counts(2_000)
    arguments, result = next(calls_of("search_poi", 1))
    pairs = sorted([name, value] for name, value in arguments.items())
    assert caches["search_poi"][json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))] == result
    for tool in MISSED_TOOLS:
        missed = json.loads((tmp_path / f"{tool}_missed.json").read_text())
        assert len(missed) == MISSED_COUNT
        assert all(published_key(json.loads(miss["params"])) not in caches[tool] for miss in missed)
