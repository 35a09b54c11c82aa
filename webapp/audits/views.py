"""The page of who saw personal data, for administrators."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.accounts.access import researcher_of, researchers_only
from webapp.audits.models import Access, Act

ROWS_A_PAGE = 100


@researchers_only
def audit(request: HttpRequest) -> HttpResponse:
    """What was noted, the newest first; of one account, of one thing, of one kind of act."""
    if not researcher_of(request).is_superuser:
        return render(request, "audits/refused.html", status=403)
    wanted = {name: request.GET.get(name, "").strip()[:150] for name in ("name", "subject", "act")}
    rows = Access.objects.filter(**{name: value for name, value in wanted.items() if value})
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    kept = "".join(f"&{urlencode({name: value})}" for name, value in wanted.items() if value)
    context = {"page": page, "wanted": wanted, "acts": Act.choices, "kept": kept}
    return render(request, "audits/audit.html", context)
