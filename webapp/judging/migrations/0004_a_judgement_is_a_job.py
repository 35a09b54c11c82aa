from django.db import migrations

ROWS = 500


def to_jobs(apps, schema_editor):
    """What is still to be judged becomes a job, with the lease that it has."""
    job, judgement = apps.get_model("jobs", "Job"), apps.get_model("judging", "Judgement")
    lease = ("token", "expires_at", "due_at", "attempts")
    waiting = judgement.objects.filter(status="queued").order_by("repeat", "pk")
    jobs = (
        job(
            kind="judgement",
            subject=str(row["pk"]),
            group=row["batch"],
            done=int(row["rated"]),
            of=2 if row["rated"] else None,
            cancel_requested=row["batch__stop_requested"],
            **{name: row[name] for name in lease},
        )
        for row in waiting.values("pk", "batch", "batch__stop_requested", "rated", *lease).iterator()
    )
    job.objects.bulk_create(jobs, batch_size=ROWS)


def from_jobs(apps, schema_editor):
    """The lease stands in the row of the judgement again."""
    job, judgement = apps.get_model("jobs", "Job"), apps.get_model("judging", "Judgement")
    open_ = job.objects.filter(kind="judgement", state="open")
    for row in open_.values("subject", "token", "expires_at", "due_at", "attempts"):
        judgement.objects.filter(pk=int(row.pop("subject"))).update(**row)
    open_.delete()


class Migration(migrations.Migration):
    dependencies = [("judging", "0003_no_meta_judge"), ("jobs", "0001_one_row_a_job")]

    operations = [
        migrations.RunPython(to_jobs, from_jobs),
        *(
            migrations.RemoveField(model_name="judgement", name=name)
            for name in ("token", "expires_at", "due_at", "attempts")
        ),
    ]
