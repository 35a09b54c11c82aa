"""Parts of our pages as plain HTML: what needs a server, and what nobody has allowed, is left out."""

from __future__ import annotations

from urllib.parse import urlsplit

import nh3

_MORE_TAGS = (
    "article aside details dl dt dd figcaption figure kbd main mark meter progress section summary tfoot"
    " svg g rect circle ellipse line path polygon polyline text title tspan"
)
_ATTRIBUTES = (
    "class title lang dir role open scope colspan rowspan datetime value min max low high optimum"
    " x y x1 x2 y1 y2 cx cy r rx ry dx dy d points width height viewBox preserveAspectRatio text-anchor transform"
)
_TAGS = (nh3.ALLOWED_TAGS | {*_MORE_TAGS.split()}) - {"img", "area", "map"}
_DROPPED_TAGS = {
    "script",
    "style",
    "template",
    "button",
    "select",
    "textarea",
    "noscript",
    "iframe",
    "object",
}
"""Left out with all that they hold; of any other tag that is not allowed only what it holds stays."""


def plain_html(html: str, *, here: str, keep_ids: bool = True) -> str:
    """What a page shows without a server.

    here: the path of the page; a link to a place on it stays a link to that place, any other one only its words.
    """

    def kept_attribute(tag: str, name: str, value: str) -> str | None:
        if name == "href":
            return _place(value, here)
        return value

    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED_TAGS,
        attributes={"*": {*_ATTRIBUTES.split(), *(["id"] if keep_ids else [])}, "a": {"href"}},
        generic_attribute_prefixes={"aria-"},
        attribute_filter=kept_attribute,
        link_rel=None,
        url_schemes=set(),
        strip_comments=True,
    )


def _place(href: str, here: str) -> str | None:
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    same = not (parts.scheme or parts.netloc) and parts.path in ("", here)
    return f"#{parts.fragment}" if same and parts.fragment else None
