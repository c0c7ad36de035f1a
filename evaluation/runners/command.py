"""A program in its own environment that reads texts and writes labels."""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from core.inference.errors import ModelUnusable, NotAllowed, Stopped
from core.inference.model_files import digest_files
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import RunnerKind
from evaluation.runners.plain_results import answer_from
from evaluation.runners.settings import RunnerSettings

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES")


class CommandRunner(RunnerKind):
    """Starts a listed command without a shell: JSON lines {"id", "text"} in, {"id", "label" and/or "score"} out."""

    kind = "command"
    syntax = "command:NAME"
    source = "none"
    is_local = True
    options = frozenset({"threshold"})

    def __init__(self, name: str, *, settings: RunnerSettings, threshold: float = 0.5) -> None:
        if name not in settings.allowed_commands:
            raise NotAllowed(
                _(
                    "%(model)s is not listed in the settings. Listed: %(listed)s. "
                    "An administrator can add it to the setting ALLOWED_COMMAND_MODELS (docs/deploy.md).",
                    model=f"command:{name}",
                    listed=sorted(settings.allowed_commands) or _("none"),
                )
            )
        self._name, self._settings, self._threshold = name, settings, threshold
        self._arguments = [str(part) for part in settings.allowed_commands[name]]

    @property
    def _spec(self) -> str:
        return f"command:{self._name}"

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; a missing line is an `error`, a failing program raises with its last words."""
        if not texts:
            return []
        # Files instead of pipes: a program that writes before it has read everything cannot dead-lock on them.
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as taken, tempfile.TemporaryFile() as said:
            for number, text in enumerate(texts):
                given.write(json.dumps({"id": number, "text": text}).encode() + b"\n")
            given.seek(0)
            self._run(given, taken, said, count=len(texts), progress=progress, should_stop=should_stop)
            taken.seek(0)
            return self._read(taken.read().decode("utf-8", "replace"), len(texts))

    @property
    def fingerprint(self) -> str:
        # The scripts it names are part of it: an edited one must not find the old one's cached answers.
        files = [Path(part) for part in self._arguments if Path(part).is_file()]
        hashes = [digest_files(path.parent, [path.name]) for path in files if path.stat().st_size < 1_000_000_000]
        return digest(["command", self._arguments, hashes, self._threshold, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What answered: the command line and the hash of the files it names."""
        return record(
            self._settings,
            kind="command",
            fingerprint=self.fingerprint,
            model=self._name,
            arguments=self._arguments,
            revision="",
            device="own process",
            threshold=self._threshold,
        )

    def _run(
        self,
        given: IO[bytes],
        taken: IO[bytes],
        said: IO[bytes],
        *,
        count: int,
        progress: Progress | None,
        should_stop: ShouldStop | None,
    ) -> None:
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        try:
            process = subprocess.Popen(
                self._arguments, stdin=given, stdout=taken, stderr=said, env=environment, start_new_session=True
            )
        except OSError as error:
            raise ModelUnusable(_("%(model)s does not start: %(error)s", model=self._spec, error=str(error))) from error
        deadline = time.monotonic() + self._settings.command_timeout
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.1)
                    break
                if should_stop is not None and should_stop():
                    raise Stopped(_("stopped on request"), answers=[None] * count)
                if time.monotonic() > deadline:
                    raise ModelUnusable(
                        _(
                            "%(model)s took longer than %(seconds)s s and was ended.",
                            model=self._spec,
                            seconds=f"{self._settings.command_timeout:.0f}",
                        )
                    )
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if process.returncode:
            said.seek(0)
            words = said.read()[-500:].decode("utf-8", "replace").strip()
            raise ModelUnusable(
                _(
                    "%(model)s ended with code %(code)s. It said: %(words)s",
                    model=self._spec,
                    code=str(process.returncode),
                    words=words or _("nothing"),
                )
            )
        if progress is not None:
            progress(count, count)

    def _read(self, written: str, count: int) -> list[Answer]:
        found: dict[int, Any] = {}
        for line in filter(None, map(str.strip, written.split("\n"))):
            try:
                value = json.loads(line)
                found[int(value["id"])] = value
            except (ValueError, KeyError, TypeError):
                raise ModelUnusable(
                    _(
                        "%(model)s wrote a line that is not %(wanted)s: %(line)s",
                        model=self._spec,
                        wanted='{"id": ..., "label": ...}',
                        line=line[:100],
                    )
                ) from None
        return [
            answer_from(found[number], settings=self._settings, threshold=self._threshold)
            if number in found
            else Answer(label=None, error=_("the command wrote no line for this text"))
            for number in range(count)
        ]
