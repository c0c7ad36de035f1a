"""The store of answers in the database: what was answered once is never asked and paid for again."""

from collections.abc import Iterable

from core.inference.chat import ChatAnswer
from generation.models import ProviderRequest
from generation.runs.algorithm.values import Record


class DatabaseStore:
    """Keeps records as rows, each at once. `scope` is the server, `run` the one that pays."""

    def __init__(self, *, scope: str, run: str = "") -> None:
        self.scope = scope
        self.run = run

    def keys_about(self, prompts: Iterable[str]) -> set[str]:
        """Keys of all answers to prompts of these hashes."""
        rows = ProviderRequest.objects.filter(scope=self.scope, prompt_sha256__in=list(prompts))
        return set(rows.values_list("key", flat=True))

    def find(self, key: str) -> Record | None:
        row = ProviderRequest.objects.filter(scope=self.scope, key=key).first()
        return None if row is None else _record(row)

    def keep(self, record: Record) -> None:
        answer = record.answer
        # Two workers with the same question may both have asked; the first answer counts, both were read alike.
        ProviderRequest.objects.bulk_create(
            [
                ProviderRequest(
                    scope=self.scope,
                    key=record.key,
                    run=self.run,
                    prompt_sha256=record.prompt_sha256,
                    system=record.system,
                    user=record.user,
                    model=record.model[:300],
                    parameters=record.parameters,
                    seed=record.seed,
                    attempts=record.attempts,
                    seconds=record.seconds,
                    # PostgreSQL keeps no zero bytes in texts; a model may well write one.
                    text=answer.text.replace("\x00", ""),
                    raw=answer.raw.replace("\x00", ""),
                    finish_reason=answer.finish_reason[:40],
                    refusal=answer.refusal.replace("\x00", ""),
                    prompt_tokens=answer.prompt_tokens,
                    completion_tokens=answer.completion_tokens,
                    cost=record.cost,
                )
            ],
            ignore_conflicts=True,
        )


def _record(row: ProviderRequest) -> Record:
    answer = ChatAnswer(
        text=row.text,
        raw=row.raw,
        finish_reason=row.finish_reason,
        model=row.model,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        refusal=row.refusal,
    )
    return Record(
        key=row.key,
        prompt_sha256=row.prompt_sha256,
        system=row.system,
        user=row.user,
        model=row.model,
        parameters=row.parameters,
        seed=row.seed,
        attempts=row.attempts,
        seconds=row.seconds,
        answer=answer,
        cost=row.cost,
    )
