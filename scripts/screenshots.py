"""Takes the README's pictures from a running console on the demo database.

python -m scripts.screenshots [FOLDER]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from scripts.chromium import OVERRIDE, find_chromium
from seed_data import load_samples
from workflows import calibrate, claims, console, demo, guarantees, review
from workflows.labels import save_label
from workflows.review import QueueFilter
from workflows.store import open_store

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images"
WIDTH = 1280
REVIEWER = "Irina"
ITEM = "mus-017"

_ADDRESS = "127.0.0.1"
_START_SECONDS = 60
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def serving(url: str, log: Path) -> Iterator[str]:
    """A console on a database, as ``proofdesk console`` serves it; gives its address.

    Raises
    ------
    RuntimeError
        When it does not answer within a minute; the message holds what it said.
    """
    command = console.command(port=0, address=_ADDRESS)
    port = next(part for part in command if part.startswith("--server.port=")).partition("=")[2]
    base = f"http://{_ADDRESS}:{port}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PROOFDESK_DB": url},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _is_up(base):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the console did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
            time.sleep(0.1)
        yield base
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def browsing(chromium: str) -> Iterator[Browser]:
    """A headless Chromium that asks nobody for anything of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def settle(page: Page) -> None:
    """Wait until the page has drawn itself and its script rests."""
    page.wait_for_selector(".pd-title, [data-testid=stAlert]", timeout=30_000)
    page.wait_for_selector(
        '[data-testid="stApp"][data-test-script-state="notRunning"]', state="attached", timeout=30_000
    )


def main(folder: Path = FOLDER) -> int:
    """Write the pictures; returns an exit code."""
    chromium = find_chromium()
    if chromium is None:
        print(f"no Chromium on this machine: install chromium, or set {OVERRIDE} to one", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        path, _ = demo.demo_store(scratch)
        store = open_store(f"sqlite:///{path}")
        review.sign_in(store, REVIEWER)
        item = review.find_results(store, ITEM)[0].id
        store.close()
        with (
            serving(f"sqlite:///{path}", Path(scratch) / "console.log") as base,
            browsing(chromium) as browser,
        ):
            _take(browser, f"{base}/", ".js-plotly-plot .bars", folder / "overview.png")
            who = f"reviewer={REVIEWER}"
            _take(browser, f"{base}/queue?{who}&item={item}", ".pd-origin", folder / "queue.png")
            _take(browser, f"{base}/sentences?{who}&kind=number", ".pd-best", folder / "sentences.png")
            _take(browser, f"{base}/adjudicate?{who}", ".pd-others", folder / "disagreements.png")
            _audit(f"sqlite:///{path}")
            _take(browser, f"{base}/agreement?{who}", ".js-plotly-plot", folder / "agreement.png")
            _take(browser, f"{base}/calibration?{who}", ".pd-tile", folder / "calibration.png")
    return 0


def _audit(url: str) -> None:
    """Label all answers as they were written to be, in the audit's order, and rely on what that earns."""
    written = {seed.sample.id: seed.intended.quality for seed in load_samples()}
    store = open_store(url)
    reviewer = review.sign_in(store, REVIEWER).id
    order = QueueFilter(decision=None, order="random")
    while claim := claims.claim_next(store, reviewer, order, picked="audit", resume=False):
        good = written[review.item(store, claim.result_id).sample.id] in ("good", "refusal_right")
        save_label(
            store, result_id=claim.result_id, reviewer_id=reviewer, verdict="accept" if good else "reject",
            token=claim.token, seen=claim.seen,
        )  # fmt: skip
    found = calibrate.guarantee(store, alpha=0.2)
    if found.chosen.threshold is not None:
        guarantees.keep(store, found)
    store.close()


def _take(browser: Browser, address: str, drawn: str, path: Path) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
    page.goto(address)
    settle(page)
    page.wait_for_selector(drawn, state="attached")
    # The page scrolls inside itself, so a picture of all of it needs a window as tall as it is.
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": WIDTH, "height": int(height)})
    page.wait_for_timeout(1_000)
    page.screenshot(path=path, animations="disabled", caret="hide")
    page.close()
    print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}: {path.stat().st_size:,} bytes")


def _is_up(base: str) -> bool:
    try:
        with urllib.request.urlopen(f"{base}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:2])))
