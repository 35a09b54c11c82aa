"""Texts in LaTeX."""

from __future__ import annotations

import pytest

from benchmark.text.latex import escape_latex, letters_beyond_pdflatex


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50 % of $x_1$ & #2", r"50 \% of \$x\_1\$ \& \#2"),
        (r"{a\b}", r"\{a\textbackslash{}b\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("−1.5 ± 0.2", r"$-$1.5 $\pm$ 0.2"),
        ("1–2", "1--2"),
        ("--seed", r"-{}-seed"),
        ("---", r"-{}-{}-"),
        (",,", ",{},"),
        ("two\nlines\tand  more", "two lines and more"),
        ("nul\x00", "nul"),
        ("模型 é", "模型 é"),
        ('"it\'s"', r"\textquotedbl{}it\textquotesingle{}s\textquotedbl{}"),
    ],
)
def test_every_letter_is_set_as_it_is(text: str, written: str) -> None:
    assert escape_latex(text) == written


def test_letters_that_pdflatex_lacks_are_told_once() -> None:
    assert letters_beyond_pdflatex(["é − 模", "模型 ħ"]) == "模型ħ"
