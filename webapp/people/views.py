"""Pages of those who take seats: the link, what they read first, the seat itself, and what comes after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.core.events import WarningPassedOver
from benchmark.suites import DEFAULT_SUITE
from webapp.fields import plain_name
from webapp.languages import switched_to
from webapp.people import agent_words, clocks, guests
from webapp.people.invitations import NotAdmitted, admits, invitation_of, redeem, room_behind
from webapp.people.models import Guest, study_of
from webapp.people.page import Table, now_context, page_context
from webapp.people.questionnaire import questionnaire
from webapp.people.retention import kept_days
from webapp.people.tabs import notify_pages
from webapp.plans.days import DayPlan, day_plans
from webapp.plans.reading import SessionPlan, has_plans
from webapp.seats.inbox import unread_messages
from webapp.seats.models import InboxMessage
from webapp.sessions.inbox import MessageRefused, deliver, sent_before, take_back, tell
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Guest, P], HttpResponseBase]
LONGEST_NAME = 60


def at_seat(view: View[P]) -> Callable[..., HttpResponseBase]:
    """Let only the browser in that took this seat, and speak the seat's language."""

    @login_not_required
    @wraps(view)
    def guard(request: HttpRequest, guest_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        guest = guests.guest_in(request.session, guest_id)
        if guest is None:
            with _in_language_of_seat(request, guest_id):
                why = _("This seat was taken in another browser.")
                return _refusal_page(request, why, back=reverse("seat_back", args=[guest_id]))
        guest.switched_to = switched_to(request.COOKIES)
        with translation.override(guest.language):
            request.LANGUAGE_CODE = guest.language  # as LocaleMiddleware sets it
            return view(request, guest, *args, **kwargs)

    return guard


def _refusal_page(request: HttpRequest, why: str, *, back: str = "") -> HttpResponse:
    """back: where whoever has the seat can go on by their code, "" where nobody can."""
    return render(request, "people/refused.html", {"why": why, "back": back}, status=403)


@require_POST
@login_not_required
def come_back(request: HttpRequest, guest_id: str) -> HttpResponseBase:
    """Go on at a seat in another browser, by the code that its page shows."""
    guest = Guest.objects.select_related("seat__session__task").filter(pk=guest_id, program="").first()
    with _in_language_of_seat(request, guest_id):
        return _back(request, [guest] if guest else [])


def _back(request: HttpRequest, possible_guests: Iterable[Guest]) -> HttpResponseBase:
    code = request.POST.get("return_code", "")
    guest = next((guest for guest in possible_guests if guest.returns_by(code)), None)
    if guest is None:
        why = _(
            "This is not the code of this seat. The code is on the page of the browser where the "
            "seat was taken."
        )
        return _refusal_page(request, why, back=request.path)
    guests.remember(request, guest)
    return redirect(guest)


def _in_language_of_seat(request: HttpRequest, guest_id: str) -> translation.override:
    """Speak what was switched to, else the language of whatever seat this is, else the browser's."""
    guest = Guest.objects.select_related("seat__session__task").filter(pk=guest_id).first()
    seat_language = guest.language if guest else translation.get_language()
    return translation.override(switched_to(request.COOKIES) or seat_language)


def at_table(view: View[P]) -> Callable[..., HttpResponseBase]:
    """The same, as long as the seat is theirs, once they have read what comes before the conversation."""

    @at_seat
    @wraps(view)
    def guard(request: HttpRequest, guest: Guest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not guests.loss_reason(guest) and guest.stage == Guest.Stage.READY:
            return view(request, guest, *args, **kwargs)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})  # the page says why
        return redirect(guest)

    return guard


@login_not_required
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Take a seat by a link and a button: a preview that opens the link must not take it."""
    response = _open_invitation(request, token)
    response.headers["Referrer-Policy"] = "origin"  # the address holds the token
    return response


def _open_invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    invitation = invitation_of(token)
    if invitation is not None and (known := guests.guest_by(request.session, invitation.pk)):
        return redirect(known)
    visitor = guests.visitor(request) if invitation is not None and invitation.is_lobby else ""
    language = switched_to(request.COOKIES) or _language_of(invitation)
    with translation.override(language) if language else translation.override(translation.get_language()):
        if invitation is not None and "return_code" in request.POST:
            return _back(request, invitation.guests.select_related("seat__session__task").filter(program=""))
        try:
            if request.method == "POST":
                guest = redeem(token=token, name=_name(request), visitor=visitor)
                guests.remember(request, guest)
                return redirect(guest)
            if invitation is None or not admits(invitation):
                redeem(token=token)  # tells why
        except NotAdmitted as refusal:
            back = (
                request.path
                if invitation is not None and invitation.guests.filter(program="").exists()
                else ""
            )
            return _refusal_page(request, str(refusal), back=back)
        room = room_behind(invitation) if invitation is not None and invitation.is_lobby else None
        invited = _own_or_shared(_suite_of(invitation), "invited")
        context = {"invitation": invitation, "room": room, "invited_template": invited}
        return render(request, "people/invitation.html", context)


def _language_of(subject: Any) -> str:
    """Of the seats that an invitation leads to, "" where they speak several."""
    if subject is None:
        return ""
    sessions = Session.objects.filter(run=subject.run_id) if subject.run_id else [subject.session]
    spoken = {each.task.language for each in sessions if each is not None}
    if len(spoken) != 1:
        return ""
    return "zh-hans" if spoken == {"zh"} else "en"


def _suite_of(subject: Any) -> str:
    """The benchmark of the seats that an invitation leads to."""
    held = subject and (subject.run if subject.run_id else subject.session)
    return str(held.suite) if held else DEFAULT_SUITE


def _name(request: HttpRequest) -> str:
    return plain_name(request.POST.get("name", ""), LONGEST_NAME)


@at_seat
def seat(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """The page of a seat: what is read first, then the conversation, then what came of it."""
    if guest.withdrew_at is not None:
        return render(request, "people/withdrawn.html", {"guest": guest})
    if why := guests.loss_reason(guest):
        context = {"why": why, "guest": guest, "thanked": guests.was_sent_away(guest)}
        return render(request, "people/gone.html", context, status=403)
    table = Table(guest)
    if guest.stage == Guest.Stage.CONSENT:
        return render(request, "people/consent.html", _first(table))
    if guest.stage == Guest.Stage.WISHES:
        return _wishes(request, table)
    if guest.stage == Guest.Stage.PRACTICE:
        return render(request, "people/practice.html", {**_first(table), **table.card()})
    return render(request, "people/seat.html", page_context(table) | _after(table))


def _first(table: Table) -> dict[str, Any]:
    study = table.study
    return {
        "guest": table.guest,
        "session": table.session,
        "study": study,
        "kept_days": kept_days(study),
        "consent": study.text("consent", table.language),
        "instructions": study.text("instructions", table.language),
        "card_template": f"suites/{table.session.suite}/seat/card.html",
        "about_template": _own_or_shared(table.session.suite, "about"),
        "guide_template": _own_or_shared(table.session.suite, "guide"),
        "opened": table.fold.opening,
        "table": table,
    }


def _own_or_shared(suite: str, name: str) -> list[str]:
    """A text of what is read first: the benchmark's own, else the one that all have."""
    return [f"suites/{suite}/seat/{name}.html", f"people/{name}.html"]


def _after(table: Table) -> dict[str, Any]:
    """What a guest sees once their session has ended."""
    if table.standing != "ended":
        return {}
    reading = Reading.of(table.session)
    form = questionnaire(table.guest)
    return {
        "form": form,
        "asks": bool(form.fields) and table.guest.answered_at is None,
        "ended_template": _own_or_shared(table.session.suite, "ended"),
        "plan_days": lambda: _plan_days(reading),
        **table.page.ending_context(reading, table.seat, table.language, table.places),
    }


def _plan_days(reading: Reading) -> list[DayPlan] | None:
    """The plan that was posted, None where there is none; nothing of a benchmark without plans."""
    if not has_plans(reading.session.suite):
        return []
    view = SessionPlan(reading).located_view  # a hotel has no words of its own in some plans, only an id
    return day_plans(view, ()) if view else None


def _wishes(request: HttpRequest, table: Table) -> HttpResponseBase:
    make = table.page.wishes
    if make is None or table.is_agent:
        guests.advance(table.guest)
        return redirect(table.guest)
    form = make(table.session, table.seat, table.language, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        tell(session_id=table.session.pk, actor=table.seat, body=form.body())
        guests.advance(table.guest)
        return redirect(table.guest)
    return render(request, "people/wishes.html", {**_first(table), "form": form})


@require_POST
@at_seat
def consent(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Agree, under a name of their choice."""
    if guest.sits and guest.stage == Guest.Stage.CONSENT and "agree" in request.POST:
        guest.name = _name(request) or guest.name
        guest.consented_at = timezone.now()
        guests.advance(guest)
    return redirect(guest)


@require_POST
@at_seat
def end_practice(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """The practice exchange is over, or left out."""
    if guest.sits and guest.stage == Guest.Stage.PRACTICE:
        guests.advance(guest)
    return redirect(guest)


@require_POST
@at_seat
def wishes(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """The card that a person fills in."""
    if not guest.sits or guest.stage != Guest.Stage.WISHES:
        return redirect(guest)
    return _wishes(request, Table(guest))


@at_table
def turn_page(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Whose turn it is, the card, and what can be said."""
    return _current_page(request, guest)


def _current_page(request: HttpRequest, guest: Guest, **more: Any) -> HttpResponse:
    return render(request, "people/now.html", now_context(Table(guest), **more))


@require_POST
@at_table
def say(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Send words, or a pass; what would tell something unasked is sent when the person says so."""
    text, client_id = request.POST.get("content", "").replace("\r\n", "\n"), request.POST.get("client_id", "")
    kind = InboxMessage.Kind.PASS if "pass" in request.POST else InboxMessage.Kind.SAY
    # a page that lost the answer sends the same words again under the same id
    if (known := sent_before(guest.seat, client_id)) is not None:
        same = Table(guest).page.words(known.content).startswith(text.strip())
        return _answered_again(request, guest, known, kind == known.kind and same)
    table = Table(guest)
    passed_over: dict[str, Sequence[str]] = {}
    fresh = True
    try:
        if table.is_agent and kind == InboxMessage.Kind.SAY:
            agent_words.say(table, client_id, text)
        elif kind == InboxMessage.Kind.SAY:
            asked, passed_over = _asked_before(table, text, request.POST)
            if asked:
                return _current_page(request, guest, **asked, left_s=clocks.stand(table))
            text = table.page.compose(table.fold, text, request.POST)
        elif table.standing != "yours":
            raise MessageRefused(_("You can pass when it is your turn."))
        if not table.is_agent or kind == InboxMessage.Kind.PASS:
            fresh = _deliver(guest, client_id, "" if kind == InboxMessage.Kind.PASS else text, kind)
    except (MessageRefused, ValueError) as refusal:
        return _current_page(request, guest, refusal=str(refusal))
    for why, items in passed_over.items() if fresh else ():
        body = WarningPassedOver(seat=guest.seat.name, why=why, items=tuple(items))
        tell(session_id=guest.seat.session_id, actor=guest.seat.name, body=body)
    return _send_message(request, guest)


def _asked_before(
    table: Table, text: str, chosen: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Sequence[str]]]:
    """What the page asks before words are sent, nothing where they can go; and what it had warned of before, by kind.

    Raises:
        MessageRefused: they can't be sent.
    """
    checked = table.page.check(table.fold, text, chosen, table.language)
    if checked.refusal:
        raise MessageRefused(checked.refusal)
    if checked.revelations and chosen.get("sure") != "1":
        return {"revealed": checked.revelations}, {}
    if checked.agreements and chosen.get("only_words") != "1":
        return {"agreed": checked.agreements}, {}
    warned = {"unasked": checked.revelations, "only_words": [str(each.label) for each in checked.agreements]}
    return {}, {why: items for why, items in warned.items() if items}


def _send_message(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    Guest.objects.filter(pk=guest.pk).update(draft="")
    notify_pages(guest.pk)
    response = _current_page(request, guest)
    response.headers["HX-Trigger"] = "seat:sent"
    return response


def _answered_again(request: HttpRequest, guest: Guest, known: InboxMessage, same: bool) -> HttpResponseBase:
    """The answer to the first request was lost: the page is told, and keeps words that were changed since."""
    if same:
        return _send_message(request, guest)
    words = _("“%(words)s” was sent already. Send your new text as a message of its own, or discard it.")
    sent = Truncator(Table(guest).page.words(known.content) or _("pass")).chars(80)
    response = _current_page(request, guest, refusal=words % {"words": sent})
    response.headers["HX-Trigger"] = "seat:another"
    return response


MOST_WAITING = 3
"""Messages of a person that the session has not read yet."""


def _deliver(guest: Guest, client_id: str, text: str, kind: InboxMessage.Kind) -> bool:
    """Whether it was sent now: of equal requests at one moment the others find it here."""
    with guests.acting(guest):
        if sent_before(guest.seat, client_id) is not None:
            return False
        if unread_messages(guest.seat).count() >= MOST_WAITING:
            words = _("%(most)s of your messages are waiting for your turn. Take one back, or wait.")
            raise MessageRefused(words % {"most": MOST_WAITING})
        deliver(seat=guest.seat, client_id=client_id, content=text, kind=kind)
    return True


@require_POST
@at_table
def heed(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """A warning is answered by writing on: the clock goes on."""
    clocks.go_on(Table(guest))
    return _current_page(request, guest, left_s=None)


@require_POST
@at_table
def unsend(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Take words back that wait for their turn; they are a draft again."""
    message = sent_before(guest.seat, request.POST.get("client_id", ""))
    if message is None or not take_back(seat=guest.seat, client_id=message.client_id):
        return _current_page(
            request, guest, refusal=_("The assistant already has this message, so it can't be taken back.")
        )
    words = Table(guest).page.words(message.content)
    Guest.objects.filter(pk=guest.pk).update(draft=words)
    notify_pages(guest.pk)
    return _current_page(request, guest, taken_back=words)


@at_seat
def leave(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Leave for good, or withdraw from the study; asked once more before."""
    if request.method == "POST":
        guests.leave(guest, withdraw="withdraw" in request.POST)
        notify_pages(guest.pk)
        return redirect(guest)
    if guest.withdrew_at is not None:
        return redirect(guest)
    context = {"guest": guest, "study": study_of(guest.seat.session), "leaves": guests.may_leave(guest)}
    return render(request, "people/leave.html", context)
