"""The page of the words that a model is given."""

from __future__ import annotations

import pytest
from django.test import Client

from benchmark.suites import SUITES, suite_named
from tests.markup import text

pytestmark = [pytest.mark.django_db]


def test_a_version_of_prompts_links_to_their_words(as_researcher: Client) -> None:
    for suite in SUITES:
        for form in (form for rubric in suite_named(suite).rating.rubrics for form in rubric.forms.values()):
            words = form.prompts.templates("zh")["judge_system"]
            for version in (form.prompts.version("zh"), form.prompts.edition):
                page = text(as_researcher.get(f"/sessions/prompts/{version}/"))
                assert "judge_system" in page and words.splitlines()[0].strip() in page
            assert "in English" not in text(
                as_researcher.get(f"/sessions/prompts/{form.prompts.version('zh')}/")
            )


def test_a_version_that_this_code_has_not_is_not_found(as_researcher: Client, client: Client) -> None:
    answer = as_researcher.get("/sessions/prompts/1-00000000/")
    assert answer.status_code == 404 and "has other prompts" in answer.content.decode()
    assert as_researcher.get("/sessions/prompts/..%2F..%2Fsecret.key/").status_code == 404
    assert client.get("/sessions/prompts/1-00000000/").status_code in (302, 403)
