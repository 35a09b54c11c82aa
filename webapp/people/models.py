"""Studies, the sessions that belong to them, invitations to seats, and who came.

Who sits where stands in the log and in `webapp.seats`; rows here say who that is, and how they got in.
"""

from __future__ import annotations

from base64 import b32encode
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmark.core.attendance import Attendance
from benchmark.core.participant import INBOX, PERSON
from webapp import clock
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import OrderedJSONField, readable_id
from webapp.link_keys import derive, is_accepted
from webapp.seats.models import Role, Seat
from webapp.sessions.models import Run, Session

VALID_FOR = timedelta(days=14)
RETURN_CODE = 10
"""Letters and digits of a code, which nobody guesses."""
MOST_DAYS = 36_500
"""For which a study may keep data: a hundred years."""
PRESENCES: dict[str, Any] = {
    "joined": _("present"),
    "back": _("present"),
    "away": _("away: looks at another page"),
    "disconnected": _("disconnected"),
    "left": _("left"),
    "withdrawn": _("withdrew"),
}


def new_guest_id() -> str:
    """Sixteen characters that nobody guesses."""
    return readable_id(16)


def new_code() -> str:
    """Ten characters that can be typed."""
    return readable_id(10)


class Study(models.Model):
    """What people are told and asked who take seats, and how they are waited for. Unsaved, it is the standard one.

    The texts replace Caravan's own in their language where they are not empty. turn_s and the other times are those
    of `Attendance`, None for no limit. practice: people try the page before they take part. own_wishes: they fill in
    an empty card, which becomes their table. delete_withdrawn: the data of whoever withdraws is removed at once.
    keep_days: after which everybody's is removed, None for as many as the installation says.
    questions: `webapp.people.questionnaire.Question.plain` of each, None for the standard ones. completion: the code
    that people get at the end, "" for one of their own each.
    """

    class Dropout(models.TextChoices):
        REPLACE = "replace", _("a simulator takes over")
        PASS = "pass", _("their turns are passed")
        WAIT = "wait", _("the session waits for them")
        END = "end", _("the session ends")

    class Lacking(models.TextChoices):
        REPLACE = "replace", _("simulators take the empty seats")
        END = "end", _("the session ends")

    name = models.CharField(_("Name"), max_length=100, unique=True)
    consent_zh = models.TextField(_("Consent text, Chinese"), blank=True)
    consent_en = models.TextField(_("Consent text, English"), blank=True)
    instructions_zh = models.TextField(_("Instructions, Chinese"), blank=True)
    instructions_en = models.TextField(_("Instructions, English"), blank=True)
    practice = models.BooleanField(_("Practice exchange first"), default=True)
    own_wishes = models.BooleanField(_("People bring their own wishes"), default=False)
    delete_withdrawn = models.BooleanField(_("Remove the data of people who withdraw"), default=False)
    keep_days = models.PositiveIntegerField(
        _("Days for which personal data is kept"),
        null=True,
        blank=True,
        default=None,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS)],
    )
    turn_s = models.FloatField(_("Seconds for a turn"), null=True, blank=True, default=180.0)
    remind_s = models.FloatField(_("Reminder, seconds before that"), default=45.0)
    away_s = models.FloatField(_("Seconds without a connection after which somebody has left"), default=180.0)
    misses = models.PositiveSmallIntegerField(
        _("Missed turns in a row after which somebody has left"), default=2
    )
    dropout = models.CharField(
        _("When somebody has left"), max_length=10, choices=Dropout, default=Dropout.REPLACE
    )
    gather_s = models.FloatField(
        _("Seconds until all seats must be taken"), null=True, blank=True, default=None
    )
    lacking = models.CharField(
        _("When too few come"), max_length=10, choices=Lacking, default=Lacking.REPLACE
    )
    substitute = models.CharField(_("Who takes over"), max_length=60, blank=True)
    substitute_model = models.ForeignKey(
        ModelEndpoint,
        verbose_name=_("Model of who takes over"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    questions: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    completion = models.CharField(_("Completion code"), max_length=200, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("study", args=[self.pk])

    @property
    def attendance(self) -> Attendance:
        """How its people are waited for."""
        return Attendance(
            turn_s=self.turn_s,
            remind_s=self.remind_s,
            away_s=self.away_s,
            misses=self.misses,
            gather_s=self.gather_s,
            dropout=self.dropout,
            lacking=self.lacking,
            substitute=self.substitute,
            model=self.substitute_model.setup() if self.substitute_model else None,
        )

    def text(self, name: str, language: str) -> str:
        """Its own `consent` or `instructions` in a language, "" where Caravan's are taken."""
        return str(getattr(self, f"{name}_{'zh' if language.startswith('zh') else 'en'}"))


class Sitting(models.Model):
    """That a session belongs to a study."""

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, primary_key=True, related_name="sitting"
    )
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="sittings")

    def __str__(self) -> str:
        return f"{self.session_id} {self.study_id}"


class Invitation(models.Model):
    """A link to one seat, or a lobby: a link to the next free seat of a session or of a run.

    nonce: makes the token together with the installation's secret, so that the link can be shown again and the
    database does not hold it. once_taken: of a link to a seat, whether somebody came by it.
    """

    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="invitations")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="invitations")
    seat = models.ForeignKey(Seat, null=True, on_delete=models.CASCADE, related_name="invitations")
    nonce = models.CharField(max_length=32, default=new_guest_id, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.pk} to {self.seat_id or self.session_id or self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("invitation", args=[self.token])

    @property
    def token(self) -> str:
        """What the link holds."""
        return self.token_under(settings.SECRET_KEY)

    def token_under(self, key: str) -> str:
        """The same by a key of the installation."""
        return f"{self.pk}-{derive('caravan.invitation', f'{self.pk}:{self.nonce}', key).hex()[:32]}"

    def usable(self, now: datetime | None = None) -> bool:
        """Whether it lets anybody in now."""
        return self.revoked_at is None and self.expires_at > (now or clock.now())

    @property
    def is_lobby(self) -> bool:
        return self.seat_id is None

    @property
    def is_of_agent(self) -> bool:
        """Whether it leads to the agent's seat; a lobby never does."""
        return self.seat is not None and self.seat.role == Role.AGENT


class Guest(models.Model):
    """Who came to a seat: a person at a page, or a program. Only who `holds` the seat acts there.

    visitor: the browser that came by the invitation, "" for programs and researchers; one has one seat of a lobby.
    user: the researcher who tries it. name: by which they want to be called, seen by researchers alone. program,
    version: as a program calls itself. stage: what they see before they take part. seen_at: when a page or a program
    of theirs was heard of. draft: words that are not sent; plan_draft: of whoever has the agent's seat. answers: to
    the questionnaire, by key. data_removed_at: their words and name were removed.
    """

    class Stage(models.TextChoices):
        CONSENT = "consent"
        WISHES = "wishes"
        PRACTICE = "practice"
        READY = "ready"

    id = models.CharField(primary_key=True, max_length=20, default=new_guest_id, editable=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="guests")
    invitation = models.ForeignKey(Invitation, null=True, on_delete=models.SET_NULL, related_name="guests")
    visitor = models.CharField(max_length=20, blank=True, default="")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    holds = models.BooleanField(default=True)
    name = models.CharField(max_length=60, blank=True)
    program = models.CharField(max_length=60, blank=True)
    version = models.CharField(max_length=60, blank=True)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.CONSENT)
    presence = models.CharField(max_length=14, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)
    consented_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)
    withdrew_at = models.DateTimeField(null=True)
    data_removed_at = models.DateTimeField(null=True)
    draft = models.TextField(blank=True)
    plan_draft: models.Field[Any, Any] = OrderedJSONField(null=True, default=None)
    answers: models.Field[Any, Any] = OrderedJSONField(default=dict)
    answered_at = models.DateTimeField(null=True)
    code = models.CharField(max_length=20, default=new_code, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    switched_to: str = ""
    """The language that the person's browser asks for; it is the browser's, and not stored here."""

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["seat"], condition=Q(holds=True), name="one_holder_a_seat"),
            models.UniqueConstraint(
                fields=["invitation", "visitor"],
                condition=Q(holds=True) & ~Q(visitor=""),
                name="one_seat_a_visitor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} at {self.seat_id}"

    def get_absolute_url(self) -> str:
        return reverse("seat", args=[self.pk])

    @property
    def sits(self) -> bool:
        """Whether the seat is theirs still: nobody else holds it, and no simulator has taken it over."""
        kind = INBOX if self.program else PERSON
        return self.holds and self.left_at is None and self.seat.kind == kind

    @property
    def shown_name(self) -> str:
        """Their name; "" once they have withdrawn: what they wrote may be kept, their name is told nobody."""
        return "" if self.withdrew_at else self.name

    @property
    def language(self) -> str:
        """Of the seat, as pages name it: what the person has switched to, else its task's."""
        if self.switched_to:
            return self.switched_to
        return "zh-hans" if self.seat.session.task.language == "zh" else "en"

    @property
    def return_code(self) -> str:
        """With which they go on in another browser."""
        return self._return_code_under(settings.SECRET_KEY)

    def _return_code_under(self, key: str) -> str:
        code = b32encode(derive("caravan.return", self.pk, key))[:RETURN_CODE].decode().lower()
        return f"{code[: RETURN_CODE // 2]}-{code[RETURN_CODE // 2 :]}"

    def returns_by(self, code: str) -> bool:
        """Whether this is their code, however it was typed."""
        typed = "".join(sign for sign in code.lower() if sign.isalnum())
        return is_accepted(typed, lambda key: self._return_code_under(key).replace("-", ""))

    @property
    def completion(self) -> str:
        """The code that they get at the end."""
        return study_of(self.seat.session).completion or self.code


def study_of(session: Session) -> Study:
    """The study of a session, the standard one where it belongs to none."""
    sitting = Sitting.objects.filter(session=session).select_related("study__substitute_model").first()
    return sitting.study if sitting else Study()
