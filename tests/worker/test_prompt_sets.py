"""Models are told the words of a set, by whichever worker, in a fork and in a re-run too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.cassettes import read_cassette, write_cassette
from benchmark.core.events import ParticipantJoined, PromptSetChosen
from tests.model_server import ModelServer
from tests.seating import Make, bodies, endpoint_at, play
from webapp.cassettes.forking import Players, fork, last_point
from webapp.cassettes.selectors import cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
from webapp.forms import ChoiceRefused
from webapp.prompts.choice import SHIPPED
from webapp.prompts.models import PromptSet, PromptSetVersion
from webapp.prompts.services import create_set
from webapp.sessions.models import Session, Status
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)
WARM_WORDS = "SAY IT WARMLY"


@pytest.fixture
def warm(db: None) -> PromptSetVersion:
    files = {f"agent/{language}/turn.txt": f"{WARM_WORDS}\n" for language in ("en", "zh")}
    files |= {f"agent/{language}/role.txt": f"{WARM_WORDS}\n" for language in ("en", "zh")}
    return create_set(name="warm", suite="grouptravel", files=files)


def warm_requests(session: Session) -> list[bool]:
    """Of each request to the agent's model, whether it begins with the words of the set."""
    asked = [exchange.request for exchange in cassette_of(session).exchanges if exchange.seat == "Agent"]
    return [request.messages[0]["content"].startswith(WARM_WORDS) for request in asked]


def version_of(session: Session) -> str:
    joined = [
        body for body in bodies(session) if isinstance(body, ParticipantJoined) and body.seat == "Agent"
    ]
    return joined[-1].prompts


@pytest.mark.either_engine
def test_a_set_holds_to_the_end_and_beyond(
    server: ModelServer, make_model_session: Make, warm: PromptSetVersion
) -> None:
    agent = endpoint_at(server.url, "good-agent")
    plain = make_model_session(agent)
    session = make_model_session(agent, prompt_set=warm)
    assert version_of(session) != version_of(plain)
    advance(session.pk, budget_s=0.0, paced=False)  # one worker takes a step, others the rest
    play(session)
    assert session.status == Status.FINISHED and warm_requests(session) and all(warm_requests(session))
    again = replay(session=session, start=False)
    play(again)
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical and verdict.seats == ()
    forked = fork(session=session, chosen=session.last_seq // 2, players=Players.of(session), start=False)
    assert forked.prompt_set == warm and version_of(forked) == version_of(session)
    play(forked)
    assert all(warm_requests(forked))


def test_a_cassette_has_the_words_where_the_set_is_not(
    server: ModelServer, make_model_session: Make, warm: PromptSetVersion, tmp_path: Path
) -> None:
    session = play(make_model_session(endpoint_at(server.url, "good-agent"), prompt_set=warm))
    file = tmp_path / "warm.cassette"
    write_cassette(cassette_of(session), file)
    words = next(body for body in bodies(session) if isinstance(body, PromptSetChosen))
    version = version_of(session)
    Session.objects.filter(pk=session.pk).delete()
    PromptSet.objects.all().delete()
    kept = keep(read_cassette(file))
    assert words in bodies(kept) and kept.prompt_set is None
    again = replay(session=kept, start=False)
    play(again)
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical and version_of(again) == version


@pytest.mark.either_engine
def test_a_fork_is_told_other_words_from_its_event_on(
    server: ModelServer, make_model_session: Make, warm: PromptSetVersion
) -> None:
    plain = play(make_model_session(endpoint_at(server.url, "good-agent")))
    half = plain.last_seq // 2
    forked = fork(session=plain, chosen=half, players=replace(Players.of(plain), words=warm), start=False)
    assert forked.prompt_set == warm and version_of(forked) != version_of(plain)
    play(forked)
    told = warm_requests(forked)
    assert not told[0] and told[-1] and told == sorted(told)
    again = play(replay(session=forked, start=False))
    verdict = verdict_of(again)
    assert verdict is not None and verdict.identical and verdict.seats == ()

    before = fork(session=forked, chosen=(forked.fork_seq or 0) - 1, players=Players.of(forked), start=False)
    assert before.prompt_set is None and version_of(before) == version_of(plain)
    back = replace(Players.of(forked), words=SHIPPED)
    shipped = fork(session=forked, chosen=last_point(forked), players=back, start=False)
    assert shipped.prompt_set is None and version_of(shipped) == version_of(plain)
    play(shipped)
    assert not warm_requests(shipped)[-1]


def test_a_fork_refuses_words_of_another_benchmark(server: ModelServer, make_model_session: Make) -> None:
    session = make_model_session(endpoint_at(server.url, "good-agent"))
    other = replace(Players.of(session), words=create_set(name="other", suite="travelbench"))
    with pytest.raises(ChoiceRefused, match="Choose another set"):
        fork(session=session, chosen=session.last_seq, players=other, start=False)
    assert not session.forks.exists()
