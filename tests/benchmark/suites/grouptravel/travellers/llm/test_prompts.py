"""The prompt files, and the table that says where each rule of the paper stands in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmark.suites.grouptravel.travellers.llm import PROMPTS, request
from tests import ROOT

FOLDER = Path(request.__file__).parent / "prompts"
LANGUAGES = ("zh", "en")
PLACE = re.compile(r"`(\w+\.txt):(\d+)` (.+)")
ROWS = [
    [cell.strip() for cell in row.strip("|").split(" | ")]
    for row in (ROOT / "docs" / "prompts-traveller.md").read_text(encoding="utf-8").splitlines()
    if row.startswith("|") and ".txt:" in row
]
RULES = {
    "A.5": [f"A.5 item {number}" for number in range(1, 7)],
    "core": [f"D.8 Core Rules {number}" for number in range(1, 5)],
    "scenarios": [f"D.8 {letter}" for letter in "ABCDE"],
    "forbidden": [f"D.8 Forbidden {number}" for number in range(1, 9)],
    "protocol": [f"D.8 Protocol {number}" for number in range(1, 8)],
    "rest": [
        "D.8 Your Role Definition", "D.8 @ Mechanism", "D.8 [pass] Format", "D.8 Compromise Attitude", "A.6 quota",
        "D.8 avg_budget", "D.8 Tone Mapping", "D.8 avoid and reject", "D.8 Speaking Style", "D.8 Accuracy",
    ],
}  # fmt: skip


def test_the_table_covers_every_rule() -> None:
    cited = {place.strip() for row in ROWS for place in row[1].split(";")}
    missing = [
        rule
        for rules in RULES.values()
        for rule in rules
        if not any(re.match(re.escape(rule) + r"(?!\w)", place) for place in cited)
    ]
    assert missing == []


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_rule_stands_at_the_line_that_the_table_names(row: list[str]) -> None:
    for language, cell in zip(("zh", "en"), row[2:], strict=True):
        found = PLACE.fullmatch(cell)
        assert found, cell
        name, number, words = found.groups()
        held = (FOLDER / language / name).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        assert words in held


def test_both_languages_have_the_same_files_lines_and_placeholders() -> None:
    def shape(language: str) -> dict[str, object]:
        return {
            path.name: [sorted(re.findall(r"\$\w+", each)) for each in path.read_text("utf-8").splitlines()]
            for path in (FOLDER / language).glob("*.txt")
        }

    assert shape("zh") == shape("en")
    for name in ("turn", "faults", "chat"):
        keys = [
            [
                each.partition(": ")[0]
                for each in (FOLDER / language / f"{name}.txt").read_text("utf-8").splitlines()
            ]
            for language in ("zh", "en")
        ]
        assert keys[0] == keys[1]


@pytest.mark.parametrize(
    "run",
    [
        "I personally can spend at most",
        "decide or answer on behalf of others",
        "complete new value of that field after",
        "is empty or absent in your",
        "more time(s)",
    ],
)
def test_the_wording_is_our_own_and_reads_as_a_sentence(run: str) -> None:
    assert not any(run in path.read_text("utf-8") for path in (FOLDER / "en").glob("*.txt"))


def test_the_limits_are_as_strong_in_speech_as_in_the_attitude_that_holds_them() -> None:
    must = {
        language: next(each for each in PROMPTS.fill(language, "rules").splitlines() if "must_eat" in each)
        for language in LANGUAGES
    }
    assert "预算和行程强度的上限" in must["zh"]
    assert "limits of budget and intensity" in must["en"]
    table = (ROOT / "docs" / "prompts-traveller.md").read_text(encoding="utf-8")
    assert "limits of budget and intensity belong to the must level" in table


def test_the_number_of_compromises_left_is_told_in_both_languages() -> None:
    assert "how often you can still agree: 2." in PROMPTS.fill("en", "attitude_yields", left=2)
    assert "@ 你，请你让步时" in PROMPTS.fill("zh", "attitude_yields", left=2)
    assert "你是一个真实、愿意配合的旅行者" in PROMPTS.fill("zh", "rules")


def test_every_fault_has_words_in_both_languages() -> None:
    named = set(re.findall(r'Fault\("(\w+)"', "".join(p.read_text() for p in FOLDER.parent.glob("*.py"))))
    named |= {"marker_unsolicited", "marker_not_allowed", "marker_over_quota", "unfinished"}
    for language in ("zh", "en"):
        said = (FOLDER / language / "faults.txt").read_text("utf-8").splitlines()
        assert {each.partition(": ")[0] for each in said} == named
