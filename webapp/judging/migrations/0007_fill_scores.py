"""The scores that judges have given become values with their rater, as `webapp.judging.values` writes them."""

from hashlib import sha256

from django.db import migrations

BATCH = 2_000
WHO = ("pk", "judge__name", "judge_setup", "meta_judge__name", "meta_setup", "calibrated", "form")


def _rater(prompts, judge, setup, meta_judge, meta_setup, calibrated, form):
    meta = _label(meta_judge, meta_setup) if calibrated else "no meta-judge"
    told = f"{_label(judge, setup)} on {form} input, {meta}, prompts {prompts}"
    return told if len(told) <= 200 else f"{told[:183]} {sha256(told.encode()).hexdigest()[:16]}"


def _label(name, setup):
    return f"{name} ({setup['model']})" if setup.get("model") else name


def fill(apps, schema_editor):
    """A second run, after one that was broken off, adds what is left."""
    alias = schema_editor.connection.alias
    value = apps.get_model("caravan_sessions", "MetricValue")
    batches = apps.get_model("judging", "JudgeBatch").objects.using(alias).order_by()
    judges = {pk: who for pk, *who in batches.values_list(*WHO)}
    judgements = apps.get_model("judging", "Judgement").objects.using(alias)
    rows = judgements.filter(score__isnull=False).order_by("pk")
    given = {}
    for session, batch, prompts, score in rows.values_list("session", "batch", "prompts", "score").iterator():
        given.setdefault((session, _rater(prompts, *judges[batch])), []).append(score)
    found = (
        value(session_id=session, profile="", rater=rater, key="judge", value=sum(scores) / len(scores))
        for (session, rater), scores in given.items()
    )
    value.objects.using(alias).bulk_create(found, batch_size=BATCH, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("judging", "0006_run_of_sessions"), ("caravan_sessions", "0015_run")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
