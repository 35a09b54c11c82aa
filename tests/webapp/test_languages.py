"""The pages in Chinese and English: complete catalogues, and the switch between them."""

from __future__ import annotations

import gettext
import re
import shutil
from collections import Counter
from html import unescape
from pathlib import Path

import polib
import pytest
from django.test import Client

from tests import ROOT
from tests.messages import CATALOGUES, Key, messages
from tests.messages import main as list_lacking
from webapp.catalogue.models import Task
from webapp.catalogues import compile_catalogues
from webapp.languages import language_of
from webapp.sessions.models import Session

NAVIGATION = (
    *(
        "/",
        "/sessions/",
        "/sessions/new/",
        "/runs/",
        "/runs/new/",
        "/runs/compare/",
        "/reports/",
        "/judging/",
    ),
    *(
        "/judging/new/",
        "/tasks/",
        "/reports/leaderboard/",
        "/caches/",
        "/models/",
        "/models/new/",
        "/jobs/",
        "/nothing/",
    ),
)
TABS = ("preferences", "tools", "models", "plan", "map", "versions", "scores", "notes", "judge")
COMMON = re.compile(
    r"\b(the|of|and|is|are|was|has|have|not|no|with|than|that|which|this|there|its|it|by|for|from|yet|all|none"
    r"|session|sessions|task|tasks|run|runs|agent|tool|tools|model|models|plan|score|scores|traveller|travellers"
    r"|start|stop|pause|search|show|sign|settings|error|errors|worlds?|judge|judging|reports?|caches?|jobs?)\b",
    re.IGNORECASE,
)
UNTRANSLATED_MARKUP = re.compile(
    r"<(script|style|pre|code|textarea)\b.*?</\1>|<div class=\"say.*?</article>", re.DOTALL
)
"""What is data, or typed as it stands: code, commands, what people and models said."""
NAMES = re.compile(
    r"(?i)“[^”]*”|manage\.py \S+ \S+|CARAVAN_\w+|\bAgent\b|[\w-]*(?:_\w+)+|--\w+|[\w-]+-[\w-]+|Caravan"
)
"""Names of commands, speakers, tools and the like, and what is quoted: alike in every language."""


def placeholders(text: str) -> Counter[str]:
    return Counter(re.findall(r"%\(\w+\)[sd]|%%|</?\w+[^>]*>", text))


def catalogue(name: str) -> dict[Key, polib.POEntry]:
    return {
        (e.msgctxt or "", e.msgid, e.msgid_plural): e
        for e in polib.pofile(str(ROOT / name))
        if not e.obsolete
    }


def translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def visible_text(html: str) -> str:
    """What a reader sees or hears: text, titles and labels, without what is data."""
    html = UNTRANSLATED_MARKUP.sub(" ", re.sub(r"(?s)<template.*?</template>", " ", html))
    said = re.findall(r'(?:title|aria-label|placeholder)="([^"]*)"', html)
    text = unescape("\n".join([re.sub(r"<[^>]*>", "\n", html), *said]))
    for told in Task.objects.values_list("archetype", flat=True):
        text = text.replace(told, " ")
    return NAMES.sub(" ", text)


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_message_has_a_translation_and_none_is_left_over(name: str) -> None:
    known, wanted = catalogue(name), messages()
    assert len(wanted) > 1000
    lacking = [key for key in wanted if key not in known or not all(translations(known[key]))]
    assert lacking == [], "run `make messages` and translate these"
    assert [key for key in known if key not in wanted] == [], "run `make messages`"
    assert [entry.msgid for entry in known.values() if entry.fuzzy] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_translations_keep_placeholders_and_markup(name: str) -> None:
    for entry in catalogue(name).values():
        wanted = placeholders(entry.msgid_plural or entry.msgid)
        for text in translations(entry):
            assert placeholders(text) == wanted, entry.msgid


def test_catalogues_are_compiled_once(tmp_path: Path) -> None:
    for name in CATALOGUES:
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert compile_catalogues(tmp_path / "locale") == len(CATALOGUES)
    with (tmp_path / CATALOGUES[0]).with_suffix(".mo").open("rb") as compiled:
        words = gettext.GNUTranslations(compiled)
    assert words.gettext("Sessions") == "会话"
    assert words.ngettext("%(n)s task", "%(n)s tasks", 1) == "%(n)s 个任务"
    assert compile_catalogues(tmp_path / "locale") == 0


@pytest.mark.django_db
@pytest.mark.parametrize("address", NAVIGATION)
def test_a_page_in_chinese_holds_no_english(as_researcher: Client, eventful: Session, address: str) -> None:
    page = as_researcher.get(address, headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}).content.decode()
    assert '<html lang="zh-hans">' in page and "会话" in page
    left = [line.strip() for line in visible_text(page).splitlines() if COMMON.search(line)]
    assert left == []


@pytest.mark.django_db
@pytest.mark.parametrize("tab", TABS)
def test_a_session_in_chinese_holds_no_english(as_researcher: Client, eventful: Session, tab: str) -> None:
    address = f"/sessions/{eventful.pk}/?tab={tab}"
    page = as_researcher.get(address, headers={"Accept-Language": "zh-CN"}).content.decode()
    left = [line.strip() for line in visible_text(page).splitlines() if COMMON.search(line)]
    assert left == []


@pytest.mark.django_db
def test_the_switch_is_kept_in_a_cookie(client: Client) -> None:
    page = client.get("/signin/").content.decode()
    assert '<html lang="en">' in page and 'value="zh-hans" lang="zh-hans">简体中文</button>' in page
    answer = client.post("/language/", {"language": "zh-hans", "next": "/signin/"})
    assert answer["Location"] == "/signin/" and answer.cookies["caravan_language"].value == "zh-hans"
    page = client.get("/signin/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="zh-hans">' in page and 'value="en" lang="en">English</button>' in page


@pytest.mark.django_db
def test_the_switch_leads_to_no_other_site(client: Client) -> None:
    answer = client.post("/language/", {"language": "zh-hans", "next": "https://elsewhere.example/"})
    assert answer["Location"] == "/"


@pytest.mark.parametrize(
    ("cookies", "accepted", "language"),
    [
        ({}, b"", "en"),
        ({}, b"zh-CN,zh;q=0.9", "zh-hans"),
        ({"caravan_language": "en"}, b"zh-CN", "en"),
        ({"caravan_language": "zh-hans"}, b"en", "zh-hans"),
        ({"caravan_language": "../../x"}, b"fr", "en"),
    ],
)
def test_a_socket_speaks_the_language_of_its_page(
    cookies: dict[str, str], accepted: bytes, language: str
) -> None:
    assert language_of(cookies, [(b"accept-language", accepted)]) == language


def test_what_lacks_a_translation_is_listed_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = tmp_path / "django.po"
    shutil.copy(ROOT / CATALOGUES[0], catalogue)
    monkeypatch.setattr("tests.messages.CATALOGUES", (str(catalogue),))
    found = {("", 'Say "both"\nagain', ""): ["benchmark/one.py", "templates/two.html"]}
    monkeypatch.setattr("tests.messages.messages", lambda: found)
    with pytest.raises(SystemExit):
        list_lacking()
    listed, count = capsys.readouterr().out.splitlines()
    assert listed == r'  "Say \"both\"\nagain" (benchmark/one.py, templates/two.html)'
    assert count == f"{catalogue}: 1 without a translation"
