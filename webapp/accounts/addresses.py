"""From which machine a request comes."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


def client_address(request: HttpRequest) -> str:
    """The address that asks, "" where it is not known.

    Behind the proxy that CARAVAN_HTTPS promises, it is the last entry of X-Forwarded-For, which the proxy
    wrote.
    """
    passed_on = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    return passed_on.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", ""))


def from_loopback(request: HttpRequest) -> bool:
    """Whether this machine asks. A proxy on it asks for others, and says so in a header or by CARAVAN_HTTPS."""
    if settings.BEHIND_PROXY or any(name in request.headers for name in FORWARDING_HEADERS):
        return False
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
