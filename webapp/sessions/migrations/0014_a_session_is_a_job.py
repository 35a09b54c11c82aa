from django.db import migrations

ROWS = 2000
LEASE = ("token", "owner", "expires_at", "due_at", "attempts", "waits_for")
ENDED = ("finished", "crashed", "stopped")


def to_jobs(apps, schema_editor):
    """The lease of a session that has not ended becomes its job."""
    job, lease = apps.get_model("jobs", "Job"), apps.get_model("caravan_sessions", "Lease")
    unfinished = lease.objects.exclude(session__status__in=ENDED).order_by("session__created_at", "pk")
    of_session = ("run", "paused", "stop_requested", "created_at", "started_at")
    rows = unfinished.values("session", *(f"session__{name}" for name in of_session), *LEASE)
    jobs = (
        job(
            kind="session",
            subject=row["session"],
            group=row["session__run"] or "",
            paused=row["session__paused"],
            cancel_requested=row["session__stop_requested"],
            created_at=row["session__created_at"],
            started_at=row["session__started_at"],
            **{name: row[name] for name in LEASE},
        )
        for row in rows.iterator(ROWS)
    )
    job.objects.bulk_create(jobs, batch_size=ROWS)
    _compare(job, unfinished)


def _compare(job, unfinished):
    """Every unfinished session has a job that says what its lease says, and no other has one."""
    open_ = job.objects.filter(kind="session", state="open")
    told = {row[0]: row[1:] for row in open_.values_list("subject", *LEASE).iterator(ROWS)}
    if told != {row[0]: row[1:] for row in unfinished.values_list("session", *LEASE).iterator(ROWS)}:
        raise RuntimeError("the jobs of sessions differ from their leases; nothing was changed")


def from_jobs(apps, schema_editor):
    """Every session has a lease again, those that have not ended the one of their job."""
    job, lease = apps.get_model("jobs", "Job"), apps.get_model("caravan_sessions", "Lease")
    session = apps.get_model("caravan_sessions", "Session")
    open_ = job.objects.filter(kind="session", state="open")
    held = {row.pop("subject"): row for row in open_.values("subject", *LEASE).iterator(ROWS)}
    pks = session.objects.values_list("pk", flat=True).iterator(ROWS)
    lease.objects.bulk_create((lease(pk=pk, **held.get(pk, {})) for pk in pks), batch_size=ROWS)
    job.objects.filter(kind="session").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("caravan_sessions", "0013_scoring_is_a_job"),
        ("jobs", "0002_open_until_ended"),
    ]

    operations = [
        migrations.RunPython(to_jobs, from_jobs),
        migrations.DeleteModel(name="Lease"),
    ]
