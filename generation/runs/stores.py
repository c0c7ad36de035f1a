"""The store of answers in the database: what was answered once is never asked and paid for again."""

from collections.abc import Iterable
from dataclasses import fields

from core.inference.chat import ChatAnswer
from generation.models import ProviderRequest
from generation.runs.algorithm.values import Record

OF_RECORD = tuple(field.name for field in fields(Record) if field.name != "answer")
# Log-probabilities are read at once by those who ask for them; generation never does.
OF_ANSWER = tuple(field.name for field in fields(ChatAnswer) if field.name not in ("model", "places"))


class DatabaseStore:
    """Keep records as rows, each at once. `scope` is the server, `run` the one that pays."""

    def __init__(self, *, scope: str, run: str = "") -> None:
        self.scope = scope
        self.run = run

    def keys_about(self, prompts: Iterable[str]) -> set[str]:
        """Return the keys of all answers to prompts of these hashes."""
        rows = ProviderRequest.objects.filter(scope=self.scope, prompt_sha256__in=list(prompts))
        return set(rows.values_list("key", flat=True))

    def find(self, key: str) -> Record | None:
        row = ProviderRequest.objects.filter(scope=self.scope, key=key).first()
        if row is None:
            return None
        answer = ChatAnswer(model=row.model, **{name: getattr(row, name) for name in OF_ANSWER})
        return Record(answer=answer, **{name: getattr(row, name) for name in OF_RECORD})

    def keep(self, record: Record) -> None:
        facts = {name: getattr(record, name) for name in OF_RECORD}
        facts |= {name: getattr(record.answer, name) for name in OF_ANSWER}
        # PostgreSQL keeps no zero bytes in texts; a model may well write one.
        facts |= {name: facts[name].replace("\x00", "") for name in ("text", "raw", "refusal")}
        facts |= {"model": record.model[:300], "finish_reason": facts["finish_reason"][:40]}
        # Two workers with the same question may both have asked; the first answer counts, both were read alike.
        ProviderRequest.objects.bulk_create(
            [ProviderRequest(scope=self.scope, run=self.run, **facts)], ignore_conflicts=True
        )
