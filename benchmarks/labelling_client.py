"""Annotators of `benchmarks/labelling.py`: a process of its own, and a light client, so that the server is measured.

Reads what to do as JSON from stdin, writes the times of all round trips and its own processor time to stdout.
"""

import http.client
import json
import socket
import sys
import threading
import time
from typing import Any


class Annotator:
    """Does what the screen does: keeps a few texts ahead, sends each label at once, takes what comes back."""

    def __init__(self, wish: dict[str, Any], who: str, cookie: str) -> None:
        self.ahead: int = wish["ahead"]
        self.path = f"/api/v1/labelling/{wish['campaign']}/exchange"
        self.headers = {"Content-Type": "application/json", "Cookie": f"{wish['cookie']}={cookie}"}
        self.connection = http.client.HTTPConnection("127.0.0.1", wish["port"], timeout=60)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.who = who
        self.times: list[float] = []
        self.queue: list[str] = []

    def exchange(self, events: list[dict[str, Any]]) -> None:
        body = json.dumps({"events": events, "have": self.queue, "want": self.ahead})
        start = time.perf_counter()
        self.connection.request("POST", self.path, body, self.headers)
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        took = time.perf_counter() - start
        if answer.status != 200 or any(receipt["status"] != "stored" for receipt in content["receipts"]):
            raise RuntimeError(f"{answer.status}: {content}")
        self.queue += [text["assignment"] for text in content["texts"]]
        if events:
            self.times.append(took * 1000)

    def work(self, labels: int) -> None:
        self.exchange([])
        for number in range(labels):
            event = {"client_id": f"{self.who}-{number}", "assignment": self.queue.pop(0), "label": "hateful"}
            self.exchange([{**event, "milliseconds": 900}])


def main() -> None:
    wish = json.load(sys.stdin)
    people = [Annotator(wish, f"{wish['name']}-{number}", cookie) for number, cookie in enumerate(wish["passes"])]
    threads = [threading.Thread(target=person.work, args=[wish["labels"]]) for person in people]
    start, used = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = [value for person in people for value in person.times]
    if len(times) != wish["labels"] * len(people):
        sys.exit("Some annotators stopped early; see above.")
    print(
        json.dumps({"times": times, "seconds": time.perf_counter() - start, "client_cpu": time.process_time() - used})
    )


if __name__ == "__main__":
    main()
