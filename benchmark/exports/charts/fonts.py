"""Which fonts letters of a chart come from."""

from __future__ import annotations

from collections.abc import Iterable

FIRST = "DejaVu Sans"
"""Comes with matplotlib, so that a chart is the same on every machine."""
CHINESE = (
    *("Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "Droid Sans Fallback", "Microsoft YaHei", "SimHei", "PingFang SC", "Heiti SC"),
    *("Arial Unicode MS", "AR PL UMing CN"),
)
"""Fonts with Chinese letters, the first of which that the machine has is taken."""


def families() -> list[str]:
    """The fonts of this machine from which letters come, in the order in which they are looked for."""
    from matplotlib.font_manager import fontManager

    here = set(fontManager.get_font_names())
    return [FIRST, *[name for name in CHINESE if name in here][:1]]


def lacking_letters(texts: Iterable[str]) -> str:
    """The letters of some texts that no font of `families` has, each once."""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    known: set[int] = set()
    for name in families():
        known |= get_font(fontManager.findfont(FontProperties(family=name))).get_charmap().keys()
    letters = dict.fromkeys(letter for text in texts for letter in text if not letter.isspace())
    return "".join(letter for letter in letters if ord(letter) not in known)
