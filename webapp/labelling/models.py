"""Studies in which people and models compare and rate, their items, who annotates, and every answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmark.labelling.messages import MessageRubric
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp import clock
from webapp.catalogue.models import Task
from webapp.fields import OrderedJSONField, readable_id
from webapp.judging.models import Rater
from webapp.link_keys import derive
from webapp.people.models import MOST_DAYS
from webapp.sessions.models import Session

VALID_FOR = timedelta(days=30)
OWN_SCALE = range(1, 6)
"""Of dimensions that a study brings itself; those of a benchmark's rubric have each its own."""
YES_NO = range(2)
"""Of dimensions that are answered by no or yes."""


def new_study_id() -> str:
    """Six characters that can be read aloud."""
    return readable_id(6)


def new_annotator_id() -> str:
    """Sixteen characters that nobody guesses."""
    return readable_id(16)


class Kind(models.TextChoices):
    PAIRWISE = "pairwise", _("Pairs: which plan is better")
    RUBRIC = "rubric", _("Rubric: a rating by dimension")
    BINARY = "binary", _("A yes/no question")


class Choice(models.TextChoices):
    """What a label says, whichever side a plan was shown on."""

    LEFT = "left", _("A")
    RIGHT = "right", _("B")
    NEITHER = "neither", _("Neither is satisfactory")
    TIE = "tie", _("Equally good")
    YES = "yes", _("Yes")
    NO = "no", _("No")


STRENGTH, SLIGHT = "strength", "slight"
"""Key of an answer that chooses a side, and its value where that side is slightly better."""
OTHER_SIDE = {Choice.LEFT.value: Choice.RIGHT.value, Choice.RIGHT.value: Choice.LEFT.value}


class LabelStudy(models.Model):
    """What annotators are asked, of which items, and on what terms.

    rubric: the name of the suite's that is asked, "" for the first; one of messages has messages rated in place of
    sessions. dimensions: own ones in its place, `{name:
    {"zh": label, "en": label}}`; None for those of the rubric. question: of a binary study. per_item: annotators an
    item. lease_min: minutes for which an item is kept for who looks at it. min_view_s: seconds; faster answers are
    flagged. gold_every, repeat_every: after so many answers comes an item with a known answer, or one that they
    answered before; 0 for never. qualification: share of right answers to the qualification items that lets go on.
    pilot: the labels never count. blind: names of agents and models are masked. show_ticks: they read what the
    scorer finds met and missed of each wish. show_profile: they read what the simulated user was told of itself,
    where the benchmark has such a profile. allow_slight: a side can be slightly better, which counts as that side
    and keeps its strength. see_both: an answer is taken once both plans were on screen to their ends. version:
    rises with every change of what annotators see; guidelines_version: with the guidelines. keep_days: after which
    what is personal of its annotators is removed, None for as many as the installation says; kept_from: when it was
    opened, paused or closed, or labels were brought in, last; data_removed_at: when it was removed.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        PAUSED = "paused", _("Paused")
        CLOSED = "closed", _("Closed")

    id = models.CharField(primary_key=True, max_length=12, default=new_study_id, editable=False)
    name = models.CharField(_("Name"), max_length=100, unique=True)
    kind = models.CharField(_("Kind"), max_length=10, choices=Kind, default=Kind.PAIRWISE)
    suite = models.CharField(max_length=40, default=DEFAULT_SUITE)
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    pilot = models.BooleanField(_("Pilot: its labels never count"), default=False)
    question_zh = models.CharField(_("Question, Chinese"), max_length=500, blank=True)
    question_en = models.CharField(_("Question, English"), max_length=500, blank=True)
    rubric = models.CharField(_("Rubric"), max_length=40, blank=True, default="")
    dimensions: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    allow_slight = models.BooleanField(_("“Slightly better” is an answer"), default=False)
    allow_tie = models.BooleanField(_("“Equally good” is an answer"), default=False)
    rationale_required = models.BooleanField(_("A reason is required"), default=False)
    show_chat = models.BooleanField(_("Show the conversation too"), default=False)
    show_ticks = models.BooleanField(_("Show what the scorer finds met and missed"), default=False)
    show_profile = models.BooleanField(_("Show the user's profile"), default=False)
    see_both = models.BooleanField(_("Both plans must be seen to their ends before an answer"), default=False)
    blind = models.BooleanField(_("Mask names of agents and models"), default=True)
    consent_zh = models.TextField(_("Consent, Chinese"), blank=True)
    consent_en = models.TextField(_("Consent, English"), blank=True)
    panel = models.BooleanField(_("One link for people of a panel"), default=False)
    completion_code = models.CharField(_("Completion code"), max_length=60, blank=True)
    completion_url = models.URLField(_("Address to open at the end"), max_length=500, blank=True)
    guidelines_zh = models.TextField(_("Guidelines, Chinese"), blank=True)
    guidelines_en = models.TextField(_("Guidelines, English"), blank=True)
    per_item = models.PositiveSmallIntegerField(_("Annotators per item"), default=3)
    by_city = models.BooleanField(_("Only destinations that the annotator knows"), default=False)
    lease_min = models.PositiveSmallIntegerField(
        _("Minutes that an item is kept for its annotator"), default=30
    )
    min_view_s = models.PositiveSmallIntegerField(
        _("Seconds under which an answer is flagged as hurried"), default=10
    )
    gold_every = models.PositiveSmallIntegerField(_("An item with a known answer after every"), default=10)
    repeat_every = models.PositiveSmallIntegerField(_("A repeated item after every"), default=10)
    qualification = models.FloatField(_("Share of qualification items to answer rightly"), default=0.8)
    seed = models.IntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    guidelines_version = models.PositiveIntegerField(default=1)
    keep_days = models.PositiveIntegerField(
        _("Days for which personal data is kept"),
        null=True,
        blank=True,
        default=None,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS)],
    )
    kept_from = models.DateTimeField(null=True, default=None, editable=False)
    data_removed_at = models.DateTimeField(null=True, default=None, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("label_study", args=[self.pk])

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers that a label can choose from; none under a rubric."""
        if self.kind == Kind.BINARY:
            return Choice.YES, Choice.NO
        if self.kind == Kind.RUBRIC:
            return ()
        tie = (Choice.TIE,) if self.allow_tie else ()
        return Choice.LEFT, Choice.RIGHT, Choice.NEITHER, *tie

    @property
    def has_slight(self) -> bool:
        """Whether a side can be slightly better."""
        return self.allow_slight and self.kind == Kind.PAIRWISE

    @property
    def dimension_names(self) -> tuple[str, ...]:
        """What a rubric asks, its own dimensions or those that judges rate by it."""
        return tuple(self.scales)

    @property
    def scales(self) -> dict[str, range]:
        """The ratings that each dimension can have; nothing where no rubric is asked, or the suite has none."""
        rating = suite_named(self.suite).rating
        if self.kind != Kind.RUBRIC:
            return {}
        if self.dimensions:
            return dict.fromkeys(self.dimensions, OWN_SCALE)
        if self.message_rubric is not None:
            asked = self.message_rubric.dimensions
        else:
            asked = rating.rubric(self.rubric).dimensions if rating.rubrics else ()
        return {dimension.key: dimension.scale for dimension in asked}

    @property
    def message_rubric(self) -> MessageRubric | None:
        """What is asked of single messages; None where whole sessions are looked at."""
        rating = suite_named(self.suite).rating
        return rating.message_rubric(self.rubric) if self.kind == Kind.RUBRIC and self.rubric else None

    @property
    def asks_consent(self) -> bool:
        """Whether people agree to something before they begin."""
        return bool(self.consent_zh or self.consent_en)

    @property
    def panel_token(self) -> str:
        """What the link holds by which people of a panel come, each as somebody of their own."""
        return self.panel_token_under(settings.SECRET_KEY)

    def panel_token_under(self, key: str) -> str:
        """The same by a key of the installation."""
        return f"{self.pk}-{derive('caravan.panel', self.pk, key).hex()[:32]}"

    def text(self, name: str, language: str) -> str:
        """Its `guidelines`, `question` or `consent` in a language; in the other one where that is all there is."""
        own, other = ("zh", "en") if language.startswith("zh") else ("en", "zh")
        return str(getattr(self, f"{name}_{own}") or getattr(self, f"{name}_{other}"))


class LabelItem(models.Model):
    """One thing that is labelled: a pair of sessions of one task, one session, a message of one, or a task alone.

    number: from 1 within the study. rank: a random order, in which annotators get them. left, right: the sessions
    as the study holds them, whichever side an annotator sees them on; both None for a task alone. left_agent,
    right_agent: who they are of, never shown to annotators. at: the `seq` of the message of `left` that is rated,
    None where it is no message; left_agent is then who speaks. facets: `RatedMessage.facets`. stratum: for balance
    and for slices. answer: of an item
    whose answer is known, as `Label.answer`. cities: of the task.
    """

    class Purpose(models.TextChoices):
        NORMAL = "normal", _("Item")
        GOLD = "gold", _("Known answer")
        QUALIFICATION = "qualification", _("Qualification")
        EXAMPLE = "example", _("Example")
        TRAINING = "training", _("Training: shows its answer after theirs")

    study = models.ForeignKey(LabelStudy, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(default=0)
    purpose = models.CharField(max_length=14, choices=Purpose, default=Purpose.NORMAL)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="label_items")
    left = models.ForeignKey(Session, null=True, on_delete=models.PROTECT, related_name="label_items_left")
    right = models.ForeignKey(Session, null=True, on_delete=models.PROTECT, related_name="label_items_right")
    left_agent = models.CharField(max_length=200, blank=True)
    right_agent = models.CharField(max_length=200, blank=True)
    at = models.PositiveIntegerField(null=True)
    facets: models.Field[Any, Any] = OrderedJSONField(default=dict)
    stratum = models.CharField(max_length=200, blank=True)
    cities: models.Field[Any, Any] = OrderedJSONField(default=list)
    answer: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    explanation = models.TextField(blank=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_item_a_number")]

    def __str__(self) -> str:
        return f"{self.study_id} #{self.number}"


class Annotator(models.Model):
    """A person in a study, and the link by which they come.

    panel: what a panel's link told of them (`PANEL`). consented_at: they agreed to the study's consent.
    nonce: makes the token together with the installation's secret, so that the database does not hold it.
    guidelines_read: the version that they have read, 0 for none. qualified_at, failed_at: after the qualification
    items, if the study has any. left_at: they gave up; what they answered stays.
    """

    id = models.CharField(primary_key=True, max_length=20, default=new_annotator_id, editable=False)
    study = models.ForeignKey(LabelStudy, on_delete=models.CASCADE, related_name="annotators")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="annotating")
    nonce = models.CharField(max_length=32, default=new_annotator_id, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    consented_at = models.DateTimeField(null=True)
    panel: models.Field[Any, Any] = OrderedJSONField(default=dict)
    guidelines_read = models.PositiveIntegerField(default=0)
    qualified_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [models.UniqueConstraint(fields=["study", "rater"], name="one_annotator_a_study")]

    def __str__(self) -> str:
        return f"{self.rater_id} in {self.study_id}"

    def get_absolute_url(self) -> str:
        return reverse("annotate", args=[self.pk])

    @property
    def token(self) -> str:
        """What the invitation's link holds."""
        return self.token_under(settings.SECRET_KEY)

    def token_under(self, key: str) -> str:
        """The same by a key of the installation."""
        return f"{self.pk}-{derive('caravan.annotator', f'{self.pk}:{self.nonce}', key).hex()[:32]}"

    def usable(self, now: datetime | None = None) -> bool:
        """Whether the link lets them in now."""
        return self.revoked_at is None and self.expires_at > (now or clock.now())


class Assignment(models.Model):
    """That an item was given to an annotator.

    repeat: 0 the first time, 1 when it comes again for their consistency. slot: which of the item's places they
    have, from 0; None where the answer is not one of the item's own: known answers, qualification, repeats. swapped:
    the left plan is shown on the right. leased_until: until then nobody else gets the slot. seconds: for which the
    item was on screen. draft: what they chose and wrote and have not sent. study_version: what they were shown.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("At work")
        ANSWERED = "answered", _("Answered")
        SKIPPED = "skipped", _("Skipped")
        EXPIRED = "expired", _("Time ran out")

    item = models.ForeignKey(LabelItem, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="assignments")
    repeat = models.PositiveSmallIntegerField(default=0)
    slot = models.PositiveSmallIntegerField(null=True)
    swapped = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    study_version = models.PositiveIntegerField(default=1)
    taken_at = models.DateTimeField(default=timezone.now)
    leased_until = models.DateTimeField()
    seconds = models.FloatField(default=0.0)
    draft: models.Field[Any, Any] = OrderedJSONField(default=dict)
    reason = models.TextField(blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["taken_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "slot"],
                condition=Q(slot__isnull=False, status__in=("open", "answered")),
                name="one_assignment_a_slot",
            ),
            models.UniqueConstraint(
                fields=["item", "annotator", "repeat"],
                condition=Q(status__in=("open", "answered", "skipped")),
                name="one_assignment_an_annotator",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} to {self.annotator_id}"


TOLD_KEY = "told"
"""Key of an imported answer that holds what the columns of a label without an assignment can't: its repeat."""


class Label(models.Model):
    """One answer of one rater to one item. An edit adds a row; the old one stays, no longer `current`.

    assignment: None of a model and of what was imported. choice: `Choice` of what has one, by the item's own sides.
    answer: `{"choice": …}`, with `"strength": "slight"` where that side is slightly better, or `{"scores":
    {dimension: 1..5}}`, with whatever else a model said (`confidence`,
    `left`, `right`: its points; `orders`: what it chose in either order). swapped: how it was shown. hurried: the
    item was on screen for less than the study's least time. client_id: by which an answer sent twice counts once.
    ticks: the scorer's findings were on the page. counts: never in a pilot, nor where a repeat asks again.
    """

    class Source(models.TextChoices):
        PAGE = "page", _("Annotator's page")
        IMPORT = "import", _("Imported")
        MODEL = "model", _("Model")

    item = models.ForeignKey(LabelItem, on_delete=models.CASCADE, related_name="labels")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="labels")
    assignment = models.ForeignKey(Assignment, null=True, on_delete=models.CASCADE, related_name="labels")
    source = models.CharField(max_length=8, choices=Source, default=Source.PAGE)
    choice = models.CharField(max_length=10, blank=True)
    answer: models.Field[Any, Any] = OrderedJSONField(default=dict)
    rationale = models.TextField(blank=True)
    swapped = models.BooleanField(default=False)
    seconds = models.FloatField(null=True)
    hurried = models.BooleanField(default=False)
    ticks = models.BooleanField(default=False)
    study_version = models.PositiveIntegerField(default=1)
    client_id = models.CharField(max_length=60, blank=True)
    counts = models.BooleanField(default=True)
    current = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(current=True), name="one_current_label_an_assignment"
            ),
            models.UniqueConstraint(
                fields=["item", "rater"],
                condition=Q(current=True, assignment__isnull=True),
                name="one_current_label_without_assignment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice or self.answer} on {self.item_id} by {self.rater_id}"

    @property
    def repeat(self) -> int:
        """0 for the first time that the item was asked; of what was imported too."""
        return (
            self.assignment.repeat if self.assignment else int(self.answer.get(TOLD_KEY, {}).get("repeat", 0))
        )

    @property
    def stands(self) -> bool:
        """Whether no other answer of the rater came in its place; a repeat stands beside the first answer."""
        return bool(self.answer.get(TOLD_KEY, {}).get("current", self.current))


class Decision(models.Model):
    """What an adjudicator decided on an item. A later one adds a row; the old one stays, no longer `current`.

    answer, choice: as of a label, by the item's own sides. swapped: how it was shown. seen: the primary keys of the
    labels that it was made from.
    """

    item = models.ForeignKey(LabelItem, on_delete=models.CASCADE, related_name="decisions")
    choice = models.CharField(max_length=10, blank=True)
    answer: models.Field[Any, Any] = OrderedJSONField(default=dict)
    note = models.TextField(blank=True)
    swapped = models.BooleanField(default=False)
    seen: models.Field[Any, Any] = OrderedJSONField(default=list)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item"], condition=Q(current=True), name="one_current_decision_an_item"
            )
        ]

    def __str__(self) -> str:
        return f"{self.choice or self.answer} on {self.item_id}"


class Comparison(models.Model):
    """Items of a study that a model is asked about.

    method: point by point (0 to 100 a plan) or pair by pair. orders: of a pair, in which it is asked about.
    stop_requested: no further request.
    """

    class Orders(models.TextChoices):
        BOTH = "both", _("both orders; where they disagree, neither")
        ONE = "one", _("one order")

    id = models.CharField(primary_key=True, max_length=12, default=new_study_id, editable=False)
    study = models.ForeignKey(LabelStudy, on_delete=models.CASCADE, related_name="comparisons")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="comparisons")
    orders = models.CharField(max_length=4, choices=Orders, default=Orders.BOTH)
    stop_requested = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.rater_id} on {self.study_id}"

    @property
    def requests(self) -> int:
        """Of each item: a plan each, or an order each."""
        return 1 if self.orders == self.Orders.ONE else 2


class Compared(models.Model):
    """One item that a model is asked about. raw: its answers to the letter, one a request; calls: every request."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        ANSWERED = "answered", _("Answered")
        BROKEN = "broken", _("Unusable answer")
        FAILED = "failed", _("No answer")
        STOPPED = "stopped", _("Stopped")

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="compared")
    item = models.ForeignKey(LabelItem, on_delete=models.CASCADE, related_name="compared")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED, db_index=True)
    raw: models.Field[Any, Any] = OrderedJSONField(default=list)
    calls: models.Field[Any, Any] = OrderedJSONField(default=list)
    tries = models.PositiveSmallIntegerField(default=0)
    problem = models.TextField(blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["comparison", "item"], name="one_comparison_an_item")]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.comparison_id}"


class WeightSearch(models.Model):
    """A search for the weights that agree best with the labels of a study.

    grid: as `learn_weights` reads it. options: folds, bootstraps, seed. pairs: the pairs as they were when it began,
    in the same form; data_version: a digest of pairs, grid and code. done: share, 0 to 1. result: what the search
    gives, None before its end.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.CharField(primary_key=True, max_length=12, default=new_study_id, editable=False)
    study = models.ForeignKey(LabelStudy, on_delete=models.CASCADE, related_name="searches")
    profile = models.CharField(max_length=20, blank=True)
    grid: models.Field[Any, Any] = OrderedJSONField(default=dict)
    options: models.Field[Any, Any] = OrderedJSONField(default=dict)
    pairs: models.Field[Any, Any] = OrderedJSONField(default=list)
    data_version = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    stop_requested = models.BooleanField(default=False)
    done = models.FloatField(default=0.0)
    result: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    problem = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.pk} of {self.study_id}"
