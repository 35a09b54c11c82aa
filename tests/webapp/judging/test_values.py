"""The scores of judges as rows: as they are stored, and as the migration makes them of what was stored before."""

from __future__ import annotations

from importlib import import_module
from statistics import fmean
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from tests.webapp.judging.conftest import Answers, judge_answer
from webapp.judging.models import Judgement, Rater
from webapp.judging.verdicts import pairs_of, verdicts_by, verdicts_of
from webapp.sessions.models import MetricValue, Session
from webapp.tables.entries import refresh
from webapp.tables.models import Entry

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.both_engines]
MIGRATION = import_module("webapp.judging.migrations.0007_fill_scores")


def test_a_row_has_what_pages_compute_and_the_migration_writes_the_same(
    answers: Answers, eventful: Session
) -> None:
    answers(1, judge_answer(2))
    answers(2, judge_answer(5))
    verdicts = verdicts_of([eventful.pk])
    (pair,) = pairs_of([eventful.pk], verdicts)
    stored = MetricValue.objects.filter(session=eventful).exclude(rater="")
    given = stored.values_list("profile", "key", "rater", "value")
    expected = [("", "judge", "wise (some/judge) on caravan input, wise (some/judge), prompts 1-abc", 72.5)]
    assert fmean(one.score or 0.0 for one in verdicts_by([pair], verdicts[eventful.pk])) == 72.5
    assert list(given) == expected
    stored.delete()
    for _ in range(2):
        MIGRATION.fill(apps, SimpleNamespace(connection=connection))
        assert list(given.all()) == expected


def test_a_judge_of_two_languages_becomes_one_rater(answers: Answers, eventful: Session) -> None:
    """As it was stored before: with the version of its prompts in one language."""
    row = answers(1, judge_answer(2))
    prompts = row.batch.input.prompts
    key = MetricValue.objects.exclude(rater="").get().rater.replace("1-abc", "%s")
    values = MetricValue.objects.filter(session=eventful).exclude(rater="")
    for language in ("en", "zh"):
        Rater.objects.create(kind="judge", name="n", key=key % prompts.version(language))
    Judgement.objects.exclude(pk=row.pk).update(prompts=prompts.version("en"))
    Judgement.objects.filter(pk=row.pk).update(prompts=prompts.version("zh"))
    values.update(rater=key % prompts.version("zh"))
    refresh([eventful.pk])
    for _ in range(2):
        import_module("webapp.judging.migrations.0011_one_judge_in_all_languages").join(
            apps, SimpleNamespace(connection=connection)
        )
        assert values.get().rater == key % prompts.edition
        assert Judgement.objects.get(pk=row.pk).prompts == prompts.edition
        assert set(Rater.objects.values_list("key", flat=True)) == {key % "1-abc", key % prompts.edition}
    assert not Entry.objects.exists(), "it is written anew after migrations"


def test_a_judge_is_a_rater_as_its_values_name_it_and_the_migration_makes_the_same(
    answers: Answers, eventful: Session
) -> None:
    answers(1, judge_answer(2))
    (rater,) = Rater.objects.all()
    assert rater.kind == "judge" and rater.endpoint is not None
    assert MetricValue.objects.exclude(rater="").get().rater == rater.key
    Rater.objects.all().delete()
    for _ in range(2):
        import_module("webapp.judging.migrations.0010_judges_are_raters").fill(
            apps, SimpleNamespace(connection=connection)
        )
        assert list(Rater.objects.values_list("key", "kind")) == [(rater.key, "judge")]
    answers(2, judge_answer(5))
    assert Rater.objects.count() == 1
