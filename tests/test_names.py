"""The check of names: which words it takes for a bare participle or adverb, and where."""

import pytest

from tests.names import Definition, definitions, is_fault, main

_CODE = """
from enum import StrEnum

SHOWN = {"a"}
is_ready = True
PASSED = "passed"
_LEFT, OPENED = ("left", 3)

class State(StrEnum):
    ENDED = "ended"

class Held:
    told: str
    closed: bool = False
    over: bool = False
    failed: int = 0
    again: int = 0
    chosen: int | None = None
    counted = models.PositiveIntegerField(default=0)

    def asked(self):
        self._found = {}
        self._done = 0
        self.listed, self.amount = [], 2

    @property
    def skipped(self) -> int:
        return 0

    def joined(self) -> int:
        return 0

    @property
    def ended(self) -> bool:
        def kept():
            return local_is_free(told=1)
        return kept()

def agent_message(told):
    listed = told
    return listed
"""


def _names(path: str = "webapp/jobs/models.py", code: str = _CODE) -> list[str]:
    return [f"{one.kind} {one.name}" for one in definitions(path, code) if is_fault(one)]


def test_what_is_defined_under_a_bare_participle_or_adverb_is_found():
    assert _names() == [
        "constant SHOWN",
        "constant OPENED",
        "class Held",
        "field told",
        "field over",
        "field again",
        "field chosen",
        "method asked",
        "attribute _found",
        "attribute listed",
        "method joined",
        "function kept",
    ]


@pytest.mark.parametrize("path", ["webapp/sessions/beside.py", "webapp/beside/__init__.py"])
def test_a_module_or_package_has_a_name_as_well(path):
    assert _names(path, "") == ["module beside"]


@pytest.mark.parametrize(
    "name", ["seed", "speed", "embed", "run", "read", "cast", "told_by", "ToldTask", "seen2", "reply"]
)
def test_nouns_verbs_and_names_of_several_words_are_free(name):
    assert not is_fault(Definition("webapp/a.py", 1, "function", name))


def test_one_such_name_fails_the_check_and_is_printed_with_its_place(tmp_path, capsys):
    file = tmp_path / "webapp" / "notices.py"
    file.parent.mkdir()
    file.write_text("def told():\n    return 1\n", encoding="utf-8")
    assert main(tmp_path) == 1
    assert "names: webapp/notices.py:1: function told\n" in capsys.readouterr().out
    file.write_text("def notice_text():\n    return 1\n", encoding="utf-8")
    assert (main(tmp_path), capsys.readouterr().out) == (0, "")
