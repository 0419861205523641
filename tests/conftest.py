"""What the tests share: the built site."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def site():
    """The folder of built pages; ``make test`` builds them first.

    Building here would cost a build for each worker of xdist, or a lock.
    """
    folder = ROOT / "_build" / "html"
    for notebook in sorted((ROOT / "chapters").glob("*.ipynb")):
        page = folder / "chapters" / f"{notebook.stem}.html"
        if not page.exists():
            pytest.fail(f"{page} is missing: run `make book` first")
        if page.stat().st_mtime < notebook.stat().st_mtime:
            pytest.fail(f"{page} is older than {notebook}: run `make book`")
    return folder


@pytest.fixture(scope="session")
def case():
    """The reference case of the book."""
    from roofline import reference_case

    return reference_case


def pytest_collection_modifyitems(items):
    """Keep a file, or a page of the site, on one worker of xdist."""
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        group = params.get("opened", item.path.name)
        item.add_marker(pytest.mark.xdist_group(group))
