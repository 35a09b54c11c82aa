"""Texts of ours in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOTHING = "\ue000"
_PAIR = re.compile(r"([-,])(?=\1)")
"""Two hyphens or commas of a name, which would become a dash or a quotation mark."""
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≈": r"$\approx$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "→": r"$\to$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "{\\textquoteright}",
    "\u00a0": "~",
    "\u00ad": "",
    "\u200b": "",
    _NOTHING: "{}",
}
"""What pdfLaTeX can't read as it is, or reads as something else."""
_LATIN = set(map(chr, range(0xA1, 0x180))) - set("ĦħĸĿŀŉŦŧſ")
"""Letters that the encodings utf8 and T1 have, beside those of ASCII."""


def escape_latex(text: str) -> str:
    """A text in one line, of which LaTeX sets every letter as it is.

    Letters that pdfLaTeX lacks, such as Chinese ones, stay as they are: they need XeLaTeX or LuaLaTeX
    (`letters_beyond_pdflatex`). Other control characters are left out.
    """
    line = _PAIR.sub(rf"\1{_NOTHING}", " ".join(text.split()))
    return "".join(_COMMANDS.get(letter, letter) for letter in line if letter >= " ")


def letters_beyond_pdflatex(texts: Iterable[str]) -> str:
    """The letters that pdfLaTeX can't set, each once."""
    letters = dict.fromkeys(letter for text in texts for letter in text)
    return "".join(
        letter for letter in letters if letter >= "\x7f" and letter not in _COMMANDS and letter not in _LATIN
    )
