"""Models are told the words of a set, by whichever worker, in a fork and in a re-run too."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.cassettes import read_cassette, write_cassette
from benchmark.core.events import ParticipantJoined, PromptSetChosen
from tests.model_server import ModelServer
from tests.seating import Make, bodies, endpoint_at, play
from webapp.cassettes.forking import Players, fork
from webapp.cassettes.selectors import cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
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


@pytest.mark.storage
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
