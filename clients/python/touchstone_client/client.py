"""The client: one method per thing a notebook wants."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx

from touchstone_client.errors import RunFailed, StillRunning, TouchstoneError, error_of
from touchstone_client.values import Case, Model, Release, RunState

Progress = Callable[[RunState], None]
Answer = str | float | Mapping[str, Any]
Value = TypeVar("Value")
BUSY = frozenset({429, 502, 503, 504})


class Client:
    """A connection to one server. `token` is also read from TOUCHSTONE_TOKEN; without one only public things show."""

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        timeout: float = 30.0,
        attempts: int = 4,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        token = token or os.environ.get("TOUCHSTONE_TOKEN")
        headers = {"Accept": "application/json, application/problem+json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1/", headers=headers, timeout=timeout, transport=transport
        )
        self._attempts, self._sleep = attempts, sleep

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def releases(self) -> Iterator[Release]:
        """Every release you may see."""
        return self._each(Release.of, "releases/")

    def cases(self, release: str | Release) -> Iterator[Case]:
        """Every case of a release, page by page."""
        return self._each(Case.of, f"releases/{_key(release)}/cases/")

    def models(self) -> Iterator[Model]:
        """Every registered model you may see."""
        return self._each(Model.of, "models/")

    def register(
        self,
        name: str,
        spec: str | Mapping[str, Any],
        *,
        every: float = 1.0,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        **facts: Any,
    ) -> Model:
        """Register a model by its spec and wait until it was checked.

        A spec is a text such as `hf:owner/name`, or a mapping with kind, model and settings. `facts` are
        `description`, `trained_on` (language codes) and `on_leaderboard`. Raises `RunFailed` with the reason when the
        model cannot be used, `StillRunning` when the time is up.
        """
        asked = self._send("POST", "models/", json={"name": name, "spec": spec, **facts})
        started = clock()
        while True:
            job = self.job(str(asked["job"]))
            if job["state"] == "done":
                return Model.of(self._send("GET", f"models/{job['result']['model']}/"))
            if job["state"] in ("failed", "cancelled"):
                raise RunFailed(f"{name} was not registered: {job.get('error') or job['state']}", problem=job)
            if timeout is not None and clock() - started + every > timeout:
                raise StillRunning(f"{name} is still being checked by the job {asked['job']}.")
            self._sleep(every)

    def evaluate(self, release: str | Release, *, model: str | Model) -> RunState:
        """Start an evaluation; hand what comes back to `wait`."""
        name = model.name if isinstance(model, Model) else model
        return RunState.of(self._send("POST", "runs/", json={"release": _key(release), "model": name}))

    def upload_predictions(
        self,
        release: str | Release,
        *,
        model: str | Model,
        answers: Mapping[str, Answer],
        threshold: float | None = None,
        label_map: Mapping[str, str] | None = None,
        allow_missing: bool = False,
    ) -> RunState:
        """Send predictions computed elsewhere: case id to label, to a score, or to a mapping with label and score.

        Scores without labels are cut at `threshold`, or at 0.5; `label_map` says what other words mean. Refuses to send
        none; the server names missing and unknown ids. What it only noted is in `data["problems"]` of what comes back.
        """
        if not answers:
            raise ValueError("there are no predictions to send")
        lines = []
        for case, answer in answers.items():
            row = dict(answer) if isinstance(answer, Mapping) else {"label": answer}
            lines.append(json.dumps({"case_id": str(case), **row}, ensure_ascii=False, default=_plain))
        name = model.name if isinstance(model, Model) else model
        form: dict[str, Any] = {"release": _key(release), "model": name, "allow_missing": str(allow_missing).lower()}
        if threshold is not None:
            form["threshold"] = str(threshold)
        if label_map:
            form["label_map"] = ", ".join(f"{word}={label}" for word, label in label_map.items())
        file = ("predictions.jsonl", "\n".join(lines).encode(), "application/jsonl")
        return RunState.of(self._send("POST", "runs/", data=form, files={"predictions": file}))

    def run(self, run: str | RunState) -> RunState:
        """How far an evaluation is."""
        return RunState.of(self._send("GET", f"runs/{_run_key(run)}/"))

    def job(self, key: str) -> dict[str, Any]:
        """A background job with its state and progress."""
        found: dict[str, Any] = self._send("GET", f"jobs/{key}/")
        return found

    def wait(
        self,
        run: str | RunState,
        *,
        progress: Progress | None = None,
        every: float = 2.0,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> RunState:
        """Wait until an evaluation is finished.

        Raises `RunFailed` when it failed or was cancelled, `StillRunning` when the time is up (the run continues).
        """
        started = clock()
        while True:
            state = self.run(run)
            if progress is not None:
                progress(state)
            if state.state == "done":
                return state
            if state.is_finished:
                why = str(state.data.get("error") or state.data.get("message") or "no reason was given")
                raise RunFailed(f"the evaluation {state.key} ended as {state.state}: {why}", problem=state.data)
            if timeout is not None and clock() - started + every > timeout:
                raise StillRunning(
                    f"the evaluation {state.key} is still {state.state}. Call wait again to continue waiting."
                )
            self._sleep(every)

    def report(self, run: str | RunState) -> dict[str, Any]:
        """The stored report of a finished evaluation: shares between 0 and 1, None where a value is undefined."""
        found: dict[str, Any] = self._send("GET", f"runs/{_run_key(run)}/report/")
        return found

    def answers(self, run: str | RunState, *, show: str = "wrong", **filters: str) -> Iterator[dict[str, Any]]:
        """What the model said about each case beside what is right: the wrong ones, or `show` right, all, near.

        Filters are those of the page: functionality, label, language, target, direction, origin.
        """
        query = httpx.QueryParams({"show": show, **filters})
        return self._pages(f"runs/{_run_key(run)}/cases/?{query}")

    def compare(self, first: str | RunState, second: str | RunState) -> dict[str, Any]:
        """Two finished evaluations against each other, with what is significant."""
        query = httpx.QueryParams({"with": _run_key(second)})
        found: dict[str, Any] = self._send("GET", f"runs/{_run_key(first)}/comparison/?{query}")
        return found

    def leaderboard(self, release: str | Release) -> list[dict[str, Any]]:
        """Public models on a release from best to worst, with ties."""
        found: list[dict[str, Any]] = self._send("GET", f"leaderboard/?release={_key(release)}")["ranking"]
        return found

    def document(
        self, release: str | Release, file_format: str = "html", *, models: Sequence[str | Model] = ()
    ) -> bytes:
        """The report of a release as a file: html, pdf, latex, csv, json or junit; of some models or of all."""
        names = [model.name if isinstance(model, Model) else model for model in models]
        query = httpx.QueryParams({"release": _key(release), "model": names})
        return self._ask("GET", f"results/documents/{file_format}/?{query}").content

    def share(self, *runs: str | RunState) -> str:
        """Make a link to these evaluations for people without an account; the address comes back."""
        return str(self._send("POST", "shared-results/", json={"runs": [_run_key(run) for run in runs]})["url"])

    def _each(self, make: Callable[[dict[str, Any]], Value], path: str) -> Iterator[Value]:
        """Yield the rows of every page as values. Refuses what another program answers."""
        for row in self._pages(path):
            try:
                yield make(row)
            except (KeyError, TypeError, AttributeError) as error:
                raise TouchstoneError(self._is_another()) from error

    def _is_another(self) -> str:
        return (
            f"{self._http.base_url} does not answer as Touchstone does. Give the address of the server alone, such as "
            "https://touchstone.example.org"
        )

    def _pages(self, path: str) -> Iterator[dict[str, Any]]:
        following: str | None = path
        while following:
            page = self._send("GET", following)
            if isinstance(page, list):
                yield from page
                return
            if not isinstance(page, dict) or not isinstance(page.get("results"), list):
                raise TouchstoneError(self._is_another())
            yield from page["results"]
            following = page.get("next")
            if following and not self._is_ours(httpx.URL(following)):
                raise TouchstoneError(f"the server sent us on to another host: {httpx.URL(following).host}")

    def _is_ours(self, url: httpx.URL) -> bool:
        # The token goes only to the server it was given for.
        ours = self._http.base_url
        return url.is_relative_url or (url.scheme, url.host, url.port) == (ours.scheme, ours.host, ours.port)

    def _send(self, method: str, path: str, **content: Any) -> Any:
        try:
            return self._ask(method, path, **content).json()
        except ValueError as error:
            raise TouchstoneError(self._is_another()) from error

    def _ask(self, method: str, path: str, **content: Any) -> httpx.Response:
        for attempt in range(self._attempts):
            is_last = attempt + 1 == self._attempts
            try:
                response = self._http.request(method, path, **content)
            except httpx.TransportError as error:
                # A lost answer to a POST may have been done: only reading is asked again.
                if is_last or method != "GET":
                    raise TouchstoneError(f"the server cannot be reached: {error}") from error
                self._sleep(_pause(attempt, None))
                continue
            if response.status_code in BUSY and not is_last:
                self._sleep(_pause(attempt, response.headers.get("retry-after")))
                continue
            if response.is_error or response.is_redirect:
                raise error_of(response)
            return response
        raise TouchstoneError("the server is busy")  # pragma: no cover - the loop always returns or raises


def print_progress(state: RunState) -> None:
    """One line on stderr that is written over; for notebooks and terminals."""
    share = f"{state.share:.0%}" if state.share is not None else "..."
    end = "\n" if state.is_finished else ""
    sys.stderr.write(f"\r{state.key}: {state.state} {share} ({state.done}/{state.total or '?'}){end}")
    sys.stderr.flush()


def _pause(attempt: int, retry_after: str | None) -> float:
    try:
        return min(60.0, max(0.0, float(retry_after or "")))
    except ValueError:
        return float(min(30.0, 0.5 * 2**attempt)) * random.uniform(0.5, 1.0)


def _plain(value: Any) -> Any:
    """A number of numpy or torch as Python's own; notebooks hand those over. Refuses anything else."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"'{value}' is neither a label nor a score")


def _key(release: str | Release) -> str:
    key = release.key if isinstance(release, Release) else release
    if key.count("@") != 1 or "/" in key:
        raise ValueError(f"'{key}' is not a release. Write suite@version, for example hatecheck@1.0.0.")
    return key


def _run_key(run: str | RunState) -> str:
    return run.key if isinstance(run, RunState) else run
