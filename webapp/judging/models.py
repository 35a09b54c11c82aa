"""What models say of sessions: a batch of judgements, and each judgement with all that came of it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from benchmark.judging import PUBLISHED, InputForm, Rubric
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.prompts.models import PromptSetVersion
from webapp.sessions.models import Run, Session


def new_batch_id() -> str:
    """Six characters that can be read aloud."""
    return readable_id(6)


def new_rater_id() -> str:
    """Twelve characters that nobody guesses soon."""
    return readable_id(12)


class Rater(models.Model):
    """Whoever rates: a person who annotates, a judge, or a model that compares plans.

    name: of a person as researchers call them, of others as reports name them. key: of what is no person, by which
    it is found again: it says the model, its settings and its prompts. cities: destinations that a person knows,
    none for any. language: in which they are addressed, "" for their browser's. endpoint, setup: the model and how
    it is asked (`ModelSetup`), none of a person.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        JUDGE = "judge", _("Judge")
        POINTWISE = "pointwise", _("Model, plan by plan")
        PAIRWISE = "pairwise", _("Model, pair by pair")

    id = models.CharField(primary_key=True, max_length=12, default=new_rater_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PERSON)
    name = models.CharField(max_length=200)
    key = models.CharField(max_length=200, null=True, unique=True)  # noqa: DJ001  # people have none, and "" would be one
    cities: models.Field[Any, Any] = OrderedJSONField(default=list)
    language = models.CharField(max_length=10, blank=True)
    endpoint = models.ForeignKey(ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="+")
    setup: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name


class Status(models.TextChoices):
    QUEUED = "queued", _("Queued")
    JUDGED = "judged", _("Judged")
    BROKEN = "broken", _("Unusable answer")
    FAILED = "failed", _("No answer")
    STOPPED = "stopped", _("Stopped")
    EMPTY = "empty", _("No conversation, score 0")


SCORED_STATUSES = (Status.JUDGED, Status.EMPTY)
"""Those with S."""


class JudgeBatch(models.Model):
    """Sessions that one judge and one meta-judge are asked about, each `repeats` times.

    suite: the benchmark of all these sessions. run: whose they are, None for chosen ones. prompt_set: by whose
    words judges are asked, None for the shipped ones. calibrated: whether the
    meta-judge is asked; without it the ratings count as they are. rubric: the name of what is asked, "" of the
    suite's first. form: what the judge is shown, an input of the rubric. judge_setup, meta_setup: how the models are
    asked (`ModelSetup`), as it was when the batch began. follows: sessions of the run are added as they end.
    reuses_ratings: what the same judge has answered to the same request is taken from there. stop_requested: no
    further request is made.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_batch_id, editable=False)
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    run = models.ForeignKey(Run, null=True, on_delete=models.PROTECT, related_name="judge_batches")
    prompt_set = models.ForeignKey(
        PromptSetVersion, null=True, on_delete=models.PROTECT, related_name="judge_batches"
    )
    judge = models.ForeignKey(ModelEndpoint, on_delete=models.PROTECT, related_name="+")
    meta_judge = models.ForeignKey(ModelEndpoint, on_delete=models.PROTECT, related_name="+")
    calibrated = models.BooleanField(default=True)
    rubric = models.CharField(max_length=40, blank=True, default="")
    form = models.CharField(max_length=12, default=PUBLISHED)
    judge_setup: models.Field[Any, Any] = OrderedJSONField()
    meta_setup: models.Field[Any, Any] = OrderedJSONField()
    repeats = models.PositiveSmallIntegerField(default=1)
    follows = models.BooleanField(default=False)
    reuses_ratings = models.BooleanField(default=True)
    stop_requested = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.id} by {self.judge_id}"

    def get_absolute_url(self) -> str:
        return reverse("judge_batch", args=[self.id])

    @property
    def words(self) -> AbstractContextManager[None]:
        """Has judges be asked by the words of its set of prompts, until the end of the block."""
        files = self.prompt_set.files if self.prompt_set else {}
        return suite_named(self.suite).library.in_place(files)

    @property
    def criteria(self) -> Rubric:
        """What its judge is asked."""
        return suite_named(self.suite).rating.rubric(self.rubric)

    @property
    def input(self) -> InputForm:
        """What its judge is shown."""
        return self.criteria.forms[self.form]


class Judgement(models.Model):
    """One session judged once.

    repeat: from 1. prompts: their version, of all languages (`Prompts.edition`). rated: the judge has rated
    every dimension, so that the meta-judge, if one is asked, is next, or was. scores: by dimension, those that
    count; ratings: `Rating.stored` by dimension; faults, meta_faults: `Fault.stored` of each; raw, meta_raw: the
    answers to the letter, kept when they are asked for again until others come. meta_score, meta_reasoning: of
    the meta-judge; meta_turns, meta_unknown: the turns that it cites, and those of them that do not exist.
    score: S, None unless everything that it is made of is there, or the session crashed without a conversation
    (`empty`), which counts 0 without asking. tries: unusable answers of whoever is asked now. calls: every
    request (`ModelCalled`), answered or not. request_key: a digest of all that decides what the judge answers, "" of
    a judgement that is older than such keys. source_session: of which session's judgement the ratings were taken
    without asking, and what the meta-judge says where it is the same; "" where they were asked for. problem: why
    there is no answer, or was none the last time while it is asked for again.

    unanswered: failed attempts at the answer that is awaited.
    """

    batch = models.ForeignKey(JudgeBatch, on_delete=models.CASCADE, related_name="judgements")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="judgements")
    repeat = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED, db_index=True)
    prompts = models.CharField(max_length=40, blank=True)
    request_key = models.CharField(max_length=64, blank=True, db_index=True)
    source_session = models.CharField(max_length=40, blank=True)
    rated = models.BooleanField(default=False)
    scores: models.Field[Any, Any] = OrderedJSONField(default=dict)
    # what reports read stands before the long texts: SQLite would read past them in every row
    meta_score = models.PositiveSmallIntegerField(null=True)
    score = models.FloatField(null=True)
    ratings: models.Field[Any, Any] = OrderedJSONField(default=dict)
    faults: models.Field[Any, Any] = OrderedJSONField(default=list)
    raw = models.TextField(blank=True)
    meta_reasoning = models.TextField(blank=True)
    meta_turns: models.Field[Any, Any] = OrderedJSONField(default=list)
    meta_unknown: models.Field[Any, Any] = OrderedJSONField(default=list)
    meta_faults: models.Field[Any, Any] = OrderedJSONField(default=list)
    meta_raw = models.TextField(blank=True)
    calls: models.Field[Any, Any] = OrderedJSONField(default=list)
    problem = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    unanswered = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["repeat", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "session", "repeat"], name="one_judgement_a_repeat")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} #{self.repeat} in {self.batch_id}"

    @property
    def awaits(self) -> bool:
        """Whether what was asked last has no answer, or none yet: one that is there is an earlier one."""
        return self.status not in (*SCORED_STATUSES, Status.BROKEN)
