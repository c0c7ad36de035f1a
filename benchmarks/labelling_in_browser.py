"""The labelling screen in Chromium: from the key to the next text on screen, and requests per text.

    python benchmarks/labelling_in_browser.py [--cases 36582] [--labels 200] [--pause 150]

Keys are pressed on the real screen against the real server. The time is taken inside the page: from the key event to
the frame in which the next text is drawn. Peers' figures are constants measured earlier on the same kind of machine.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.labelling import RATERS, SET_UP, p95, run, wait_for  # noqa: E402
from config.processes import next_free_port, web_command  # noqa: E402

# last key -> next text: median and p95 (ms), requests per item, keys per label
PEERS = {"Label Studio": (627, 801, 3, 2), "doccano": (95, 132, 7, 3), "Potato": (284, 420, 35, 2)}

WATCH = """
window.times = [];
let pressed = 0;
addEventListener("keydown", (event) => { pressed = event.timeStamp; }, { capture: true });
new MutationObserver(() => {
  const since = pressed;
  // Twice: the first callback runs before the frame with the new text is drawn, the second after it.
  requestAnimationFrame(() => requestAnimationFrame((now) => window.times.push(now - since)));
}).observe(document.getElementById("text"), { childList: true });
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=36_582)
    parser.add_argument("--labels", type=int, default=200)
    parser.add_argument("--pause", type=int, default=150, help="milliseconds between keys; a very fast reader")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "TOUCHSTONE_VAR": folder, "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        facts = run(environment, SET_UP, str(options.cases), "1", str(RATERS))
        port = next_free_port("127.0.0.1", 18_500)
        server = subprocess.Popen(web_command("127.0.0.1", port), cwd=ROOT, env=environment)
        try:
            wait_for(port)
            address = f"http://127.0.0.1:{port}"
            with sync_playwright() as playwright:
                path = os.environ.get("CHROMIUM") or shutil.which("chromium")
                browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
                context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
                context.add_cookies([{"name": facts["cookie"], "value": facts["passes"][0], "url": address}])
                label(context.new_page(), f"/label/{facts['campaign']}/", options)
                browser.close()
        finally:
            server.terminate()
            server.wait(timeout=20)


def label(page: Page, path: str, options: argparse.Namespace) -> None:
    page.goto(path)
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("1")  # uncovers the first text
    page.evaluate(WATCH)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    waited = 0
    for number in range(options.labels):
        page.keyboard.press("12"[number % 3 == 0])
        page.wait_for_timeout(options.pause)
        if not page.locator("#text").is_visible():
            waited += 1
            page.locator("#text").wait_for()
        if page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
    page.wait_for_function(f"window.times.length >= {options.labels}", timeout=30_000)
    page.wait_for_function("document.getElementById('unsent').hidden")
    times = page.evaluate("window.times")
    median = statistics.median(times)
    print(
        f"{len(times)} labels at {options.cases:,} cases: key to next text median {median:.1f} ms, "
        f"p95 {p95(times):.1f} ms, longest {max(times):.0f} ms; had to wait for a text {waited} times; "
        f"{len(requests) / options.labels:.2f} requests per text, 1 key per label"
    )
    is_kept = p95(times) < 50 and len(requests) <= options.labels
    print("claim (p95 under 50 ms, at most 1 request):", "holds" if is_kept else "FAILS")
    for name, (middle, late, asked, keys) in PEERS.items():
        print(
            f"  beside {name}: median {middle / median:.1f}x, p95 {late / p95(times):.1f}x faster; "
            f"{asked} requests and {keys} keys there"
        )


if __name__ == "__main__":
    main()
