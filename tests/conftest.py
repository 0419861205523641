"""What the tests share: the built site, and who looks at which page."""

import re
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

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


class ByPage(LoadScopeScheduling):
    """Keeps a page of the site, or else a file, on one worker of xdist.

    So a page is loaded once. The groups that xdist has marks for are lost
    since pytest 9.2, which lets nobody rename a test.
    """

    def _split_scope(self, nodeid):
        page = re.search(r"\[([^\]]*\.html)", nodeid)
        return page[1] if page else nodeid.split("::")[0]


def pytest_xdist_make_scheduler(config, log):
    return ByPage(config, log)
