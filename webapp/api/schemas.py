"""What the API gives and takes, as its OpenAPI file has it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import BaseModel, ConfigDict, Field

from webapp.apis import Problem as AnyProblem

Plain = str | int | float | bool | None
ValueByMetric = dict[str, float]


class Problem(AnyProblem):
    """Why a request was refused, and what helps."""

    code: str = Field(
        description="`token`, `scope`, `unknown`, `unfit`, `refused`, `reused`, `too_large`, `too_many`, `busy`, "
        "`counting`, `method`, `storage`."
    )


class Listing(BaseModel):
    """A page of a list. With `Accept: application/x-ndjson` all items come at once, a line of JSON each."""

    next: str | None = Field(description="The `cursor` of the next page; null on the last.")
    total: int | None = Field(
        description="How many items there are in all; null where there are more than are counted, or nobody counts."
    )


class SessionCounts(BaseModel):
    """How many sessions of a run there are by status."""

    queued: int
    running: int
    finished: int
    crashed: int
    stopped: int
    paused: int = Field(description="Of those queued and running.")


class RunItem(BaseModel):
    """A run."""

    id: str
    name: str
    suite: str = Field(description="The benchmark.")
    page: str = Field(description="The address of its page.")
    state: Literal["going", "paused", "stopping", "ended"]
    created_at: datetime
    sessions: int
    ended: int
    counts: SessionCounts
    trials: int
    seed: int = Field(description="Of the first trial of each task.")
    agent: str
    model: str = Field(description="The agent's model, by its name here; empty without.")
    users: str
    user_model: str
    world: str
    mode: str
    cache: str
    values: ValueByMetric = Field(description="Figures of the run by metric, as its table has them.")


class RunListing(Listing):
    items: list[RunItem]


class Budget(BaseModel):
    """What the sessions of a run may spend."""

    amount: float
    unit: str = Field(description="`tokens`, or a currency.")
    amount_spent: float


class FailingModel(BaseModel):
    """A model that does not answer a run."""

    model: str
    failed: int = Field(description="Requests in a row.")
    since: datetime
    last: str = Field(description="The last error.")


class Run(RunItem):
    """A run, with how fast it goes and what it spends."""

    options: dict[str, Plain]
    sessions_a_minute: float | None
    seconds_left: float | None
    tokens: int
    costs: dict[str, float] = Field(description="By currency.")
    at_once: int | None
    budget: Budget | None
    budget_used_up: bool = Field(description="Whether it was paused for that.")
    pause_after: int
    paused_failing: bool = Field(description="Whether it was paused since a model did not answer.")
    failing: list[FailingModel]


class SessionItem(BaseModel):
    """A session, as the table of sessions has it."""

    id: str
    page: str
    run: str = Field(description="The id of its run; empty without.")
    run_name: str
    task: str
    suite: str
    trial: int
    seed: int
    status: str
    reason: str = Field(description="Why it ended, as the benchmark names it; empty before.")
    origin: str = Field(description="`re-run`, `fork`, `imported`; empty for one played from its beginning.")
    agent: str
    model: str
    users: str
    user_model: str
    world: str
    mode: str
    cache: str
    planned: bool = Field(description="Whether there is a plan.")
    rounds: int
    events: int
    seconds: float | None
    tool_calls: int
    tool_errors: int
    requests: int = Field(description="To models.")
    tokens: int | None
    cost: float | None
    issues: list[str] = Field(description="Types of the plan's issues.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    values: ValueByMetric = Field(
        description="Values of metrics under the benchmark's first profile, and of judges as `metric@judge`."
    )


class SessionListing(Listing):
    items: list[SessionItem]


class SeatItem(BaseModel):
    """Who sits at a seat."""

    name: str
    role: str
    kind: str
    model: str = Field(description="Its model, by its name here; empty without.")


class Session(SessionItem):
    """A session, with its seats, options, and use of tools and models."""

    options: dict[str, Plain]
    seats: list[SeatItem]
    tools: dict[str, dict[str, Any]] = Field(description="How each tool was used.")
    models: list[dict[str, Any]] = Field(description="How each model was used.")
    scores: dict[str, ValueByMetric] = Field(description="Values of the rules by profile and metric.")


class EventItem(BaseModel):
    """One line of a log."""

    seq: int = Field(description="From 1, without gaps.")
    type: str
    v: int = Field(description="The version of the payload.")
    actor: str
    audience: str = Field(description="Who saw it.")
    at: datetime
    payload: dict[str, Any] = Field(description="As the kind of event has it. People are P1, P2 … in it.")


class EventListing(BaseModel):
    """A piece of a log."""

    items: list[EventItem]
    next: str | None = Field(
        description="The `cursor` for what follows; null where the session has ended and nothing does."
    )
    ended: bool


class ScoreItem(BaseModel):
    """The value of a metric for a session."""

    session: str
    run: str
    run_name: str
    suite: str
    task: str
    trial: int
    agent: str
    model: str
    profile: str = Field(description="Of scoring; empty for raters, who have none.")
    rater: str = Field(description="Empty for the rules; `person` for who answered a questionnaire.")
    metric: str
    value: float


class ScoreListing(Listing):
    items: list[ScoreItem]


class ReportColumn(BaseModel):
    """A column of a report's table."""

    key: str
    label: str
    meaning: str


class ReportTable(BaseModel):
    """One table of a report: the figures, and the words in which pages show them."""

    part: str
    title: str
    about: str
    profile: str
    columns: list[ReportColumn]
    rows: list[dict[str, Any]] = Field(
        description="By column; an estimate is {value, low, high}, a spread {value, std}, a mean {value, n, of}."
    )
    words: list[list[str]] = Field(description="The same rows, cell by cell, as the page shows them.")
    notes: list[str]


class JudgementItem(BaseModel):
    """One session judged once."""

    id: int
    batch: str
    session: str
    run: str
    task: str
    suite: str
    repeat: int
    judge: str
    meta_judge: str = Field(description="Empty where none was asked.")
    rubric: str
    form: str = Field(description="What the judge was shown.")
    status: str
    scores: dict[str, Any] = Field(description="By dimension.")
    meta_score: int | None
    score: float | None
    prompts: str = Field(description="The version of the prompts.")
    ended_at: datetime | None


class JudgementListing(Listing):
    items: list[JudgementItem]


class LabelItem(BaseModel):
    """One answer of a rater to an item of a labelling study."""

    id: int
    study: str
    study_name: str
    kind: str
    item: int = Field(description="Its number in the study.")
    purpose: str
    task: str
    message: int | None = Field(description="The `seq` of the message that was rated.")
    left_session: str | None = Field(
        description="A session. Null until a blind study is closed, as the next three are."
    )
    right_session: str | None
    left_agent: str | None
    right_agent: str | None
    rater: str = Field(description="People are R1, R2 … in each study.")
    rater_kind: str
    source: str
    choice: str
    scores: dict[str, int]
    strength: str
    rationale: str
    swapped: bool
    seconds: float | None
    hurried: bool
    repeat: int
    counts: bool
    current: bool
    created_at: datetime


class LabelListing(Listing):
    items: list[LabelItem]


class TaskItem(BaseModel):
    """A task, with its fields as the table of tasks has them."""

    id: str
    page: str
    suite: str
    collection: str
    line: int = Field(description="In its collection, from 1.")
    version: int
    language: str
    query: str
    fields: dict[str, Plain | date]


class TaskListing(Listing):
    items: list[TaskItem]


class Task(TaskItem):
    """A task with its definition in the published format."""

    definition: dict[str, Any]


class WorldItem(BaseModel):
    """A world."""

    name: str
    page: str
    cities: list[str]
    places: int
    pack_hash: str
    imported_at: datetime


class WorldListing(Listing):
    items: list[WorldItem]


class NewRun(Schema):
    """What a run is of: the fields of the form that starts one. What is left out is as the form suggests it."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    tasks: list[str] = Field([], description="Ids, in place of a collection and a difficulty.")
    collection: str = ""
    difficulty: str = ""
    trials: int = Field(1, ge=1)
    seed: int = Field(0, ge=0)
    world: str = Field("", description="By default the one that the tasks were made for.")
    agent: str = Field("", description="By default the first of the benchmark.")
    agent_model: str = Field("", description="By its name here.")
    users: str = Field("", description="By default the first of the benchmark.")
    user_model: str = ""
    seats: dict[str, str] = Field(
        {}, description="Travellers that differ: KIND or KIND:MODEL by name, as `--seat` has it."
    )
    options: dict[str, str | int | float | bool] = Field(
        {}, description="What the benchmark lets choose, by key."
    )
    mode: Literal["world", "isolated", "online"] = "world"
    cache: str = ""
    normalisation: str = ""
    simulator_model: str = ""
    judge: str = Field("", description="A model that judges each session as it ends.")
    at_once: int | None = Field(None, description="Sessions that go on at once; null for no limit.")
    budget: float | None = None
    budget_unit: str = ""
    pause_after: int | None = None
