"""The frame of tables."""

from __future__ import annotations

import pytest
from django.template import Context, Template, TemplateSyntaxError


def table_html(tag: str, **context: str) -> str:
    text = "{% table " + tag + " %}<th>tool</th>{% rows %}<tr><td>{{ tool }}</td></tr>{% endtable %}"
    return Template(text).render(Context({"tool": "a < b", **context})).replace("\n", "")


def test_a_table_with_a_label_can_be_reached_by_keys() -> None:
    assert table_html("'list'|add:mode id='calls' label=_('Table')", mode=" world") == (
        '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="list world" id="calls">'
        "<thead><tr><th>tool</th></tr></thead><tbody><tr><td>a &lt; b</td></tr></tbody></table></div>"
    )


def test_a_table_without_one_scrolls_alone() -> None:
    assert table_html("mode", mode='"').startswith('<div class="scroll"><table class="&quot;"><thead>')


def test_what_a_table_does_not_take_is_refused() -> None:
    with pytest.raises(
        TemplateSyntaxError, match="takes its classes, an id, a label, and what is over its heads"
    ):
        table_html("'list' title='Calls'")
