"""The prompt files: alike in both languages, complete, and true to the schemas that they show."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from string import Template
from typing import Any

import pytest

from benchmark.agents.briefing import SHARED_PROMPTS
from benchmark.suites.grouptravel.briefing import wording
from benchmark.suites.grouptravel.briefing.wording import PROMPTS
from benchmark.suites.grouptravel.itineraries import Itinerary, plan_in_message
from benchmark.suites.grouptravel.preferences import table_of
from benchmark.suites.grouptravel.scoring import MESSAGES
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.paper import Background
from benchmark.suites.grouptravel.scoring.paper.rules import uncosted_item
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.scoring.validity import PUBLISHED_CHECKS

FOLDERS = (SHARED_PROMPTS, Path(wording.__file__).parent / "prompts")
FILES = {
    language: {path.name: path.read_text() for each in FOLDERS for path in (each / language).glob("*.txt")}
    for language in ("zh", "en")
}
NAMES = sorted(FILES["zh"])


def test_both_languages_have_the_same_files_with_the_same_lines() -> None:
    zh, en = (
        {name: len(text.splitlines()) for name, text in FILES[language].items()} for language in ("zh", "en")
    )
    assert zh == en


@pytest.mark.parametrize("name", NAMES)
def test_a_template_takes_the_same_fields_in_both_languages(name: str) -> None:
    zh, en = (Template(FILES[language][name]) for language in ("zh", "en"))
    assert zh.is_valid() and en.is_valid()
    assert sorted(zh.get_identifiers()) == sorted(en.get_identifiers())


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_message_of_the_checks_that_a_critic_makes_has_its_sentence(language: str) -> None:
    code = "".join(Path(inspect.getfile(check)).read_text(encoding="utf-8") for check in PUBLISHED_CHECKS)
    messages = {key: pattern for key, pattern in MESSAGES.items() if f'"{key}"' in code}
    assert {"no_hotel", "overlap", "closed_hours", "participants_unknown"} <= set(messages)
    for key, pattern in messages.items():
        fields = dict.fromkeys(re.findall(r"{(\w+)}", pattern), "…")
        assert "…" in wording.fault(language, key, **fields) or not fields


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_shown_table_has_every_field_of_the_schema_and_no_other(language: str) -> None:
    shown = json.loads(PROMPTS.fill(language, "table").splitlines()[2])["User1"]
    (city,) = shown["city_specific_preferences"]

    def shape(node: Any) -> Any:
        return {key: shape(value) for key, value in node.items()} if isinstance(node, dict) else None

    assert shape(shown) == shape(table_of([city], lambda field, city: 0))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_shown_plan_keeps_to_the_strict_schema(language: str) -> None:
    found = plan_in_message(PROMPTS.fill(language, "plan").replace("<YYYY-MM-DD>", "2025-11-02"))
    assert found is not None
    kinds = {each["type"] for each in found["days"][0]["city_segments"][1]["activities"]}
    assert kinds == {"attraction", "food", "hotel", "intracity_transport", "rest"}
    assert Itinerary.model_validate(found).as_published() == found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_shown_plan_gives_every_item_a_cost(language: str) -> None:
    found = plan_in_message(PROMPTS.fill(language, "plan"))
    assert found is not None
    assert [*uncosted_item(prepare(found, [], Catalogue({})), Background(RunRecord()))] == []


@pytest.mark.parametrize(
    ("language", "name", "there", "gone"),
    [
        ("zh", "compromise", "公寓式酒店", "租车"),
        ("en", "compromise", "serviced apartment", "rental car"),
        ("zh", "duties", "行程强度", "、强度"),
        ("zh", "summary", "以成员名字为键、以他的偏好表为值", "名字到他的偏好表"),
        ("en", "strengths", "not to be missed", "cannot miss"),
    ],
)
def test_the_words_are_our_own_and_clear(language: str, name: str, there: str, gone: str) -> None:
    text = PROMPTS.fill(language, name)
    assert there in text and gone not in text
