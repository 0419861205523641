"""Which browser runs the page tests?  The first that can be had.

A Chromium on the PATH; else Debian's package, where apt-get may be used;
else Playwright's own download. Run as a script it brings the browser or says
clearly what to do.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ADVICE = (
    "No Chromium was found and none could be installed. Install one "
    "(Debian: apt-get install chromium; elsewhere: "
    ".venv/bin/python -m playwright install chromium) and run make test again."
)


def on_path():
    """The path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def downloaded():
    """The path of Playwright's own Chromium, if it was downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find():
    """The path of a Chromium; an error says how to get one."""
    path = on_path() or downloaded()
    if path is None:
        raise RuntimeError(ADVICE)
    return path


def _run(*command):
    print("+", *command, flush=True)
    try:
        return subprocess.run(command).returncode == 0
    except OSError as error:
        print(error)
        return False


def bring():
    """Find a Chromium or install one; None where neither works."""
    path = on_path() or downloaded()
    if path:
        return path
    if shutil.which("apt-get") and os.geteuid() == 0:
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "chromium")
        if on_path():
            return on_path()
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    return downloaded()


if __name__ == "__main__":
    found = bring()
    if not found:
        sys.exit(ADVICE)
    print(f"browser: {found}")
