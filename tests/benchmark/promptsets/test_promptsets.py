"""Words in place of shipped templates, and what is refused of them."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.promptsets import (
    PromptLibrary,
    PromptPart,
    check_files,
    check_text,
    digest_of,
    plain_text,
    serious,
)
from benchmark.promptsets.checks import LONGEST
from benchmark.suites import SUITES, suite_named
from benchmark.text.prompts import Prompts
from tests.properties import examples

FILES = {
    "own/en/turn.txt": "Speak, $name.\n",
    "own/en/faults.txt": "days = $n days, not $most\nlate = too late\n",
    "shared/en/turn.txt": "Never read.\n",
    "shared/en/empty.txt": "Write something, $name.\n",
    "more/en/log.txt": "Searched $n nodes.\n",
    "own/version.txt": "7\n",
}


@pytest.fixture
def library(tmp_path: Path) -> PromptLibrary:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    own, shared, more = (tmp_path / name for name in ("own", "shared", "more"))
    return PromptLibrary(
        [
            PromptPart("agent", "agent", "agent", Prompts(own, shared)),
            PromptPart("methods", "agent", "methods", Prompts(more, own, shared)),
        ]
    )


def prompts_in(library: PromptLibrary, key: str) -> Prompts:
    return next(part.prompts for part in library.parts if part.key == key)


def test_each_template_has_one_place(library: PromptLibrary) -> None:
    assert list(library.files) == [
        *("agent/en/empty.txt", "agent/en/faults.txt", "agent/en/turn.txt", "methods/en/log.txt")
    ]
    assert library.files["agent/en/turn.txt"].fields == ("name",)
    assert library.files["agent/en/faults.txt"].patterns == {"days": "$n days, not $most", "late": "too late"}
    assert library.files["agent/en/turn.txt"].patterns is None


def test_words_are_in_place_until_the_end_of_a_block_for_all_who_look_there(library: PromptLibrary) -> None:
    agent, methods = prompts_in(library, "agent"), prompts_in(library, "methods")
    before = agent.version("en")
    words = {
        "agent/en/empty.txt": "Say it, $name!\n",
        "agent/en/faults.txt": "days = $n\nlate = no\n",
        "gone": "x",
    }
    with library.in_place(words):
        assert (
            agent.fill("en", "empty", name="Ann") == methods.fill("en", "empty", name="Ann") == "Say it, Ann!"
        )
        assert agent.line("en", "faults", "late") == "no"
        assert agent.fill("en", "turn", name="Ann") == "Speak, Ann."
        assert agent.version("en") != before and agent.version("en").startswith("7-")
        with library.in_place({}):
            assert agent.line("en", "faults", "late") == "too late"
    assert agent.fill("en", "empty", name="Ann") == "Write something, Ann."
    assert agent.version("en") == before


def test_what_is_as_shipped_is_no_change(library: PromptLibrary) -> None:
    files = {"agent/en/turn.txt": "Speak, $name.\n", "agent/en/empty.txt": "Now, $name.\n"}
    assert library.changed_files(files) == {"agent/en/empty.txt": "Now, $name.\n"}
    assert library.whole(files)["methods/en/log.txt"] == "Searched $n nodes.\n"
    assert list(library.digests(files)) == ["agent"]
    assert digest_of(files) != digest_of(library.changed_files(files))


@pytest.mark.parametrize(
    ("path", "text", "line", "field", "words"),
    [
        ("agent/en/turn.txt", "So,\n$nmae!\n", 2, "nmae", "Do you mean “$name”? There are: $name."),
        ("agent/en/turn.txt", "For $5, $name\n", 1, "$", "column 5 begins no field"),
        ("agent/en/turn.txt", "Say ${other} to $name\n", 1, "other", "There are: $name."),
        ("agent/en/turn.txt", "\n", 0, "", "This file is empty"),
        ("agent/en/turn.txt", "$name\n\x07\n", 2, "", "U+0007"),
        ("agent/en/turn.txt", "$name" + "x" * LONGEST, 0, "", "at most 60000"),
        ("agent/en/faults.txt", "days = $n $most\n", 0, "late", "is missing. Add a line “late = too late”."),
        ("agent/en/faults.txt", "days = $n $most\nlate = a\nlate = b\n", 3, "late", "is there twice"),
        (
            "agent/en/faults.txt",
            "days = $n $most\nlate = a\nearly = b\n",
            3,
            "early",
            "There are: days, late.",
        ),
        ("agent/en/faults.txt", "days = $n $most\nlate = a\nhello\n", 3, "", "a key, “=” and words"),
        ("agent/en/faults.txt", "days = $n $most\nlate = $n\n", 2, "n", "these words have none"),
        ("agent/en/trun.txt", "x\n", 0, "", "Do you mean “agent/en/turn.txt”?"),
        ("../../etc/passwd", "x\n", 0, "", "no such file"),
    ],
)
def test_a_fault_is_told_with_its_place_and_a_remedy(
    library: PromptLibrary, path: str, text: str, line: int, field: str, words: str
) -> None:
    found = serious(check_files(library, {path: text}))
    assert [(problem.path, problem.line, problem.field) for problem in found] == [(path, line, field)]
    assert words in str(found[0].remark)


def test_a_field_that_is_left_out_is_a_warning(library: PromptLibrary) -> None:
    (problem,) = check_text(library.files["agent/en/turn.txt"], "Speak, for $$5.\n")
    assert (problem.field, problem.is_serious) == ("name", False)
    (problem,) = check_text(library.files["agent/en/faults.txt"], "days = $n days\nlate = no\n")
    assert (problem.line, problem.field, problem.is_serious) == (1, "most", False)


@pytest.mark.parametrize("suite", SUITES)
def test_what_is_shipped_has_no_fault(suite: str) -> None:
    library = suite_named(suite).library
    assert {file.part.role for file in library.files.values()} >= {"agent"}
    assert check_files(library, library.whole({})) == []
    assert library.changed_files(library.whole({})) == {}
    for part in library.parts:
        names = {file.name for file in library.files.values() if file.part is part}
        assert part.role == "judge" or set(part.read_by_rules) <= names


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(st.sampled_from(["$", "$$", "${", "}", "$name", "$n", "a", " = ", "days", "late", "\n", "é"]))
)
def test_words_without_a_fault_can_be_filled_in(pieces: list[str]) -> None:
    suite = suite_named("grouptravel").library
    text = plain_text("".join(pieces))
    for file in (suite.files["agent/en/group.txt"], suite.files["agent/en/companion.txt"]):
        if not serious(check_text(file, text)):
            Template(text).substitute(dict.fromkeys(file.fields, "x"))
