"""Making webhooks, and what they are told.

What there is to tell is looked for by the sweeper, so that no session waits for it and no restart loses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from webapp import clock
from webapp.accounts.models import Role, User
from webapp.commands import page_address
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Kind, register, retries, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.runs.selectors import Progress, progress
from webapp.sessions.models import ENDED_STATUSES, Run, Session
from webapp.webhooks.addresses import permitted_address
from webapp.webhooks.models import LONGEST_URL, Delivery, Topic, Webhook

MOST = 20
"""Webhooks of one researcher."""
RECENT = timedelta(days=2)
"""Runs in which nothing went on for so long are not looked at."""
MOST_RUNS = 200
"""Runs that one look at a webhook reads."""
LEAST_ENDED, CRASHED_SHARE = 5, 0.2
"""Many sessions crash where at least so many have ended and so large a part of them crashed."""


def create_webhook(*, user: User, url: str, run: Run | None = None) -> Webhook:
    """A new webhook.

    Raises:
        ChoiceRefused: the address is none that deliveries may go to, or the researcher has too many.
    """
    if len(url) > LONGEST_URL:
        raise ChoiceRefused(
            _("The address has more than %(most)s characters.") % {"most": LONGEST_URL}, "url"
        )
    permitted_address(url)
    if Webhook.objects.filter(user=user).count() >= MOST:
        raise ChoiceRefused(
            _("You have %(most)s webhooks already. Delete one first.") % {"most": MOST}, "url"
        )
    return Webhook.objects.create(user=user, url=url, run=run)


def tell(*, webhook: Webhook, topic: Topic, key: str, content: dict[str, object], run: Run | None) -> bool:
    """Have a webhook told something, once for each key; whether it was not told before."""
    with transaction.atomic():
        delivery, new = Delivery.objects.get_or_create(
            webhook=webhook, key=key, defaults={"topic": topic, "run": run, "content": content}
        )
        if new:
            jobs.add(kind=DELIVERY, subjects=[str(delivery.pk)], group=str(webhook.pk))
    if new:
        jobs.hand_over(kind=DELIVERY, subject=str(delivery.pk))
    return new


def send_test(webhook: Webhook) -> None:
    """Have it told that it works."""
    now = clock.now()
    content: dict[str, object] = {"event": Topic.TEST.value, "at": now.isoformat()}
    tell(webhook=webhook, topic=Topic.TEST, key=f"test {now.isoformat()}", content=content, run=None)


def redeliver(delivery: Delivery) -> None:
    """Send the same again, from the first attempt on; a delivery that waits is tried now."""
    Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.WAITING, attempts=0, problem="")
    jobs.enqueue(kind=DELIVERY, subject=str(delivery.pk), group=str(delivery.webhook_id))


def find_news() -> int:
    """Have webhooks told what is new; how much it was."""
    of_researchers = Webhook.objects.filter(user__is_active=True, user__role=Role.RESEARCHER)
    return sum(map(_tell_news, of_researchers))


def _tell_news(webhook: Webhook) -> int:
    runs = list(_watched_runs(webhook)[:MOST_RUNS])
    how_far = progress(runs)
    told = 0
    for run in runs:
        for topic, key in news_of(run, how_far[run.pk], webhook):
            content = content_of(run, how_far[run.pk], topic)
            told += tell(webhook=webhook, topic=topic, key=f"{run.pk} {key}", content=content, run=run)
    return told


def _watched_runs(webhook: Webhook) -> QuerySet[Run]:
    since = max(webhook.created_at, clock.now() - RECENT)
    lately = Session.objects.filter(
        ~Q(status__in=ENDED_STATUSES) | Q(finished_at__gte=since), run__isnull=False
    )
    runs = Run.objects.filter(pk__in=lately.order_by().values("run"))
    return runs.filter(pk=webhook.run_id) if webhook.run_id else runs.filter(created_by=webhook.user_id)


def news_of(run: Run, now: Progress, webhook: Webhook) -> Iterator[tuple[Topic, str]]:
    """What is to be told, each with what makes it another time: a run that is retried ends again."""
    again = f"{now.sessions} {run.retried.count()}"
    if run.alarm_raised_at is not None and run.budget is not None and not now.settled:
        yield Topic.ALARM, f"alarm {run.budget_alarm} {run.budget} {run.budget_unit}"
    if now.settled and now.sessions:
        last = run.sessions.aggregate(last=Max("finished_at"))["last"]
        if last is not None and last >= webhook.created_at:
            yield Topic.ENDED, f"ended {again}"
    elif run.budget_used_up:
        yield Topic.BUDGET, f"budget {run.budget} {run.budget_unit}"
    elif run.paused_failing:
        since = run.outages.aggregate(last=Max("since"))["last"]
        yield Topic.FAILING, f"failing {since.isoformat() if since else ''}"
    if now.ended >= LEAST_ENDED and now.crashed >= CRASHED_SHARE * now.ended and now.going:
        yield Topic.CRASHING, f"crashing {again}"


def content_of(run: Run, now: Progress, topic: Topic) -> dict[str, object]:
    """What is sent: ids and counts, and nothing that was said."""
    counts = ("sessions", "queued", "running", "finished", "crashed", "stopped", "paused")
    return {
        "event": topic.value,
        "at": clock.now().isoformat(),
        "run": {"id": run.pk, "suite": run.suite, "page": page_address(run)}
        | {name: getattr(now, name) for name in counts},
    }


def _cancel(subject: str) -> None:
    jobs.cancel(kind=DELIVERY, subject=subject)


def _link(job: Job) -> str | None:
    return reverse("webhook", args=[job.group]) if job.group else None


DELIVERY = register(
    Kind(
        "webhook",
        gettext_lazy("Delivery to a webhook"),
        link=_link,
        queue=Queue.SHORT,
        existing_subjects=rows_of(Delivery.objects.all),
        find=find_news,
        cancel=_cancel,
    )
)


@retries(DELIVERY)
def _deliver_again(job: Job) -> None:
    if (delivery := Delivery.objects.filter(pk=job.subject).first()) is not None:
        redeliver(delivery)
