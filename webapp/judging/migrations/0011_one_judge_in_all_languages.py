"""A judge is one whatever the language: the version of its prompts becomes that of all languages.

Versions before the ones of today stay as they are: what belonged together with them is not known any more.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import migrations

WHO = ("pk", "suite", "form", "judge__name", "judge_setup", "meta_judge__name", "meta_setup", "calibrated")


def _rater(
    prompts: str, form: str, judge: str, setup: Any, meta_judge: str, meta: Any, calibrated: bool
) -> str:
    second = _label(meta_judge, meta) if calibrated else "no meta-judge"
    told = f"{_label(judge, setup)} on {form} input, {second}, prompts {prompts}"
    return told if len(told) <= 200 else f"{told[:183]} {sha256(told.encode()).hexdigest()[:16]}"


def _label(name: str, setup: Any) -> str:
    return f"{name} ({setup['model']})" if setup.get("model") else name


def _editions() -> dict[tuple[str, str, str], str]:
    """That of all languages, by suite, input form and the version of one language."""
    from benchmark.suites import SUITES, suite_named

    forms = {
        (name, form.name): form.prompts
        for name in SUITES
        for rubric in suite_named(name).rating.rubrics
        for form in rubric.forms.values()
    }
    return {
        (*key, prompts.version(language)): prompts.edition
        for key, prompts in forms.items()
        for language in ("en", "zh")
    }


def join(apps: Any, schema_editor: Any) -> None:
    """Rename versions and raters; what was one rater a language becomes one."""
    alias = schema_editor.connection.alias
    judgements = apps.get_model("judging", "Judgement").objects.using(alias)
    batches = apps.get_model("judging", "JudgeBatch").objects.using(alias)
    editions = _editions()
    for pk, suite, form, *who in batches.order_by().values_list(*WHO):
        own = judgements.filter(batch=pk).order_by()
        for version in list(own.values_list("prompts", flat=True).distinct()):
            edition = editions.get((suite, form, version))
            if edition is None:
                continue
            _rename(apps, alias, _rater(version, form, *who), _rater(edition, form, *who))
            own.filter(prompts=version).update(prompts=edition)


def _rename(apps: Any, alias: str, old: str, new: str) -> None:
    """The rows of lists are dropped where they name the old rater: they are written anew after migrations."""
    raters = apps.get_model("judging", "Rater").objects.using(alias)
    values = apps.get_model("caravan_sessions", "MetricValue").objects.using(alias)
    entries = apps.get_model("tables", "Entry").objects.using(alias)
    if raters.filter(key=new).exists():
        raters.filter(key=old, labels=None).delete()
    else:
        raters.filter(key=old).update(key=new, name=new)
    sessions = values.filter(rater=old).values("session")
    entries.filter(session__in=sessions).delete()
    values.filter(rater=old, session__in=values.filter(rater=new).values("session")).delete()
    values.filter(rater=old).update(rater=new)


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0010_judges_are_raters"),
        ("tables", "0004_grams_by_first_character"),
        ("labelling", "0001_initial"),
    ]
    operations = [migrations.RunPython(join, migrations.RunPython.noop)]
