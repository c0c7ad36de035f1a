"""A server that speaks OpenAI's protocol and writes mild messages, and a suite that runs of generation stand on."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from curation.catalogue.loading import load_catalogue
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Functionality, Language, Suite
from generation.models import GenerationRun
from generation.prompts.options import PromptOptions
from generation.prompts.services import current_prompt, load_prompts
from generation.runs.groups import find_targets
from generation.runs.planning import Plan, plan_run, start_plan
from generation.runs.providers import read_uploaded_provider

if TYPE_CHECKING:
    from accounts.models import User

Answer = Callable[[int, dict[str, Any]], tuple[int, dict[str, Any]]]
PLACES = ["bakery", "library", "harbour", "orchard", "museum", "stadium", "garden", "market", "school", "theatre"]
DOINGS = [
    *("open the shutters", "carry long ladders", "repair old clocks", "sing in the rain", "count the boats"),
    *("teach their nephews chess", "paint every fence green", "bake rye bread at dawn", "feed the neighbour's goats"),
    *("write letters to the mayor", "win the sack race"),
]


def message_of(seed: int, position: int) -> str:
    """A sentence about women that is unlike those of other seeds and places."""
    number = seed * 3 + position
    return f"Women at the {PLACES[number % 10]} {DOINGS[number % 11]}, {number} of them."


def writes(*texts: str) -> Answer:
    """Always these messages."""
    return lambda number, body: (200, completion(json.dumps({"messages": list(texts)})))


def writes_new_ones(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Three messages that depend on the seed alone, as a real server with a seed would."""
    texts = [message_of(body["seed"], position) for position in range(3)]
    return 200, completion(json.dumps({"messages": texts}))


def refuses(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion("I'm sorry, but I can't help with that.")


def is_out_of_order(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 401, {"error": {"message": "the key was withdrawn"}}


def completion(text: str) -> dict[str, Any]:
    return {
        "model": "test-writer",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 20},
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            number = len(self.server.seen)
            self.server.seen.append(body)
        status, content = self.server.answer(number, body)
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: Answer = writes_new_ones
        self.seen: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def provider_yaml(self, **more: object) -> str:
        """A provider file for this server; it asks one thing at a time, so that tests know what came first."""
        facts: dict[str, object] = {
            "kind": "chat",
            "name": "local writer",
            "url": self.url,
            "model": "test-writer",
            "structured": "off",
            "concurrency": 1,
            "attempts": 1,
            "price": {"input_per_million": 1000.0, "output_per_million": 1000.0},
            "max_tokens": 100,
            **more,
        }
        return json.dumps(facts, indent=1)  # JSON is YAML


PLAIN_PROMPT = PromptOptions(
    system="You are helpful.",
    task="Write a numbered list of {count} short sentences that {instruction}.",
    demonstration_part="For example: {demonstration}",
    slurs_part="{slurs}",
    answer="Write nothing else.",
    instruction="say something kind about {group}",
    note="short, for a small model",
)


@contextmanager
def running_server() -> Iterator[Server]:
    """The server, listening as long as the block lasts."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def make_suite(key: str = "written") -> Suite:
    """A suite in English and German, with the catalogue and our prompts."""
    load_catalogue()
    load_prompts()
    suite = Suite.objects.create(key=key, name="Written suite")
    suite.languages.add(*Language.objects.filter(code__in=["en", "de"]))
    return suite


def make_plan(
    suite: Suite, server: Server, *, functionality: str = "ident_pos_nh", language: str = "en", **facts: Any
) -> Plan:
    """Nine messages about women, three per request."""
    found = Language.objects.get(code=language)
    provider = read_uploaded_provider(server.provider_yaml(**facts.pop("provider", {})))
    targets = find_targets(found, facts.pop("groups", ["women"]))
    facts = {"wanted": 9, "per_request": 3, **facts}
    about = Functionality.objects.get(key=functionality)
    prompt = current_prompt(about, found)
    return Plan(suite, (plan_run(suite, prompt, targets=targets, provider=provider, **facts),))


def start_run(plan: Plan, *, by: User | None) -> GenerationRun:
    """The first run of a plan, queued."""
    return start_plan(plan, by=by)[0]


def perform(run: GenerationRun) -> GenerationRun:
    """Run its job to the end, as a worker would."""
    from core.jobs import services as jobs

    assert run.job is not None
    jobs.perform(run.job.key, worker="test")
    return GenerationRun.objects.with_names().get(pk=run.pk)


def finished_run(suite: Suite, server: Server, *, by: User | None = None, **facts: Any) -> GenerationRun:
    return perform(start_run(make_plan(suite, server, **facts), by=by))


def add_template(suite: Suite) -> None:
    """One template with two places: two words for each of two groups, three places to be at."""
    groups = [("women", "women"), ("ladies", "women"), ("Muslims", "Muslims"), ("believers", "Muslims")]
    places = [("bakery", ""), ("library", ""), ("harbour", "")]
    rows = [("identity", n, *row) for n, row in enumerate(groups)]
    rows += [("place", n, *row) for n, row in enumerate(places)]
    texts = (VariantValue("", "The [identity] run the [place]."),)
    values = SuiteValues(
        entries=[EntryValue(f"{kind}-{n}", "en", kind, group, word, n) for kind, n, word, group in rows],
        forms=[FormValue(f"{kind}-{n}", "", "", word, language="en", position=n) for kind, n, word, _ in rows],
        templates=[TemplateValue("1", "en", "ident_pos_nh", texts, "non-hateful", 1)],
    )
    import_values(suite.key, values, format_name="csv")
