"""The tables of sessions and of runs: a narrow row each, and the views that people saved."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from webapp.sessions.models import Run, Session, Status

LONGEST_NAME = 60
LONGEST_QUERY = 2000


class Entry(models.Model):
    """What the table of sessions shows, sorts and filters by: a reading of other tables, replaceable.

    A hundred thousand such rows are read through faster than a reader notices, so that every filter and every order
    is as fast as any other, without an index each.

    model, user_model: names of endpoints, "" without. run: its id, "" without; run_name: its name. words: what a
    search of tasks looks through. cities: their names between bars. origin: see `Origin`, "" of a session that was
    played from its beginning. seconds: from start to end. tokens, cost: of all its models, None where they are not
    all known. issues: types of the plan's issues between bars. values: of metrics, by key, and by `key@rater`,
    without what has none.
    """

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.CASCADE, related_name="entry")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    suite = models.CharField(max_length=40)
    status = models.CharField(max_length=12, choices=Status)
    reason = models.CharField(max_length=40, blank=True)
    origin = models.CharField(max_length=10, blank=True)
    agent = models.CharField(max_length=60)
    model = models.CharField(max_length=200, blank=True)
    users = models.CharField(max_length=60)
    user_model = models.CharField(max_length=200, blank=True)
    world = models.CharField(max_length=60, blank=True)
    mode = models.CharField(max_length=10)
    cache = models.CharField(max_length=100, blank=True)
    run = models.CharField(max_length=12, blank=True)
    run_name = models.CharField(max_length=100, blank=True)
    task = models.CharField(max_length=200)
    words = models.CharField(max_length=500, blank=True)
    cities = models.CharField(max_length=500, blank=True)
    difficulty = models.CharField(max_length=10, blank=True)
    archetype = models.CharField(max_length=100, blank=True)
    size = models.PositiveSmallIntegerField(default=0)
    planned = models.BooleanField(default=False)
    rounds = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True)
    tool_calls = models.PositiveIntegerField(default=0)
    tool_errors = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(null=True)
    cost = models.FloatField(null=True)
    issues = models.CharField(max_length=500, blank=True)
    values: models.Field[Any, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.session_id


class RunEntry(models.Model):
    """What the table of runs shows, sorts and filters by: a reading of other tables, replaceable.

    stale: something has changed since it was read; the next look at the table reads it anew. model, user_model,
    world, cache: names, "" without. sessions, ended: how many. values: of metrics of runs, by key,
    without what has none.
    """

    run = models.OneToOneField(Run, primary_key=True, on_delete=models.CASCADE, related_name="entry")
    stale = models.BooleanField(default=False, db_index=True)
    created_at = models.DateTimeField()
    name = models.CharField(max_length=100)
    suite = models.CharField(max_length=40)
    agent = models.CharField(max_length=60)
    model = models.CharField(max_length=200, blank=True)
    users = models.CharField(max_length=60)
    user_model = models.CharField(max_length=200, blank=True)
    world = models.CharField(max_length=60, blank=True)
    mode = models.CharField(max_length=10)
    cache = models.CharField(max_length=100, blank=True)
    sessions = models.PositiveIntegerField(default=0)
    ended = models.PositiveIntegerField(default=0)
    going = models.BooleanField(default=False)
    values: models.Field[Any, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.run_id


class SessionSearchIndex(models.Model):
    """An ended session that can be searched: a reading of its log, replaceable. See `search`.

    The texts stand apart, so that to find rows does not mean to read them. complete: all parts are searched; rows
    from before there were others have the messages alone, until a job reads their logs.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="search_index")
    complete = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "tables_said"  # as it was first named: on SQLite a trigger and a table of FTS5 name it

    def __str__(self) -> str:
        return self.session_id


class SaidText(models.Model):
    """What is searched of a session but results of tools, a line each, as `benchmark.text.grams.plain` gives it.

    about: a line of the same number for each: the part, the event's number, who, the error, with tabs between. In
    rows that are not complete it is "", and each line of `text` begins with the event's number and a tab.
    """

    index = models.OneToOneField(
        SessionSearchIndex,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="messages",
        db_column="said_id",
    )
    text = models.TextField()
    about = models.TextField(blank=True, default="", db_default="")

    def __str__(self) -> str:
        return self.text[:40]


class ResultText(models.Model):
    """The results of a session's tools, as `SaidText` has the rest, packed by zlib to a tenth of their length."""

    index = models.OneToOneField(
        SessionSearchIndex, primary_key=True, on_delete=models.CASCADE, related_name="results"
    )
    text = models.BinaryField()
    about = models.BinaryField()

    def __str__(self) -> str:
        return f"results of {self.index_id}"


class SavedView(models.Model):
    """A way to look at the table of sessions. query: filters, order and columns as the end of an address."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=LONGEST_NAME)
    query = models.CharField(max_length=LONGEST_QUERY, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_view_a_name")]

    def __str__(self) -> str:
        return self.name
