"""Whether README and docs name what is there: pages, commands with their options, words on the screen, variables."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.apps import apps
from django.core.management import get_commands, load_command_class

from benchmark.agents import SCAFFOLDS
from tests import ROOT

README = ROOT / "README.md"
DOCS = ROOT / "docs"
FOR_USERS = [
    README,
    *(DOCS / f"{name}.md" for name in ("researcher", "people", "labelling", "models", "sandbox")),
]
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
FOLLOWED_PAGES = [*FOR_USERS, DOCS / "configuration.md", DOCS / "development.md", DOCS / "exports.md"]
COMMAND = re.compile(r"manage\.py (?!stands|alone)([a-z][\w-]*)([^`\n#]*)")


def path_from_root(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_readme_stays_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def _anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=path_from_root)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    for link in (link for link in links if "://" not in link):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{path_from_root(page)} links to {link}"
        assert not anchor or anchor in _anchors(target), f"{path_from_root(page)} links to {link}"


def _options(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a parser and of those below it."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    parsers = [sub for action in below for sub in action.choices.values()]
    return set(parser._option_string_actions).union(*map(_options, parsers))


@pytest.mark.parametrize("page", FOLLOWED_PAGES, ids=path_from_root)
def test_commands_exist_with_their_options(page: Path) -> None:
    for name, rest in COMMAND.findall(page.read_text("utf-8")):
        if name == "prepare":  # another command follows it on the line
            continue
        assert name in get_commands(), f"{path_from_root(page)}: manage.py {name}"
        known = _options(load_command_class(get_commands()[name], name).create_parser("manage.py", name))
        unknown = set(re.findall(r"(?<!\w)--[a-z][a-z-]*", rest)) - known
        assert not unknown, f"{path_from_root(page)}: manage.py {name} has no {', '.join(unknown)}"


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", FOLLOWED_PAGES, ids=path_from_root)
def test_targets_and_modules_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)) <= _targets()
    for module in re.findall(r"python -m ((?:tests|worker|sandbox)[\w.]*)", text):
        assert importlib.util.find_spec(module), f"{path_from_root(page)}: python -m {module}"


@pytest.mark.parametrize("page", FOR_USERS, ids=path_from_root)
def test_words_in_italics_stand_on_a_page(page: Path) -> None:
    catalogue = polib.pofile(str(ROOT / "locale/zh_Hans/LC_MESSAGES/django.po"))
    on_pages = {entry.msgid for entry in catalogue} | set(SCAFFOLDS) | {"llm"}
    prose = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    italics = re.findall(r"(?<![*\w])\*([A-Za-z][^*\n]*)\*(?![*\w])", prose)
    assert not [words for words in italics if words not in on_pages | {"name"}]


def test_the_page_of_configuration_names_every_variable() -> None:
    read = set(re.findall(r'"(CARAVAN_[A-Z_]+|DATABASE_URL|REDIS_URL)"', _code()))
    described = set(
        re.findall(
            r"`(CARAVAN_[A-Z_]+|DATABASE_URL|REDIS_URL)", (DOCS / "configuration.md").read_text("utf-8")
        )
    )
    elsewhere = {"CARAVAN_EMBEDDINGS_KEY"}  # the default of CARAVAN_EMBEDDINGS_KEY_VARIABLE
    assert read - described - elsewhere == set()
    assert described - read == set()


def _code() -> str:
    files = (
        path
        for folder in ("webapp", "worker", "sandbox", "benchmark", "environments")
        for path in (ROOT / folder).rglob("*.py")
    )
    return "\n".join(path.read_text("utf-8") for path in files)


def _models() -> Iterator[str]:
    for app in apps.get_app_configs():
        if app.name.startswith("webapp."):
            yield from (model.__name__ for model in app.get_models())


def test_the_map_of_models_is_whole() -> None:
    text = (DOCS / "development.md").read_text("utf-8")
    rows = re.findall(r"^\| `webapp/\w+` \| ([^|]*) \|", text, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(_models())


def test_every_folder_of_prompts_is_named() -> None:
    text = (DOCS / "development.md").read_text("utf-8")
    folders = [
        path for top in ("benchmark", "sandbox") for path in (ROOT / top).rglob("prompts") if path.is_dir()
    ]
    assert not [path_from_root(folder) for folder in folders if f"`{path_from_root(folder)}`" not in text]


def test_with_debug_the_server_of_development_serves_sockets_too() -> None:
    ask = "import django, django.core.management as m; django.setup(); print(m.get_commands()['runserver'])"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings", "CARAVAN_DEBUG": "1"}
    said = subprocess.check_output([sys.executable, "-c", ask], cwd=ROOT, env=environment, text=True)
    assert said.strip() == "daphne"
