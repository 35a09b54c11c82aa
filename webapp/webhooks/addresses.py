"""Where webhooks may be: else any researcher could have the workers ask whatever these can reach.

An address is looked up once for each attempt, and what was found permitted is what is connected to: a name that
leads elsewhere a moment later leads nowhere.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.utils.translation import gettext as _

from webapp.forms import ChoiceRefused

_LEADING_TO_IPV4 = tuple(
    map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"))
)
"""Addresses that are ways to one of IPv4, which may be any: of NAT64, Teredo and 6to4, and those of old."""


def parts_of(url: str) -> SplitResult:
    """The parts of an address that can be a webhook's, without a look at the network.

    Raises:
        ChoiceRefused: it is none.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or port == 0
        or not url.isprintable()
        or " " in url
    ):
        raise ChoiceRefused(
            _("Give an address that begins with https:// or http:// and names a host."), "url"
        )
    if parts.username or parts.password:
        raise ChoiceRefused(_("Leave name and password out of the address; deliveries are signed."), "url")
    return parts


def permitted_address(url: str) -> str:
    """The network address to connect to.

    Raises:
        ChoiceRefused: the host is unknown, or leads to an address that deliveries must not go to.
    """
    parts = parts_of(url)
    host = (parts.hostname or "").rstrip(".")
    try:
        found = socket.getaddrinfo(host, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ChoiceRefused(
            _("The host %(host)s is not known here.") % {"host": host[:100]}, "url"
        ) from error
    addresses = [str(each[4][0]).partition("%")[0] for each in found]
    if not is_named(host, parts.port or (443 if parts.scheme == "https" else 80)):
        for address in addresses:
            if not _is_permitted(address):
                words = _(
                    "%(host)s leads to %(address)s, which is not a public address. Whoever runs Caravan can "
                    "allow this host by CARAVAN_WEBHOOK_HOSTS."
                )
                raise ChoiceRefused(words % {"host": host[:100], "address": address}, "url")
    return addresses[0]


def is_named(host: str, port: int) -> bool:
    """Whether CARAVAN_WEBHOOK_HOSTS names the host, so that its addresses may be any."""
    allowed = settings.CARAVAN_WEBHOOK_HOSTS
    written = f"[{host}]" if ":" in host else host
    return bool(allowed) and (validate_host(written, allowed) or f"{written}:{port}" in allowed)


def _is_permitted(address: str) -> bool:
    """Public ones; those of this machine too where Caravan is one person's, on their own machine."""
    known = ip_address(address)
    if isinstance(known, IPv6Address) and known.ipv4_mapped:
        known = known.ipv4_mapped
    if known.is_loopback:
        return bool(settings.EMBEDDED_DATABASE and not settings.BEHIND_PROXY)
    if isinstance(known, IPv6Address) and any(known in network for network in _LEADING_TO_IPV4):
        return False
    return known.is_global and not (known.is_multicast or known.is_reserved)
