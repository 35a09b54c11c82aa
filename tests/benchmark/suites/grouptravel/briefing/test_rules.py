"""The table of rules in docs/prompts.md points at lines that hold what it quotes."""

from __future__ import annotations

import re

from .rules import BEGIN, DOCUMENT, END, FOLDER, RULES, table

CITATION = re.compile(r"\b(zh|en)/(\w+)\.txt:(\d+) `([^`]+)`")


def documented_rules() -> str:
    text = DOCUMENT.read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip()


def test_each_cited_line_holds_the_cited_words() -> None:
    cited = CITATION.findall(documented_rules())
    assert len(cited) == 2 * len(RULES)
    for language, file, number, words in cited:
        line = (FOLDER / language / f"{file}.txt").read_text(encoding="utf-8").splitlines()[int(number) - 1]
        assert words in line


def test_the_document_is_up_to_date() -> None:
    assert documented_rules() == table(), "run python -m tests.benchmark.suites.grouptravel.briefing.rules"


def test_a_rule_stands_in_the_same_line_in_both_languages() -> None:
    numbers = [number for _, _, number, _ in CITATION.findall(documented_rules())]
    assert numbers[::2] == numbers[1::2]


def test_every_section_of_the_papers_prompts_is_there() -> None:
    places = {rule.place for rule in RULES}
    assert {place.split()[0] for place in places} == {"D.3", "D.4", "D.5", "D.6", "D.7"}
    assert {f"D.3 Interaction Rules {number}" for number in range(1, 6)} <= places
