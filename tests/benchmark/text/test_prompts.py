"""Templates of prompts: whose file counts, and what their version tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmark.text.prompts import Prompts

FILES = {
    "own/en/turn.txt": "Speak, $name.\n",
    "shared/en/turn.txt": "Never read.\n",
    "shared/en/empty.txt": "Write something.\n",
    "shared/en/faults.txt": "days = $n days\nlate = too late = bad\n",
    "shared/zh/turn.txt": "请发言。\n",
    "shared/version.txt": "7\n",
}


def make_prompts(folder: Path, **changes: str) -> Prompts:
    for name, text in {**FILES, **changes}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Prompts(folder / "own", folder / "shared")


def test_a_file_of_the_first_folder_stands_for_those_of_the_others(tmp_path: Path) -> None:
    prompts = make_prompts(tmp_path)
    assert prompts.fill("en", "turn", name="User1") == "Speak, User1."
    assert prompts.fill("en", "empty") == "Write something."
    assert prompts.fill("zh", "turn") == prompts.fill("fr", "turn") == "请发言。"
    with pytest.raises(KeyError, match="name"):
        prompts.fill("en", "turn")


def test_a_list_has_patterns_by_their_keys(tmp_path: Path) -> None:
    prompts = make_prompts(tmp_path)
    assert prompts.line("en", "faults", "days", n=3) == "3 days"
    assert prompts.line("en", "faults", "late") == "too late = bad"
    assert prompts.has_line("en", "faults", "late") and not prompts.has_line("en", "faults", "early")


def test_the_version_is_a_number_and_a_digest_of_what_a_language_says(tmp_path: Path) -> None:
    before = make_prompts(tmp_path / "a")
    assert re.fullmatch(r"7-[0-9a-f]{8}", before.version("en"))
    unread = make_prompts(tmp_path / "b", **{"shared/en/turn.txt": "Still never read."})
    changed = make_prompts(tmp_path / "c", **{"shared/en/empty.txt": "Write."})
    assert before.version("en") == unread.version("en") != changed.version("en")
    assert before.version("zh") == changed.version("zh")
