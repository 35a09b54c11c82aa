"""First stage, claim: the right to work on a session, and its lease for as long as the work lasts.

Takes a session's id, gives a claim. May raise what `webapp.storage.AWAY` names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webapp.jobs.services import Claim
from webapp.sessions import services
from worker.lease_keeper import lease_keeper
from worker.outages import give_back_when_away


def claim_session(session_id: str) -> Claim | None:
    """The claim; None where somebody else has the session, or it has ended, is paused or is not due."""
    return services.claim(session_id=session_id)


@contextmanager
def renew_lease(claimed: Claim) -> Iterator[None]:
    """Renew the lease until the block ends; give the session back where the database takes nothing."""
    with lease_keeper().keep_lease(claimed), give_back_when_away(claimed):
        yield
