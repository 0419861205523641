"""Every schematic is what its script draws, and says what it shows."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parents[1] / "figures"
scripts = pytest.mark.parametrize(
    "script", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem
)


@scripts
def test_redrawn_byte_for_byte(script, tmp_path):
    copy = tmp_path / script.name
    copy.write_bytes(script.read_bytes())
    subprocess.run([sys.executable, copy], check=True, timeout=60)
    drawn = copy.with_suffix(".svg").read_bytes()
    assert drawn == script.with_suffix(".svg").read_bytes()


@scripts
def test_figures_are_small_titled_and_self_contained(script):
    path = script.with_suffix(".svg")
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.find("{http://www.w3.org/2000/svg}title").text
    assert root.get("viewBox")
    assert len(text) < 40_000
    assert "href" not in text and "<image" not in text


def test_every_drawing_has_a_script():
    drawn = {p.stem for p in FOLDER.glob("*.svg")}
    assert drawn == {p.stem for p in FOLDER.glob("*.py")}
