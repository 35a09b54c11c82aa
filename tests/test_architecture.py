"""The pages on the architecture and its words name what exists."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("architecture.md", "glossary.md")
_NAMED_PATH = re.compile(
    r"`((?:benchmark|environments|sandbox|webapp|worker|tests|docs|locale)(?:[/.][\w./]+)?|pyproject\.toml)`"
)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


def _names(page: str) -> list[str]:
    return _NAMED_PATH.findall((ROOT / "docs" / page).read_text("utf-8"))


def _is_there(name: str) -> bool:
    if "/" in name or name.endswith(".toml"):
        chosen = re.search(r"/NAME\b", name)
        return (ROOT / (name[: chosen.start()] if chosen else name)).exists()
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        if _is_module(".".join(parts[:count])):
            return _has(".".join(parts[:count]), parts[count:])
    return False


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _has(module: str, inner: list[str]) -> bool:
    held: object = import_module(module)
    for part in inner:
        if not hasattr(held, part):
            return False
        held = getattr(held, part)
    return True


@pytest.mark.parametrize("page", PAGES)
def test_every_path_and_module_that_a_page_names_exists(page: str) -> None:
    assert [name for name in _names(page) if not _is_there(name)] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_to_a_file(page: str) -> None:
    links = _LINK.findall((ROOT / "docs" / page).read_text("utf-8"))
    assert links and [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_a_name_that_is_nowhere_is_found_out() -> None:
    assert len(_names("architecture.md")) > 40
    for name in ("benchmark/core/nowhere.py", "benchmark.core.nowhere", "benchmark.core.engine.nowhere"):
        assert not _is_there(name)


def test_the_terms_stand_in_the_order_of_the_alphabet() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    terms = [line.split("|")[1].strip().lower() for line in lines if line.startswith("| ")][1:]
    assert terms == sorted(terms)
