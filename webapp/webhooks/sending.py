"""One attempt to deliver: signed, to a permitted address, without following anybody elsewhere."""

from __future__ import annotations

import hashlib
import hmac
import time
from contextlib import closing
from dataclasses import dataclass

import httpx2

from webapp.webhooks.addresses import parts_of, permitted_address

TIMEOUT_S = 10.0
USER_AGENT = "Caravan-Webhook/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt went. status_code: None without an answer; problem: "" where it was delivered."""

    status_code: int | None
    problem: str = ""


def signature_of(secret: str, at: int, body: bytes) -> str:
    """What the header says: `t=SECONDS,v1=HEX`, an HMAC-SHA256 of the seconds, a dot and the body."""
    signed = hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def send(*, url: str, secret: str, topic: str, delivery: int, body: bytes) -> Outcome:
    """Send it. Any answer from 200 to 299 is a delivery; what else the answer holds is not read.

    Raises:
        ChoiceRefused: the address is none that deliveries may go to.
    """
    parts, address = parts_of(url), permitted_address(url)
    host = f"[{address}]" if ":" in address else address
    port = f":{parts.port}" if parts.port else ""
    at = int(time.time())
    headers = {
        "Host": parts.netloc,
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Caravan-Event": topic,
        "Caravan-Delivery": str(delivery),
        "Caravan-Signature": signature_of(secret, at, body),
    }
    target = parts._replace(netloc=f"{host}{port}", fragment="").geturl()
    try:
        with httpx2.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False) as client:
            request = client.build_request("POST", target, content=body, headers=headers)
            request.extensions = {**request.extensions, "sni_hostname": parts.hostname or ""}
            with closing(client.send(request, stream=True)) as response:
                if response.is_success:
                    return Outcome(response.status_code)
                return Outcome(response.status_code, f"HTTP {response.status_code}")
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        return Outcome(None, f"{type(error).__name__}: {error}"[:300])
