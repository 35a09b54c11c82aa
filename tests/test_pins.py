"""The pins: each with hashes, none with an index, and what an audit of them says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.audit import NO_ANSWER, VULNERABLE, read_report, verdict
from tests.licences import read_pins

FILES = sorted(ROOT.glob("requirements*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_pin_has_a_version_and_a_hash(path: Path) -> None:
    text = path.read_text("utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) == len(read_pins(path)) > 3
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


def test_extras_pin_what_all_else_pins() -> None:
    """Files are installed together, so they have to agree."""
    ours = {str(pin.name): str(pin) for pin in read_pins(ROOT / "requirements-dev.txt") if not pin.marker}
    for path in FILES:
        for pin in read_pins(path):
            if not pin.marker and pin.name in ours:
                assert str(pin) == ours[pin.name], path.name


def test_an_audit_that_was_not_answered_is_no_clean_bill(capsys: pytest.CaptureFixture[str]) -> None:
    known = {"name": "django", "version": "5.2.1", "vulns": []}
    skipped = {"name": "vine", "skip_reason": "not found"}
    hit = {"name": "limits", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
    clean, lacking = read_report({"dependencies": [known]}), read_report({"dependencies": [known, skipped]})
    assert verdict([clean]) == 0
    assert verdict([]) == verdict([lacking]) == NO_ANSWER
    assert "Nothing is known of 1 pins" in capsys.readouterr().out
    assert verdict([lacking, read_report({"dependencies": [{**skipped, "vulns": []}, hit]})]) == VULNERABLE
    assert "limits 1: PYSEC-1, mended in 1.1" in capsys.readouterr().out
