"""The frame of a table that scrolls by itself where the page is too narrow for it."""

from __future__ import annotations

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_COLUMN_GROUP = '<th scope="colgroup" colspan="{}">{}</th>'


class TableNode(template.Node):
    """Renders the frame around heads and rows."""

    child_nodelists = ("heads", "rows")

    def __init__(
        self, classes: FilterExpression, options: dict[str, FilterExpression], heads: NodeList, rows: NodeList
    ) -> None:
        self.classes, self.options, self.heads, self.rows = classes, options, heads, rows

    def render(self, context: template.Context) -> SafeString:
        options = {name: value.resolve(context) for name, value in self.options.items()}
        reach = (
            format_html(' tabindex="0" role="group" aria-label="{}"', options["label"])
            if "label" in options
            else ""
        )
        name = format_html(' id="{}"', options["id"]) if "id" in options else ""
        over = format_html_join("", _COLUMN_GROUP, options.get("over") or ())
        return format_html(
            '<div class="scroll"{}>\n<table class="{}"{}>\n<thead>\n{}<tr>{}</tr>\n</thead>\n<tbody>{}</tbody>\n'
            "</table>\n</div>",
            *(reach, self.classes.resolve(context), name),
            format_html("<tr>{}</tr>\n", over) if over else "",
            *(self.heads.render(context), self.rows.render(context)),
        )


@register.tag
def table(parser: Parser, token: Token) -> TableNode:
    """`{% table CLASSES id=… label=… %}` cells of the head `{% rows %}` rows of the body `{% endtable %}`.

    label: what it is called for those who don't see it; with one it can be scrolled by keys. over: what stands over
    the heads: (how many columns, their name), "" for none.
    """
    _name, classes, *bits = token.split_contents()
    options = token_kwargs(bits, parser)
    if bits or options.keys() - {"id", "label", "over"}:
        raise template.TemplateSyntaxError(
            "a table takes its classes, an id, a label, and what is over its heads"
        )
    heads = parser.parse(("rows",))
    parser.delete_first_token()
    rows = parser.parse(("endtable",))
    parser.delete_first_token()
    return TableNode(parser.compile_filter(classes), options, heads, rows)
