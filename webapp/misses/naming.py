"""Models that name the groups of a run: how that begins and ends, what they are shown, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from benchmark.core.events import MessagePosted, ModelCalled
from benchmark.core.model_use import ModelUse
from benchmark.core.view import AGENT
from benchmark.misses import Group, Miss, RunMisses
from benchmark.misses.naming import MOST_EXAMPLES, MOST_GROUPS, PROMPTS, Example, GroupEvidence, Naming
from webapp.accounts.models import User
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job, State
from webapp.jobs.services import Claim
from webapp.misses.jobs import GROUP_NAMING
from webapp.misses.models import GroupNaming, NamedGroup
from webapp.misses.reading import catch_up, fold_run, session_misses
from webapp.misses.wording import Words
from webapp.prompts.choice import refuse_unusable
from webapp.prompts.models import PromptSetVersion
from webapp.sessions.log import read_log
from webapp.sessions.models import Run

NAMER: Final = "namer"
"""What requests to the model name in place of a seat."""
Status = GroupNaming.Status


def start_naming(
    *,
    run: Run,
    endpoint: ModelEndpoint,
    prompt_set: PromptSetVersion | None = None,
    created_by: User | None = None,
) -> GroupNaming:
    """Have a model name the groups of a run that lost most; a worker begins at once.

    prompt_set: in whose words it is asked, None for the shipped ones.

    Raises:
        ChoiceRefused: the model or the set can't be used, or names are being made already.
    """
    usable(endpoint, "model")
    if prompt_set is not None:
        refuse_unusable(prompt_set, run.suite)
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)
        _refuse_second(run)
        naming = GroupNaming.objects.create(
            run=run,
            endpoint=endpoint,
            model=endpoint.name,
            language="zh" if (get_language() or "").startswith("zh") else "en",
            prompts=PROMPTS.edition,
            prompt_set=prompt_set,
            created_by=created_by,
        )
        _enqueue(naming)
    return naming


@retries(GROUP_NAMING)
def _name_again(job: Job) -> None:
    """Groups that have a name keep it."""
    naming = GroupNaming.objects.select_related("endpoint", "run").filter(pk=job.subject).first()
    if naming is None:
        return
    if naming.endpoint is None:
        raise ChoiceRefused(
            _("Its model “%(name)s” was deleted. Name the groups by another one.") % {"name": naming.model}
        )
    usable(naming.endpoint, "model")
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=naming.run_id)
        _refuse_second(naming.run)
        GroupNaming.objects.filter(pk=naming.pk).update(status=Status.QUEUED, problem="", ended_at=None)
        _enqueue(naming)


def _refuse_second(run: Run) -> None:
    if run.group_namings.filter(status__in=[Status.QUEUED, Status.RUNNING]).exists():
        raise ChoiceRefused(
            _("A model names the groups of this run already; wait for it, or cancel its job.")
        )


def _enqueue(naming: GroupNaming) -> None:
    jobs.add_missing(kind=GROUP_NAMING, subjects=[naming.pk], group=f"model {naming.model}")
    transaction.on_commit(partial(jobs.hand_over, kind=GROUP_NAMING, subject=naming.pk))


def groups_to_name(folded: RunMisses) -> list[Group]:
    """Those that lost most of their figure."""
    groups = [group for lost in folded.losses for group in lost.groups if group.points > 0]
    return sorted(groups, key=lambda group: -group.share)[:MOST_GROUPS]


def names_of(run: Run) -> tuple[GroupNaming | None, Mapping[str, NamedGroup]]:
    """The newest naming of a run, and what became of each group, by its key."""
    naming = run.group_namings.first()
    if naming is None:
        return None, {}
    return naming, {group.key: group for group in naming.groups.all()}


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How namings used every endpoint, or one, by its name."""
    wanted = GroupNaming.objects.exclude(endpoint=None)
    if endpoint is not None:
        wanted = wanted.filter(endpoint=endpoint)
    models: dict[str, EndpointUse] = {}
    for model, calls in wanted.values_list("model", "calls"):
        use = ModelUse(model, NAMER)
        for call in calls:
            use.add_call(ModelCalled.load(call, ModelCalled.version))
        if use.calls:
            models.setdefault(model, EndpointUse()).uses.append(use)
    return models


# What a worker does.


def begin_naming(*, claimed: Claim) -> GroupNaming:
    """The naming of a job, which goes on from now.

    Raises:
        LeaseLost: another worker has the job.
        ValueError: its model was deleted.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        GroupNaming.objects.filter(pk=claimed.subject).update(status=Status.RUNNING, problem="")
    naming = GroupNaming.objects.select_related("endpoint", "run", "prompt_set").get(pk=claimed.subject)
    if naming.endpoint is None:
        raise ValueError(f"there is no model “{naming.model}” any more; name the groups by another one")
    return naming


def open_groups(naming: GroupNaming) -> tuple[list[tuple[str, GroupEvidence]], int]:
    """The groups that the model has still to be asked about, with their evidence; and how many there are in all."""
    catch_up([naming.run])
    folded, words = fold_run(naming.run.suite, session_misses(naming.run)[0]), Words(naming.run.suite)
    wanted = groups_to_name(folded)
    done = set(naming.groups.values_list("key", flat=True))
    return [(group.key, _evidence(group, words)) for group in wanted if group.key not in done], len(wanted)


def _evidence(group: Group, words: Words) -> GroupEvidence:
    named = words.cause(group.cause)
    return GroupEvidence(
        words.metric_name(group.metric),
        named.label,
        named.meaning,
        words.kind(group.kind),
        group.share,
        group.count,
        len(group.members),
        list(_examples(group, words)),
    )


def _examples(group: Group, words: Words) -> Iterator[Example]:
    """Misses of as many sessions as there is room for, each with the agent's own words; nobody else's are shown."""
    each = max(1, MOST_EXAMPLES // len(group.members))
    for member in group.members[:MOST_EXAMPLES]:
        said = _words_of_agent(member.session.session_id, member.misses[:each])
        for miss in member.misses[:each]:
            yield Example(words.item(miss), said.get(miss, ""))


def _words_of_agent(session: str, misses: Iterable[Miss]) -> dict[Miss, str]:
    """By miss, the first of its events that is a message of the agent."""
    wanted = {seq for miss in misses for seq in miss.seqs}
    said = {
        event.seq: event.body.content
        for event in read_log(session)
        if event.seq in wanted and isinstance(event.body, MessagePosted) and event.body.role == AGENT
    }
    return {miss: next((said[seq] for seq in miss.seqs if seq in said), "") for miss in misses}


def store_name(*, claimed: Claim, naming: GroupNaming, key: str, made: Naming) -> None:
    """Keep what the model said of a group. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        NamedGroup.objects.create(
            naming=naming,
            key=key,
            name=made.name.name if made.name else "",
            sentence=made.name.sentence if made.name else "",
            problem=made.problem,
            answers=list(made.answers),
        )


def add_call(*, naming: GroupNaming, call: ModelCalled) -> None:
    """Keep a request, whoever has the job: it was made, and is paid."""
    with transaction.atomic():
        now = GroupNaming.objects.select_for_update().filter(pk=naming.pk).only("calls").first()
        if now is not None:
            now.calls.append(call.model_dump(mode="json", exclude={"type"}))
            now.save(update_fields=["calls"])


def finish_naming(*, claimed: Claim) -> None:
    """The model was asked about all groups. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        GroupNaming.objects.filter(pk=claimed.subject).update(status=Status.DONE, ended_at=timezone.now())


def end_naming(subject: str, problem: str) -> None:
    """Say why it has come to no end: somebody stopped it, or it failed."""
    job = Job.objects.filter(kind=GROUP_NAMING.name, subject=subject).order_by("-pk").first()
    is_stopped = job is not None and job.state == State.CANCELLED
    GroupNaming.objects.filter(pk=subject, status__in=[Status.QUEUED, Status.RUNNING]).update(
        status=Status.STOPPED if is_stopped else Status.FAILED,
        problem="" if is_stopped else problem,
        ended_at=timezone.now(),
    )
